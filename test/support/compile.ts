import { buildSync } from 'esbuild';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const repository = join(__dirname, '../..');

/** The files below a folder of the repository, as paths from its root. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repository.length + 1));
}

/** The input of a bundle. */
export interface Program {
  /** The entry file, relative to the repository. */
  entry: string;
  /** Path of the output below the folder; the program reads other files relative to it. */
  outfile: string;
  /** The source files, which also form the cache key. */
  sources: readonly string[];
  /** Files that the program reads at run time. */
  copied: readonly string[];
}

/**
 * Bundles a program into one file, once. A process then starts ten times faster than from the sources.
 * @returns the file; its folder name is a hash of its sources, so that parallel runs do not conflict
 */
export function compile({ entry, outfile, sources, copied }: Program): string {
  const hash = createHash('sha256');
  for (const file of [...sources, ...copied].sort()) {
    hash.update(file).update(readFileSync(join(repository, file)));
  }
  const name = hash.digest('hex').slice(0, 16);
  const folder = join(repository, 'node_modules/.cache/compiled', name);
  if (existsSync(folder)) return join(folder, outfile);
  const draft = `${folder}.${process.pid}`;
  buildSync({
    absWorkingDir: repository,
    entryPoints: [entry],
    outfile: join(draft, outfile),
    bundle: true,
    format: 'cjs',
    platform: 'node',
  });
  for (const file of copied) {
    mkdirSync(join(draft, dirname(file)), { recursive: true });
    copyFileSync(join(repository, file), join(draft, file));
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    // another run finished first
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
  return join(folder, outfile);
}
