import { readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../core/migration-error';
import { BACKUP_FOLDER, type Plan } from '../plan/plan';
import { isPartOf } from '../files/write-files';

/**
 * Takes away what a killed run of a plan left half-written: beside the files that the plan edits, and among the
 * backups. For who holds the lock of the plan; what cannot be read or taken away stays, and harms nobody.
 * @param folder of the plan
 */
export function removeParts({ steps }: Pick<Plan, 'steps'>, folder: string): void {
  const edited = steps.flatMap(({ edits = [] }) => edits.map(({ file }) => join(folder, file)));
  for (const path of new Set(edited)) {
    const target = attempt(() => realpathSync(path)) ?? path;
    removeIn(dirname(target), basename(target));
  }
  const backups = join(folder, BACKUP_FOLDER);
  for (const place of [backups, join(backups, 'files')]) removeIn(place);
}

/** Other plans of the folder keep their backups there too: what one of them writes right now is younger. */
const ABANDONED = 60_000;

function removeIn(folder: string, target?: string): void {
  const parts = (attempt(() => readdirSync(folder)) ?? []).filter((name) => isPartOf(name, target));
  for (const name of parts)
    attempt(() => {
      const path = join(folder, name);
      const isOwn = target !== undefined || statSync(path).mtimeMs < Date.now() - ABANDONED;
      if (isOwn) rmSync(path);
    });
}
