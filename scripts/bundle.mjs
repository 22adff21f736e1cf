// Puts the command line, and the packages that it always needs, into four files: to find four hundred modules
// takes Node longer than most commands take, and to read what no command needs takes a third of its start.
// Tree-sitter, DuckDB and the like stay packages.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { lean } from './lean-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const bundled = ['commander', 'diff', 'picocolors', 'undici', 'zod'];

/**
 * What is loaded together: before Terraform is first asked, before the service is, beside both, and all the others.
 * Each text is a file that is loaded when it is needed, or a folder of such files.
 */
const groupNames = {
  main: [
    'cli/main.ts',
    'actions/read-json-file.ts',
    'actions/preflight/early-answers.ts',
    'terraform/terraform-environment.ts',
  ],
  client: [
    'actions/preflight/require-live.ts',
    'cli/request-limiter.ts',
    'cloudflare/client.ts',
    'cloudflare/rate-limiter.ts',
    'cloudflare/shared-rate-limiter.ts',
  ],
  apply: [
    'actions/apply/',
    'cloudflare/',
    'terraform/',
    'plan/parse-plan.ts',
    'generate/parse-ruleset.ts',
  ],
  others: [''],
};

/** The group of each part: the first one that cannot do without it. */
function groupParts({ outputs }) {
  const groups = new Map();
  const add = (path, group) => {
    if (groups.has(path)) return;
    groups.set(path, group);
    for (const { path: next, kind, external } of outputs[path].imports) {
      if (kind === 'import-statement' && external !== true) add(next, group);
    }
  };
  for (const [group, places] of Object.entries(groupNames)) {
    for (const place of places) {
      const entries = Object.entries(outputs).filter(([, { entryPoint = 'src/' }]) =>
        entryPoint.startsWith(`src/${place}`),
      );
      // of a file that was moved nobody would notice but by the clock
      if (entries.length === 0) throw new Error(`nothing loads src/${place} when it is needed`);
      for (const [path] of entries) add(path, group);
    }
  }
  return groups;
}

/** Gives a part what it asks for: another part, of a file that is loaded when its first part is, or a package. */
const loader = `
const modules = new Map();
function load(name) {
  if (!name.startsWith('part:')) return require(name);
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  if (!(name in parts)) Object.assign(parts, require('./' + name.slice(5).split('/')[0] + '.js'));
  const module = { exports: {} };
  modules.set(name, module);
  parts[name](load, module, module.exports);
  return module.exports;
}
load.resolve = require.resolve;
load('part:main/main');
`;

/** Writes `dist/cli`. */
export async function bundle() {
  const { dependencies, optionalDependencies } = readJson(join(root, 'package.json'));
  const installed = Object.keys({ ...dependencies, ...optionalDependencies });
  const folder = join(root, 'dist/cli');
  const target = { platform: 'node', target: 'node20.12', minifyWhitespace: true };
  const { outputFiles, metafile } = await build({
    ...target,
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts' },
    outdir: 'dist/cli',
    bundle: true,
    // only modules can be shared among parts
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    mainFields: ['module', 'main'],
    external: installed.filter((name) => !bundled.includes(name)),
    legalComments: 'none',
    plugins: [lean],
    metafile: true,
    write: false,
  });
  const groups = groupParts(metafile);
  const nameOf = (file) => `part:${groups.get(`dist/cli/${file}`)}/${parse(file).name}`;
  const texts = Object.fromEntries(Object.keys(groupNames).map((name) => [name, '']));
  for (const { path, text } of outputFiles) {
    const own = text.replace(/^#!.*/, '');
    const options = { ...target, format: 'cjs', supported: { 'dynamic-import': false } };
    const { code } = await transform(own, options);
    const linked = loadLate(code).replace(
      /\brequire\("\.\/([\w-]+\.js)"\)/g,
      (_, file) => `require(${JSON.stringify(nameOf(file))})`,
    );
    const name = nameOf(basename(path));
    // a text with one other character takes twice the memory and time
    texts[groups.get(`dist/cli/${basename(path)}`)] +=
      `${JSON.stringify(name)}:(function(require,module,exports){${linked.replace(/[^\0-\x7f]/g, escaped)}}),\n`;
  }
  const { main, ...others } = texts;
  const files = {
    'main.js': `#!/usr/bin/env node\nconst parts={${main}};${loader}`,
    'LICENSES.txt': bundled.map(licenseOf).join('\n'),
  };
  for (const [name, text] of Object.entries(others)) {
    files[`${name}.js`] = `module.exports={${text}};\n`;
  }
  // two builds at once write the same, and remove the same
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const name of readdirSync(folder)) {
    if (!(name in files)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Modules of Node that are not needed before the service is asked are loaded where they are used. */
function loadLate(code) {
  const names = /var (import_node_\w+)=require\(("node:(?:child_process|zlib)")\);/g;
  return [...code.matchAll(names)].reduce(
    (text, [declaration, name, module]) =>
      text.replace(declaration, '').replaceAll(`${name}.`, `require(${module}).`),
    code,
  );
}

function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function licenseOf(name) {
  const place = join(root, 'node_modules', name);
  const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
  const { version } = readJson(join(place, 'package.json'));
  return `${name} ${version}\n\n${readFileSync(join(place, file), 'utf8')}`;
}
