import { types } from 'node:util';
import { causesOf } from '../model/causes-of';
import { MigrationError } from '../model/migration-error';
import { type ZoneEntry } from './ledger-entry';

/** Why a zone failed, as data. A failure that nobody expects is told as the bug that it is. */
export function describeFailure(error: unknown): NonNullable<ZoneEntry['error']> {
  if (error instanceof MigrationError) {
    const { code, message, hint, findings } = error;
    const found = findings.length === 0 ? {} : { findings: [...findings] };
    return { code, message, hint, causes: causesOf(error.cause), ...found };
  }
  const stack = types.isNativeError(error) ? error.stack : undefined;
  return {
    code: 'BUG',
    message: types.isNativeError(error) ? error.message : String(error),
    hint: 'this is a bug of cf-waf-migrate: please report it',
    causes: stack === undefined ? [] : [stack],
  };
}
