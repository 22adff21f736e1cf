// Compiles the sources and the walks into a folder of its own: lazy parts of the sources are then loaded without asking
// a loader each time. The folder is in memory where that is possible.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = { format: 'cjs', target: 'node20.12', supported: { 'dynamic-import': false } };

/** Where fast walks write. */
export const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Gives the folder; the caller removes it. A fault is put into it alone, and fails where it has no place. */
export async function compileWalks(fault) {
  const folder = mkdtempSync(join(memory, 'walks-'));
  const parts = ['src', 'test/walks', 'test/support', 'test/e2e/provider/table'];
  await build({
    ...options,
    absWorkingDir: root,
    entryPoints: parts.map((part) => `${part}/**/*`),
    outdir: folder,
    outbase: '.',
    loader: { '.json': 'copy' },
  });
  const others = readdirSync(root).filter((name) => !['src', 'test', '.git'].includes(name));
  for (const name of [...others, 'test/fixtures']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(root, name), join(folder, name));
  }
  if (fault !== undefined) {
    const { file, find, replace } = fault;
    const source = readFileSync(join(root, file), 'utf8');
    const places = source.split(find).length - 1;
    if (places !== 1) throw new Error(`${file} has ${places} places with: ${find}`);
    const faulty = source.replace(find, () => replace);
    const { code } = transformSync(faulty, { ...options, loader: 'ts' });
    writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), code);
  }
  return folder;
}
