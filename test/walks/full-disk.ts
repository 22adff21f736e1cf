import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The maximum size of a world. */
const ROOM = '64m';

/** Whether file systems can be mounted. This needs root, and most containers do not allow it. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    mount(folder, 'size=4k');
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a function while a folder is on a separate file system with limited free space. */
export async function onFullDisk<T>(
  folder: string,
  kib: number,
  run: () => Promise<T>,
): Promise<T> {
  const aside = mkdtempSync(join(tmpdir(), 'aside-'));
  try {
    move(folder, aside);
    mount(folder, `size=${ROOM}`);
    try {
      move(aside, folder);
      mount(folder, `remount,size=${usedKib(folder) + kib}k`);
      return await run();
    } finally {
      move(folder, aside);
      // lazy, because a killed process may not have ended yet
      execFileSync('umount', ['--lazy', folder]);
      move(aside, folder);
    }
  } finally {
    rmSync(aside, { recursive: true });
  }
}

function mount(folder: string, options: string): void {
  const args = ['-t', 'tmpfs', '-o', options, 'tmpfs', folder];
  execFileSync('mount', args, { stdio: 'ignore' });
}

function move(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  for (const name of readdirSync(from)) rmSync(join(from, name), { recursive: true });
}

function usedKib(folder: string): number {
  const [, used = ''] = execFileSync('df', ['--output=used', '-k', folder], {
    encoding: 'utf8',
  }).split('\n');
  return Number(used);
}
