import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { isPlanText } from '../../plan/formats/registry';

/** The file by which the folder of an earlier demo is known again. */
export const PLAN_FILE = 'plan.sh';

/**
 * Makes sure that a demo overwrites nothing but an earlier demo.
 * @throws MigrationError `FILE_EXISTS`
 */
export function claimFolder(folder: string): void {
  if (namesIn(folder).length === 0 || isPlanText(textOf(join(folder, PLAN_FILE)))) return;
  throw new MigrationError(
    'FILE_EXISTS',
    `${printable(folder)} holds files that are not from a demo`,
    { hint: 'pass another --out' },
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // not there yet, or no folder: writing says it
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
