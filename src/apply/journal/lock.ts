import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import process from 'node:process';
import { types } from 'node:util';
import * as z from 'zod';
import { parseJson } from '../../core/json';
import { attempt, MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { makeFolders } from '../../files/write-files';
import { isRunning } from '../../terraform/stop-process';

const holderSchema = z.object({ pid: z.int().positive(), host: z.string() });

const ownLocks = new Set<string>();

/** What the process with the lock does, for the error. */
interface LockUse {
  readonly code: 'APPLY_RUNNING' | 'FLEET_RUNNING';
  /** Follows the name of the process: `is applying this plan`. */
  readonly doing: string;
}

/** The lock of a plan: only one `apply` or `rollback` at a time. */
export const PLAN_LOCK: LockUse = {
  code: 'APPLY_RUNNING',
  doing: 'is applying this plan or rolling it back',
};

/**
 * Runs something while holding a lock file. Replaces the lock of a process of this host that no longer runs.
 * @throws MigrationError the code of `use`, `FILE_UNWRITABLE`
 */
export async function withLock<Result>(
  path: string,
  use: LockUse,
  run: () => Promise<Result>,
): Promise<Result> {
  acquire(path, use);
  // one listener, because a run can hold many locks
  if (ownLocks.size === 0) process.on('exit', releaseAll);
  ownLocks.add(path);
  try {
    return await run();
  } finally {
    ownLocks.delete(path);
    if (ownLocks.size === 0) process.off('exit', releaseAll);
    rmSync(path, { force: true });
  }
}

function releaseAll(): void {
  for (const path of ownLocks) rmSync(path, { force: true });
}

function acquire(path: string, use: LockUse): void {
  if (create(path)) return;
  requireAbandoned(path, use);
  // one process at a time replaces an abandoned lock: a second one would delete the new lock
  const turn = `${path}.takeover`;
  if (!create(turn)) throw running(turn, use);
  try {
    requireAbandoned(path, use);
    rmSync(path, { force: true });
    if (!create(path)) throw running(path, use);
  } finally {
    rmSync(turn, { force: true });
  }
}

/** @returns false if the file exists */
function create(path: string): boolean {
  try {
    makeFolders(dirname(path), 0o700);
    writeNew(path, JSON.stringify({ pid: process.pid, host: hostname() }));
    return true;
  } catch (cause) {
    if (types.isNativeError(cause) && 'code' in cause && cause.code === 'EEXIST') return false;
    throw new MigrationError('FILE_UNWRITABLE', `cannot write the lock ${printable(path)}`, {
      cause,
    });
  }
}

/**
 * Removes the file if the write fails, so that a full disk leaves no lock without a holder. If the file cannot be opened,
 * it can be the lock of another process.
 */
function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Checks that the process that holds a lock was on this host, and no longer runs. */
function requireAbandoned(path: string, use: LockUse): void {
  const holder = holderSchema.safeParse(
    parseJson(attempt(() => readFileSync(path, 'utf8')) ?? ''),
  ).data;
  if (holder?.host === hostname() && !isRunning(holder.pid)) return;
  throw running(path, use, holder && `process ${holder.pid} on ${printable(holder.host, 80)}`);
}

function running(
  path: string,
  { code, doing }: LockUse,
  holder = 'another process',
): MigrationError {
  return new MigrationError(code, `${holder} ${doing} (lock ${printable(path)})`, {
    hint: `wait until it ends; if it no longer runs, delete ${printable(path)}`,
  });
}
