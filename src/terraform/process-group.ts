import { type ChildProcess, spawn } from 'node:child_process';
import * as own from 'node:process';

/** How a platform stops a process together with those that it has started. */
export interface ProcessGroup {
  /** Whether it is started in a group of its own. */
  readonly detached: boolean;
  /** Asks it to stop, and to give back what it has locked. */
  ask(child: Pick<ChildProcess, 'kill'>): void;
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
      end: (id) => {
        start('taskkill', ['/pid', String(id), '/T', '/F']);
      },
    };
  }
  return {
    // Ctrl-C of a terminal goes to a whole group: of two interrupts at once Terraform gives no lock back
    detached: true,
    ask: (child) => {
      child.kill();
    },
    end: (id) => {
      try {
        kill(-id, 'SIGKILL');
      } catch {
        // it has ended by itself
      }
    },
  };
}
