import { type MigrationStatus } from './waf-migration';
import { MigrationError } from '../core/migration-error';

/**
 * How far a zone is: `start` nothing happened, `validation` both WAFs run, `moving` the last call
 * has arrived and the service is switching, `moved` it is done.
 */
export type ZonePosition = 'start' | 'validation' | 'moving' | 'moved' | 'unknown';

/**
 * Words of `migration_state`. The document shows `start` alone; `default`, `validation` and
 * `complete` were seen by others, and `pending` is the name of the mode.
 */
const words: ReadonlyMap<string, ZonePosition> = new Map([
  ['start', 'start'],
  ['default', 'start'],
  ['validation', 'validation'],
  ['pending', 'moving'],
  ['complete', 'moved'],
]);

/** How far a zone is by the word alone, as `check` gives it. */
export function positionOfState(migrationState: string | undefined): ZonePosition {
  return words.get(migrationState?.toLowerCase() ?? '') ?? 'unknown';
}

/**
 * How far a zone is by everything that `status` says. What is on counts more than a word: the
 * migration is over when the old WAF is off and the new one on (spec: "States and transitions").
 */
export function positionOf({ oldWaf, newWaf, migrationState }: MigrationStatus): ZonePosition {
  const byState = positionOfState(migrationState);
  const switched = oldWaf === 'off' && newWaf === 'on';
  if (byState === 'moving' || byState === 'unknown') return switched ? 'moved' : byState;
  return byState === 'moved' && oldWaf === 'on' ? 'moving' : byState;
}

/**
 * Whether both WAFs run, by either of the two answers: whether `check` has a word for the mode is
 * not documented, and neither is that `status` always has one.
 */
export function isValidating(status: MigrationStatus, migrationState: string | undefined): boolean {
  return [positionOf(status), positionOfState(migrationState)].includes('validation');
}

/** Where a zone is that may have moved or not, no migration call is sent. */
export function unknownPosition(zoneId: string): MigrationError {
  return new MigrationError(
    'MIGRATION_BLOCKED',
    `zone ${zoneId} is in a state that is not known: nothing was sent`,
    { hint: `look at it: cf-waf-migrate status --zone ${zoneId}` },
  );
}
