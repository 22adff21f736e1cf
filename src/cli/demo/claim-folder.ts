import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { tried } from '../../model/tried';
import { isPlanText } from '../../plan/formats/registry';

/** The file by which the folder of an earlier demo is known again. */
export const PLAN_FILE = 'plan.sh';

/**
 * Makes sure that a demo overwrites nothing but an earlier demo.
 * @throws MigrationError `FILE_EXISTS`
 */
export function claimFolder(folder: string): void {
  // not there yet, or no folder: writing says it
  const names = tried(() => readdirSync(folder)) ?? [];
  const plan = tried(() => readFileSync(join(folder, PLAN_FILE), 'utf8')) ?? '';
  if (names.length === 0 || isPlanText(plan)) return;
  throw new MigrationError(
    'FILE_EXISTS',
    `${printable(folder)} holds files that are not from a demo`,
    { hint: 'pass another --out' },
  );
}
