import { type ErrorCode } from '../../model/error-catalogue';
import { MigrationError } from '../../model/migration-error';
import { type Journal } from './journal';
import { journalPath } from './journal-path';
import { sinceRollback } from './since-rollback';

/** What can stop a run in the middle for good, where to plan again does not help. */
const inTheMiddle: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PLAN_NOT_EMPTY',
  'TERRAFORM_FAILED',
  'CONFIG_CHANGED',
  'CONFIG_EDIT_REFUSED',
  'RULESET_NOT_LIVE',
]);

/** The error of a run; where something may have been changed, its remedy says how to go back. */
export function withWayBack(error: unknown, { entries }: Journal, digest: string): unknown {
  const isBegun = sinceRollback(entries).some(({ event }) => event === 'start');
  if (!isBegun || !(error instanceof MigrationError) || !inTheMiddle.has(error.code)) return error;
  const { code, message, cause, findings } = error;
  const remedy =
    code === 'CONFIG_CHANGED'
      ? 'put the file back as it was when the plan was made, and run the same command again'
      : error.hint;
  const hint = `${remedy}; or go back: cf-waf-migrate rollback ${journalPath(digest)}`;
  return new MigrationError(code, message, { cause, findings, hint });
}
