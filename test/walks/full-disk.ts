import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the whole content of a world may have. */
const ROOM = '64m';

/** Whether file systems can be mounted here: for root, and outside of most containers. */
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

/** Runs something while a folder is on a file system of its own, which has only so much space left. */
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
      // also where a process that was killed has not ended yet
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
