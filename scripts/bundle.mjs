// Bundles the command line into dist/cli: Node needs longer to find hundreds of modules than most commands take.
// Each lazy import becomes a file of its own. The library stays as the compiler leaves it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/cli');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const bundled = [
  '@hono/node-server',
  'commander',
  'csv-parse',
  'diff',
  'fdir',
  'hono',
  'jsonc-parser',
  'picocolors',
  'picomatch',
  'tinyglobby',
  'undici',
  'zod',
];

/** Only ES modules can be split; these two names of CommonJS are what the sources and packages use. */
const commonJsNames = `import { createRequire as requireFrom } from 'node:module';
import { fileURLToPath as pathOfUrl } from 'node:url';
const require = requireFrom(import.meta.url), __dirname = pathOfUrl(new URL('.', import.meta.url));`;

/** Writes `dist/cli`. */
export async function bundle() {
  const { dependencies, peerDependencies } = readJson(join(root, 'package.json'));
  const installed = Object.keys({ ...dependencies, ...peerDependencies });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts' },
    outdir: 'dist/cli',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.12',
    mainFields: ['module', 'main'],
    external: installed.filter((name) => !bundled.includes(name)),
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: commonJsNames },
    metafile: true,
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'LICENSES.txt'), bundled.map(licenseOf).join('\n'));
  const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
  for (const name of readdirSync(folder)) {
    if (/\.js$/.test(name) && !written.has(name)) rmSync(join(folder, name));
  }
}

function licenseOf(name) {
  const place = join(root, 'node_modules', name);
  const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
  const { version } = readJson(join(place, 'package.json'));
  return `${name} ${version}\n\n${readFileSync(join(place, file), 'utf8')}`;
}
