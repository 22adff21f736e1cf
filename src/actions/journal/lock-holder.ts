import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';
import { sha256 } from '../../blocks/decode-config';
import { parseJson } from '../../model/parse-json';
import { tried } from '../../model/tried';
import { isRunning, ownProcess, statOf } from '../../terraform/process-alive';

const holder = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** What Linux alone tells: of the machine, of this start of it, of the container, of the process. */
  machine: z.string().exactOptional(),
  boot: z.string().exactOptional(),
  namespace: z.string().exactOptional(),
  started: z.string().exactOptional(),
});

/** Who has a lock: a process id means nothing on another machine, or in another container. */
export type LockHolder = z.infer<typeof holder>;

/** This process. */
export function ownHolder(): LockHolder {
  const pid = ownProcess();
  const machine = machineOf();
  const boot = tried(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = tried(() => readlinkSync('/proc/self/ns/pid'));
  const started = startOf(pid);
  return {
    pid,
    host: hostname(),
    ...(machine !== undefined && { machine }),
    ...(boot !== undefined && { boot }),
    ...(namespace !== undefined && { namespace }),
    ...(started !== undefined && { started }),
  };
}

/** The text of a lock file; undefined where it does not tell who holds it. */
export function parseHolder(text: string): LockHolder | undefined {
  return holder.safeParse(parseJson(text)).data;
}

/**
 * Whether it is known that a process is gone: it is of this machine, and was killed, or the machine was
 * started again since. What another machine of the same name does, or a container there, is not known.
 */
export function isGone(other: LockHolder, own: LockHolder): boolean {
  if (other.host !== own.host || other.namespace !== own.namespace) return false;
  if (other.boot !== own.boot) return other.machine !== undefined && other.machine === own.machine;
  if (!isRunning(other.pid)) return true;
  // the id was given to another process since
  const started = startOf(other.pid);
  return started !== undefined && other.started !== undefined && started !== other.started;
}

/**
 * The id that a machine keeps when it is started again, hashed: it is not to be told as it is (machine-id(5)). One
 * that is to be made at the next start is none.
 */
function machineOf(): string | undefined {
  const id = tried(() => readFileSync('/etc/machine-id', 'utf8').trim()) ?? '';
  return /^[0-9a-f]{32}$/.test(id) ? sha256(Buffer.from(`cf-waf-migrate ${id}`)) : undefined;
}

/** When a process was started, in ticks since the machine was. */
function startOf(pid: number): string | undefined {
  return statOf(pid)[19];
}
