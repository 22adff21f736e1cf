// Puts the command line, and the packages that it always needs, into one file, the emulator into another: to
// find four hundred modules takes Node longer than most commands take. Tree-sitter and the like stay packages.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const bundled = ['commander', 'diff', 'picocolors', 'undici', 'zod'];

/** Of packages only what is used: all of undici and zod takes three times as long to load. */
const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    // what else the sources import of it one day is an error of this build
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'lean' }));
    onLoad({ filter: /^undici$/, namespace: 'lean' }, () => ({
      contents: "export { default as Agent } from './lib/dispatcher/agent.js';",
      resolveDir: join(root, 'node_modules/undici'),
    }));
    // for bodies that are forms or streams: ours are texts
    onResolve({ filter: /\/web\/fetch\/body\.js$/ }, () => ({
      path: 'undici/lib/web/fetch/body.js',
      external: true,
    }));
    // of a namespace that is named as one, what is not used can be left out
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /^import \{ z \} from 'zod';$/m,
        "import * as z from 'zod';",
      ),
      loader: 'ts',
    }));
    // most commands need neither: a file of data of the library, and what shares nothing with the rest
    onResolve({ filter: /\.json$/ }, ({ path, resolveDir }) => {
      const place = relative(join(root, 'src'), join(resolveDir, path)).replaceAll(sep, '/');
      return place.startsWith('translate/') ? { path: `../${place}`, external: true } : undefined;
    });
    onResolve({ filter: /\/emulator\/emulator$/ }, () => ({
      path: './emulator.js',
      external: true,
    }));
  },
};

/** Writes `dist/cli`, in the place of what the compiler left there. */
export async function bundle() {
  const { dependencies, optionalDependencies } = readJson(join(root, 'package.json'));
  const installed = Object.keys({ ...dependencies, ...optionalDependencies });
  const folder = join(root, 'dist/cli');
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts', emulator: 'src/emulator/emulator.ts' },
    outdir: folder,
    allowOverwrite: true,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.12',
    mainFields: ['module', 'main'],
    external: installed.filter((name) => !bundled.includes(name)),
    // names stay: a stack is to be read
    minifyWhitespace: true,
    legalComments: 'none',
    plugins: [lean],
  });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!['main.js', 'emulator.js'].includes(name)) rmSync(path, { recursive: true });
    // a text with one other character takes twice the memory and time
    else writeFileSync(path, readFileSync(path, 'utf8').replace(/[^\0-\x7f]/g, escaped));
  }
  writeFileSync(join(folder, 'LICENSES.txt'), bundled.map(licenseOf).join('\n'));
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
