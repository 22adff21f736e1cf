import { existsSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { BACKUP_FOLDER } from '../../plan/backup-file';
import { type ApplyRequest } from '../apply/apply-request';
import { type JournalEntry } from '../journal/journal';
import { noTemporaryFolder } from '../../terraform/temporary-folder';
import { localStates, stateFile } from '../local-states';
import { type LiveState } from './live-state';

type Request = Pick<ApplyRequest, 'plan' | 'folder' | 'terraform'>;

/** A folder and what will be written below it. */
interface Need {
  readonly folder: string;
  readonly bytes: number;
}

/** What a disk has, and which one it is: folders of one disk share what is free. */
export interface Disk {
  readonly id: number;
  readonly free: number;
}

/** What a disk takes for a file or a folder, however little is in it. */
const BLOCK = 4 * 1024;
/** Bytes that a ruleset takes in a state for each of its declaration: provider 3 writes every attribute (measured: 6). */
const GROWTH = 8;
/** Journal, lock, list for git, the two folders of backups, and the lock files and answers of Terraform. */
const SMALL_FILES = 8 * BLOCK;

/**
 * Checks that the disks have room for what this run is going to write: backups of states and files, the
 * copies that Terraform makes of a local state, and the plans that it saves below the temporary folder.
 * Terraform cuts a local state that the disk does not take whole, and reads it no more (measured with 1.11).
 *
 * @param live the states of the plan as they are
 * @throws MigrationError `DISK_FULL`
 */
export async function requireSpace(
  request: Request,
  live: ReadonlyMap<string, LiveState>,
  entries: readonly JournalEntry[],
  diskOf: (folder: string) => Disk = readDisk,
): Promise<void> {
  const disks = new Map<number, { disk: Disk; bytes: number; folder: string }>();
  for (const need of await needsOf(request, live, entries)) {
    const disk = diskOf(need.folder);
    const known = disks.get(disk.id) ?? { disk, bytes: 0, folder: need.folder };
    disks.set(disk.id, { ...known, bytes: known.bytes + need.bytes });
  }
  for (const { disk, bytes, folder: place } of disks.values()) {
    if (disk.free >= bytes) continue;
    throw new MigrationError(
      'DISK_FULL',
      `the disk of ${printable(place)} has ${kibibytes(disk.free)} left, and ${kibibytes(bytes)} are needed`,
    );
  }
}

async function needsOf(
  { plan, folder, terraform }: Request,
  live: ReadonlyMap<string, LiveState>,
  entries: readonly JournalEntry[],
): Promise<Need[]> {
  const own = join(folder, BACKUP_FOLDER);
  const backups = existsSync(own) ? own : folder;
  const copyOfPlan = onDisk(Buffer.byteLength(JSON.stringify(plan, null, 2)));
  const needs: Need[] = [{ folder: backups, bytes: SMALL_FILES + copyOfPlan }];
  for (const { name, dir, workspace } of plan.states) {
    const bytes = live.get(name)?.bytes.length ?? 0;
    const size = onDisk(bytes);
    const steps = plan.steps.filter(({ state }) => state === name);
    const copies = entries.some((one) => one.event === 'backup' && one.state === name) ? 0 : 1;
    const place = join(folder, dir);
    const removals = steps.flatMap(({ kind, runs = [] }) => (kind === 'remove' ? runs : []));
    const local = await localStateFolder(place, workspace, terraform);
    const edits = steps.flatMap((step) => step.edits ?? []);
    const saved = sum(edits.map(({ file }) => onDisk(sizeOf(join(folder, file)))));
    const inserted = sum(edits.map(({ insert = '' }) => Buffer.byteLength(insert)));
    const grown = onDisk(bytes + GROWTH * inserted);
    needs.push(
      { folder: backups, bytes: copies * size + saved },
      { folder: tmpdir(), bytes: size },
      ...(local === undefined
        ? []
        : [
            // written beside the old one, which stays as `.backup`
            { folder: local, bytes: 2 * grown },
            // each removal leaves a backup of its own, wherever the backend has the state (measured)
            { folder: place, bytes: removals.length * grown },
          ]),
      ...edits.map(({ file, insert = '' }) => {
        const path = join(folder, file);
        return {
          folder: existsSync(dirname(path)) ? dirname(path) : folder,
          bytes: onDisk(sizeOf(path) + Buffer.byteLength(insert)),
        };
      }),
    );
  }
  return needs;
}

/** Where a local backend has its state; undefined where the backend is another one, or has no state yet. */
async function localStateFolder(
  dir: string,
  workspace: string,
  { environment }: Request['terraform'],
): Promise<string | undefined> {
  const states = await localStates(dir, environment['TF_DATA_DIR']);
  if (states === undefined) return undefined;
  const file = stateFile(dir, workspace, states);
  return existsSync(file) ? dirname(file) : undefined;
}

/** Whole blocks. */
function onDisk(bytes: number): number {
  return Math.ceil(bytes / BLOCK) * BLOCK;
}

function readDisk(folder: string): Disk {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    // some file systems do not say how large they are
    const free = blocks === 0 ? Infinity : bavail * bsize;
    return { id: statSync(folder).dev, free };
  } catch (cause) {
    throw folder === tmpdir() ? noTemporaryFolder(cause) : cause;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function kibibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
