import { createHash } from 'node:crypto';
import { existsSync, type FSWatcher, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Something that happened to a state file of a folder. */
interface LocalEvent {
  kind: 'locked' | 'written';
  file: string;
}

/** The watch over the state files of a folder that uses the local backend. */
export interface LocalBackend {
  /** Every event so far; waits a moment for those that the system has not reported yet. */
  log(): Promise<LocalEvent[]>;
  /** Names of the state files and their backups that are new, changed or gone since the start. */
  changed(): string[];
  clearLog(): void;
  stop(): void;
}

const isState = /\.tfstate(\.[^/]*)?$/;
const lockFile = /^\.(.*)\.lock\.info$/;

/**
 * Watches the state files in a folder: "nothing was written" is an empty `changed`, "nothing was
 * locked" a log without a lock. Terraform locks a local state by a file beside it while it works.
 */
export function watchLocalBackend(dir: string): LocalBackend {
  let events: LocalEvent[] = [];
  const before = fingerprints(dir);
  const watcher: FSWatcher = watch(dir, (_event, name) => {
    if (name === null) return;
    const locked = lockFile.exec(name)?.[1];
    if (locked !== undefined) events.push({ kind: 'locked', file: locked });
    else if (isState.test(name)) events.push({ kind: 'written', file: name });
  });
  return {
    log: async () => {
      await pause(50);
      return [...events];
    },
    changed: () => {
      const now = fingerprints(dir);
      const names = new Set([...Object.keys(before), ...Object.keys(now)]);
      return [...names].filter((name) => before[name] !== now[name]).sort();
    },
    clearLog: () => {
      events = [];
    },
    stop: () => {
      watcher.close();
    },
  };
}

function fingerprints(dir: string): Record<string, string> {
  if (!existsSync(dir)) return {};
  const names = readdirSync(dir).filter((name) => isState.test(name) && !lockFile.test(name));
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    ]),
  );
}
