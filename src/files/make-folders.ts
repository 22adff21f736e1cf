import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { types } from 'node:util';

/**
 * Makes a folder and those above it. `mkdir` with `recursive` is not used: it never ends below
 * `/proc` (Node 20), and does not say which folders are new.
 * @returns the folders that are new, the outermost first
 * @throws what `mkdir` throws; the folders that it made until then are gone again
 */
export function makeFolders(folder: string, mode = 0o777): string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at))
    missing.unshift(at);
  const made: string[] = [];
  try {
    for (const one of missing) {
      if (makeFolder(one, mode)) made.push(one);
    }
  } catch (error) {
    removeFolders(made);
    throw error;
  }
  return made;
}

/** Takes back what {@link makeFolders} made; a folder that somebody uses by now stays. */
export function removeFolders(made: readonly string[]): void {
  for (const folder of [...made].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** @returns false when somebody else has just made it */
function makeFolder(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    const exists = types.isNativeError(error) && 'code' in error && error.code === 'EEXIST';
    if (exists && existsSync(folder) && statSync(folder).isDirectory()) return false;
    throw error;
  }
}
