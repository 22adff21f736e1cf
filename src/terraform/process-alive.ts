import { kill, pid } from 'node:process';

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
