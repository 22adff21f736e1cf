import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { parseJsonLine } from '../../model/parse-json-line';
import { isRunning, ownProcess, statOf } from '../../terraform/process-alive';

const holder = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** What Linux alone tells: of this start of the machine, of the container, of the process. */
  boot: z.string().exactOptional(),
  namespace: z.string().exactOptional(),
  started: z.string().exactOptional(),
});

/** Who has a lock: a process id means nothing on another machine, or in another container. */
export type LockHolder = z.infer<typeof holder>;

/** This process. */
export function ownHolder(): LockHolder {
  const pid = ownProcess();
  const boot = tried(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = tried(() => readlinkSync('/proc/self/ns/pid'));
  const started = startOf(pid);
  return {
    pid,
    host: hostname(),
    ...(boot !== undefined && { boot }),
    ...(namespace !== undefined && { namespace }),
    ...(started !== undefined && { started }),
  };
}

/** The text of a lock file; undefined where it does not tell who holds it. */
export function parseHolder(text: string): LockHolder | undefined {
  return holder.safeParse(parseJsonLine(text)).data;
}

/**
 * Whether it is known that a process is gone: it is of this machine, and was killed, or the machine was
 * started again since. What a container of the same name on another machine does is not known.
 */
export function isGone(other: LockHolder, own: LockHolder): boolean {
  if (other.host !== own.host || other.namespace !== own.namespace) return false;
  if (other.boot !== own.boot || !isRunning(other.pid)) return true;
  // the id was given to another process since
  const started = startOf(other.pid);
  return started !== undefined && other.started !== undefined && started !== other.started;
}

/** When a process was started, in ticks since the machine was. */
function startOf(pid: number): string | undefined {
  return statOf(pid)[19];
}

function tried(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
