import { type ChildProcess, spawn } from 'node:child_process';
import * as own from 'node:process';
import { isGroupRunning, isRunning } from './process-alive';

/** How a platform stops a process together with those that it has started. */
export interface ProcessGroup {
  /** Whether it is started in a group of its own. */
  readonly detached: boolean;
  /** Asks it to stop, and to give back what it has locked; once it has gone, those that it has left. */
  ask(child: Pick<ChildProcess, 'kill' | 'pid'>): void;
  /** Whether it, or one that it has left, still runs. */
  lives(id: number): boolean;
  /** Ends it and its providers at once, which would hold on to what it left. */
  end(id: number): void;
}

/** What reaches other processes; a test gives its own. */
interface Reach {
  readonly kill: (id: number, signal: NodeJS.Signals) => unknown;
  readonly start: (file: string, args: readonly string[]) => unknown;
}

const reach: Reach = {
  kill: (id, signal) => own.kill(id, signal),
  // without it the process stays, and says so by its lock
  start: (file, args) => spawn(file, args, { stdio: 'ignore' }).on('error', () => undefined),
};

/** How processes are started and stopped on a platform, by default this one. */
export function processGroup(
  platform: NodeJS.Platform = own.platform,
  { kill, start }: Reach = reach,
): ProcessGroup {
  if (platform === 'win32') {
    return {
      // a group of its own would open a window, and would not hear the Ctrl-C of ours
      detached: false,
      // Windows has no signal that asks: kill() ends at once, and the lock of the state stays.
      // Who pressed Ctrl-C has asked Terraform as well; it is given time, and ended then
      ask: () => undefined,
      // what it has left belongs to nobody
      lives: isRunning,
      end: (id) => {
        start('taskkill', ['/pid', String(id), '/T', '/F']);
      },
    };
  }
  const send = (id: number, signal: NodeJS.Signals): void => {
    try {
      kill(-id, signal);
    } catch {
      // all have ended by themselves
    }
  };
  return {
    // Ctrl-C of a terminal goes to a whole group: of two interrupts at once Terraform gives no lock back
    detached: true,
    ask: (child) => {
      if (child.kill() || child.pid === undefined) return;
      // a wrapper without `exec` died of what was meant for Terraform. As Ctrl-C would: providers leave
      // SIGINT to Terraform, and would die of SIGTERM in the middle of a request
      send(child.pid, 'SIGINT');
    },
    lives: isGroupRunning,
    end: (id) => {
      send(id, 'SIGKILL');
    },
  };
}
