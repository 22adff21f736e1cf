// Puts the command line, and the packages that it always needs, into one file: to find and to compile four
// hundred modules takes Node longer than most commands take. Tree-sitter, DuckDB and the like stay packages.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
    // a text is passed over faster than code, and most commands read none of them
    onLoad({ filter: /\.json$/ }, ({ path }) => ({
      contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(readJson(path)))});`,
    }));
  },
};

/** Writes `dist/cli/main.js` in the place of what the compiler left there. */
export async function bundle() {
  const { dependencies, optionalDependencies } = readJson(join(root, 'package.json'));
  const installed = Object.keys({ ...dependencies, ...optionalDependencies });
  const folder = join(root, 'dist/cli');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
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
    if (name !== 'main.js') rmSync(join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, 'LICENSES.txt'), bundled.map(licenseOf).join('\n'));
}

function licenseOf(name) {
  const place = join(root, 'node_modules', name);
  const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
  const { version } = readJson(join(place, 'package.json'));
  return `${name} ${version}\n\n${readFileSync(join(place, file), 'utf8')}`;
}
