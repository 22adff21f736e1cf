import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { types } from 'node:util';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { tried } from '../../model/tried';
import { makeFolders } from '../make-folders';
import { isGone, type LockHolder, ownHolder, parseHolder } from './lock-holder';

/** The locks of this process. */
const held = new Set<string>();

/** How a lock is held. */
export interface LockOptions {
  /** What is said where another process holds it, or may hold it. */
  readonly refusal?: (holder: string) => MigrationError;
  /** A lock of this host with the id of this process is of the run before, as in a container that is started again. */
  readonly isOfRestarted?: boolean;
}

/**
 * Holds a lock file while something runs: two runs of one plan at once would undo each other. A lock
 * whose process is known to be gone (it was killed, on this machine) is taken over.
 *
 * @throws MigrationError `APPLY_RUNNING`, or what `refusal` makes
 */
export async function withLock<Result>(
  path: string,
  run: () => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  makeFolder(dirname(path));
  acquire(path, options);
  // once for all: a run has many
  if (held.size === 0) process.on('exit', giveBack);
  held.add(path);
  try {
    return await run();
  } finally {
    held.delete(path);
    if (held.size === 0) process.off('exit', giveBack);
    rmSync(path, { force: true });
  }
}

/** A process that is stopped by a signal ends in the middle of what it does, and holds nothing then. */
function giveBack(): void {
  for (const path of held) rmSync(path, { force: true });
}

function makeFolder(path: string): void {
  try {
    makeFolders(path, 0o700);
  } catch (cause) {
    throw new MigrationError('FILE_UNWRITABLE', `cannot make the folder ${printable(path)}`, {
      cause,
    });
  }
}

function acquire(path: string, options: LockOptions): void {
  const own = ownHolder();
  const { refusal = running(path) } = options;
  if (isTaken(path, own)) return;
  requireLeft(path, own, options);
  // of several runs that find the same lock left one has the turn: else one would take the new lock of another
  const turn = `${path}.turn`;
  if (!isTaken(turn, own)) {
    const taking = (): MigrationError => refusal('another run, which takes it over,');
    requireLeft(turn, own, { ...options, refusal: taking });
    rmSync(turn, { force: true });
    if (!isTaken(turn, own)) throw taking();
  }
  try {
    requireLeft(path, own, options);
    rmSync(path, { force: true });
    if (!isTaken(path, own)) throw refusal('another run');
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Whether a lock was free, and is this process's by now. */
function isTaken(path: string, own: LockHolder): boolean {
  try {
    writeNew(path, JSON.stringify(own));
    return true;
  } catch (cause) {
    if (types.isNativeError(cause) && 'code' in cause && cause.code === 'EEXIST') return false;
    throw new MigrationError('FILE_UNWRITABLE', `cannot write the lock ${printable(path)}`, {
      cause,
    });
  }
}

/** Checks that who holds a lock runs no more. */
function requireLeft(path: string, own: LockHolder, options: LockOptions): void {
  const { refusal = running(path), isOfRestarted = false } = options;
  // nothing where it was given back a moment ago
  const holder = parseHolder(tried(() => readFileSync(path, 'utf8')) ?? '');
  if (holder === undefined) throw refusal('an unknown process');
  const isOld =
    isOfRestarted && !held.has(path) && holder.pid === own.pid && holder.host === own.host;
  if (!isOld && !isGone(holder, own)) throw refusal(describeHolder(holder, own, path));
}

/** What a person needs to find out whether the process still runs: where it is to be looked for, and since when. */
function describeHolder(holder: LockHolder, own: LockHolder, path: string): string {
  const { pid, host, namespace } = holder;
  const isBeside = host === own.host && namespace !== own.namespace;
  const since = statSync(path, { throwIfNoEntry: false })?.mtime.toISOString();
  return [
    `process ${pid} of ${printable(host, 80)}`,
    ...(isBeside ? [', in another container,'] : []),
    ...(since === undefined ? [] : [` (since ${since})`]),
  ].join('');
}

/** A lock without a text, as a full disk leaves it, would be nobody's for ever. */
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

const running =
  (path: string) =>
  (holder: string): MigrationError =>
    new MigrationError(
      'APPLY_RUNNING',
      `${holder} carries this plan out, or rolls it back (lock ${printable(path)})`,
      {
        hint: `wait until it has ended; where you know that it runs no more, on whichever machine, delete ${printable(path)}`,
      },
    );
