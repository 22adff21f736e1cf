import { readdirSync, readFileSync } from 'node:fs';
import { kill } from 'node:process';
import { tried } from '../model/tried';

/** Whether a process of this host runs, also one of another user. */
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

/** The states of the processes of a group (proc_pid_stat(5)); empty where the platform has no `/proc`. */
function statesIn(group: number): string[] {
  return (tried(() => readdirSync('/proc')) ?? []).flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = tried(() => readFileSync(`/proc/${name}/stat`, 'latin1')) ?? '';
    // the name of the process before it can hold anything
    const [state = '', , of] = stat.split(') ').at(-1)?.split(' ') ?? [];
    return of === String(group) ? [state] : [];
  });
}
