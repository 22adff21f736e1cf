import { type ChildProcess, spawn } from 'node:child_process';
import own from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../core/migration-error';

const isWindows = (): boolean => own.platform === 'win32';

/**
 * Whether Terraform starts in a separate process group. Otherwise Ctrl-C would reach it together with this tool, and it
 * releases no lock after two interrupts. On Windows a separate group would open a window.
 */
export const hasOwnGroup = (): boolean => !isWindows();

const POLL_INTERVAL = 50;

/**
 * Asks a process and the processes that it started to stop, and kills them after `grace`, or at the second interrupt.
 * @param grace maximum milliseconds for a clean stop
 * @param hurry aborted at the second interrupt
 * @returns whether they were killed, so that they may not have released their locks
 */
export async function stopProcess(
  child: Pick<ChildProcess, 'exitCode' | 'pid' | 'signalCode'>,
  grace: number,
  hurry: AbortSignal | undefined,
): Promise<boolean> {
  const { pid } = child;
  if (pid === undefined) return false;
  const until = performance.now() + grace;
  // as Ctrl-C does, so that wrappers wait for Terraform and providers ignore it. On Windows the console sends Ctrl-C
  if (!isWindows()) attempt(() => own.kill(-pid, 'SIGINT'));
  const lives = (): boolean => isRunning(isWindows() ? pid : -pid);
  while (lives() && performance.now() < until && hurry?.aborted !== true)
    await sleep(POLL_INTERVAL);
  const isKilled = lives();
  killGroup(pid);
  while (child.exitCode === null && child.signalCode === null) await sleep(POLL_INTERVAL);
  return isKilled;
}

export function killGroup(id: number): void {
  if (!isWindows()) {
    attempt(() => own.kill(-id, 'SIGKILL'));
    return;
  }
  // without taskkill the process keeps running
  const killing = spawn('taskkill', ['/pid', String(id), '/T', '/F'], { stdio: 'ignore' });
  killing.on('error', () => undefined);
}

/** Whether a process of this host, or one of the group `-id`, runs, even if another user owns it. */
export function isRunning(id: number): boolean {
  try {
    return own.kill(id, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
