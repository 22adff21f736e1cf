import { readdirSync, readFileSync } from 'node:fs';
import { kill, pid } from 'node:process';
import { tried } from '../model/tried';

/** The id of this process, for the lock that names it. */
export function ownProcess(): number {
  return pid;
}

/** Whether a process of this machine runs, somebody else's included. */
export function isRunning(id: number): boolean {
  try {
    return kill(id, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether in a group of processes one still runs. Those that have ended are none: in a container often nobody
 * buries what lost its parent, and it is listed for ever.
 * @param id of the process that the group began with, which itself may have gone
 */
export function isGroupRunning(id: number): boolean {
  try {
    kill(-id, 0);
  } catch {
    return false;
  }
  const states = statesIn(id);
  return states.length === 0 || states.some((state) => !/[ZX]/.test(state));
}

/** The states of the processes of a group; empty where the platform has no `/proc`. */
function statesIn(group: number): string[] {
  return (tried(() => readdirSync('/proc')) ?? []).flatMap((name) => {
    const [state = '', , of] = /^\d+$/.test(name) ? statOf(name) : [];
    return of === String(group) ? [state] : [];
  });
}

/**
 * What the system says of a process (proc_pid_stat(5)), from its state on: behind its name, which may hold
 * anything. Empty where there is none.
 */
export function statOf(id: number | string): string[] {
  const stat = tried(() => readFileSync(`/proc/${id}/stat`, 'latin1'));
  return stat?.split(') ').at(-1)?.split(' ') ?? [];
}
