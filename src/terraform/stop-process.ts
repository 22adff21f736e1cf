import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import own from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../core/migration-error';

/** Stops a process and the processes that it started, on one platform. */
interface ProcessGroup {
  /** Whether it starts in a separate group. */
  readonly detached: boolean;
  /** Asks it to stop and to release its locks; after its exit, asks the processes that it started. */
  ask(child: Pick<ChildProcess, 'kill' | 'pid'>): void;
  /** Whether it, or a process that it started, still runs. */
  lives(id: number): boolean;
  /** Kills it and its providers. */
  end(id: number): void;
}

const onWindows: ProcessGroup = {
  // a separate group would open a window, and would not receive the Ctrl-C of this console
  detached: false,
  // kill() would end it at once and leave the state locked; the console sends it Ctrl-C
  ask: () => undefined,
  lives: isRunning,
  end: (id) => {
    // without taskkill the process keeps running
    spawn('taskkill', ['/pid', String(id), '/T', '/F'], { stdio: 'ignore' }).on(
      'error',
      () => undefined,
    );
  },
};

const onUnix: ProcessGroup = {
  // Ctrl-C reaches the whole group of a terminal, and Terraform releases no lock after two interrupts
  detached: true,
  ask: (child) => {
    const { pid } = child;
    if (child.kill() || pid === undefined) return;
    // a wrapper without `exec` has ended. Send SIGINT, as Ctrl-C does: providers ignore it, but SIGTERM would
    // kill them in the middle of a request
    attempt(() => own.kill(-pid, 'SIGINT'));
  },
  lives: isGroupRunning,
  end: (id) => {
    attempt(() => own.kill(-id, 'SIGKILL'));
  },
};

export function processGroup(): ProcessGroup {
  return own.platform === 'win32' ? onWindows : onUnix;
}

/** Milliseconds until a process is killed after a second interrupt. */
const AT_ONCE = 1_000;

/** Milliseconds between two checks of a process that is stopping. */
const LOOK = 50;

interface Stopping {
  readonly child: Pick<ChildProcess, 'exitCode' | 'kill' | 'pid' | 'signalCode'>;
  readonly group: ProcessGroup;
  /** Maximum milliseconds for a clean stop. */
  readonly grace: number;
  /** Aborted at the second interrupt. */
  readonly hurry: AbortSignal | undefined;
}

/**
 * Asks a process to stop, waits until it and its children have ended, and kills them after `grace`.
 * @returns whether it may not have released its locks
 */
export async function stopProcess({ child, group, grace, hurry }: Stopping): Promise<boolean> {
  const { pid } = child;
  if (pid === undefined) return false;
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  let until = performance.now() + grace;
  let [isHurried, isLeft] = [false, false];
  group.ask(child);
  while (performance.now() < until) {
    if (!isHurried && hurry?.aborted === true) {
      isHurried = true;
      // Terraform stops without cleanup after a second signal
      group.ask(child);
      until = Math.min(until, performance.now() + AT_ONCE);
    }
    if (hasExited()) {
      if (!group.lives(pid)) return isHurried;
      // only the wrapper has ended: Terraform gets time to stop too
      if (!isLeft) group.ask(child);
      isLeft = true;
    }
    await sleep(LOOK);
  }
  const wasAlive = group.lives(pid);
  group.end(pid);
  while (!hasExited()) await sleep(LOOK);
  return isHurried || wasAlive;
}

/** Whether a process of this host runs, even if another user owns it. */
export function isRunning(id: number): boolean {
  try {
    return own.kill(id, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether a process of a group runs. Zombies do not count, because they can remain in a container. */
function isGroupRunning(id: number): boolean {
  if (attempt(() => own.kill(-id, 0)) === undefined) return false;
  const states = statesIn(id);
  return states.length === 0 || states.some((state) => !/[ZX]/.test(state));
}

/** The states of the processes of a group (proc_pid_stat(5)); empty on a platform without `/proc`. */
function statesIn(group: number): string[] {
  return (attempt(() => readdirSync('/proc')) ?? []).flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = attempt(() => readFileSync(`/proc/${name}/stat`, 'latin1')) ?? '';
    // the process name before it can contain any character
    const [state = '', , of] = stat.split(') ').at(-1)?.split(' ') ?? [];
    return of === String(group) ? [state] : [];
  });
}
