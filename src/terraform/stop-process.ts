import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import own from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../core/migration-error';

/** How a platform stops a process and those that it started. */
interface ProcessGroup {
  /** Whether it is started in a group of its own. */
  readonly detached: boolean;
  /** Asks it to stop and to release its locks; after it exited, asks the processes that it left. */
  ask(child: Pick<ChildProcess, 'kill' | 'pid'>): void;
  /** Whether it, or one that it has left, still runs. */
  lives(id: number): boolean;
  /** Ends it and its providers at once. */
  end(id: number): void;
}

const onWindows: ProcessGroup = {
  // a group of its own would open a window, and would not get the Ctrl-C of this console
  detached: false,
  // kill() would end it at once, and leave the lock of the state: Ctrl-C reaches it by the console
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
  // Ctrl-C of a terminal goes to a whole group: Terraform releases no lock after two interrupts
  detached: true,
  ask: (child) => {
    const { pid } = child;
    if (child.kill() || pid === undefined) return;
    // a wrapper without `exec` has died of the signal. SIGINT, as Ctrl-C sends: providers ignore it
    // and would die of SIGTERM in the middle of a request
    attempt(() => own.kill(-pid, 'SIGINT'));
  },
  lives: isGroupRunning,
  end: (id) => {
    attempt(() => own.kill(-id, 'SIGKILL'));
  },
};

/** How processes are started and stopped on this platform. */
export function processGroup(): ProcessGroup {
  return own.platform === 'win32' ? onWindows : onUnix;
}

/** Milliseconds until a process is killed when the user asks again. */
const AT_ONCE = 1_000;

/** Milliseconds between two looks at a process that stops. */
const LOOK = 50;

interface Stopping {
  readonly child: Pick<ChildProcess, 'exitCode' | 'kill' | 'pid' | 'signalCode'>;
  readonly group: ProcessGroup;
  /** Milliseconds that stopping may take. */
  readonly grace: number;
  /** Aborted when the user asks again. */
  readonly hurry: AbortSignal | undefined;
}

/**
 * Asks a process to stop, and waits until it and all that it started have ended. After the grace they are killed.
 * @returns whether it may have had no time to release its locks
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
      // Terraform ends at once after a second signal
      group.ask(child);
      until = Math.min(until, performance.now() + AT_ONCE);
    }
    if (hasExited()) {
      if (!group.lives(pid)) return isHurried;
      // it was a wrapper: Terraform gets time to stop too
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

/** Whether a process of this host runs, also one of another user. */
export function isRunning(id: number): boolean {
  try {
    return own.kill(id, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether a process of a group runs. Zombies do not count: in a container they can remain. */
function isGroupRunning(id: number): boolean {
  if (attempt(() => own.kill(-id, 0)) === undefined) return false;
  const states = statesIn(id);
  return states.length === 0 || states.some((state) => !/[ZX]/.test(state));
}

/** The states of the processes of a group (proc_pid_stat(5)); empty where the platform has no `/proc`. */
function statesIn(group: number): string[] {
  return (attempt(() => readdirSync('/proc')) ?? []).flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = attempt(() => readFileSync(`/proc/${name}/stat`, 'latin1')) ?? '';
    // the name of the process before it can hold anything
    const [state = '', , of] = stat.split(') ').at(-1)?.split(' ') ?? [];
    return of === String(group) ? [state] : [];
  });
}
