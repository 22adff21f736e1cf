import { type ErrorCode } from '../../core/error-catalogue';
import { MigrationError } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { type Journal, sinceRollback } from './journal';

/** What can stop a run in the middle for good, where to plan again does not help. */
const inTheMiddle: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PLAN_NOT_EMPTY',
  'TERRAFORM_FAILED',
  'CONFIG_CHANGED',
  'CONFIG_EDIT_REFUSED',
  'RULESET_NOT_LIVE',
]);

/** What Terraform says where somebody else does the same meanwhile: to go back would undo their work. */
const meanwhile =
  /Resource already managed by Terraform|Saved plan is stale|No matching objects found/;

/** The error of a run; where something may have been changed, its remedy says how to go back, from any folder. */
export function withWayBack(error: unknown, { entries, path }: Journal): unknown {
  const isBegun = sinceRollback(entries).some(({ event }) => event === 'start');
  if (!isBegun || !(error instanceof MigrationError) || !inTheMiddle.has(error.code)) return error;
  const { message, cause } = error;
  const said = cause instanceof Error ? cause.message : '';
  const back = `cf-waf-migrate rollback ${posixQuote(path)}`;
  return error.withHint(
    meanwhile.test(`${message} ${said}`)
      ? 'somebody else has written the state meanwhile: run the same command again, which finds out what is done, or plan again'
      : `${remedyOf(error)}; or go back: ${back}`,
  );
}

function remedyOf({ code, hint }: MigrationError): string | undefined {
  return code === 'CONFIG_CHANGED'
    ? 'put the file back as it was when the plan was made, and run the same command again'
    : hint;
}
