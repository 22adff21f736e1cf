import * as z from 'zod';
import { parseZoneId } from '../core/identifier';
import { objectOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { type Client } from './client';
import { type Envelope, parseResult } from './envelope';

/** The procedures of service.md, "Eligibility"; 2 is the current one. */
export type Phase = 1 | 2;

/** `migration_state` is `start` before anything happened; its other words are not documented. */
const compatibilitySchema = z
  .object({ compatible: z.boolean(), migration_state: z.string() })
  .transform(({ compatible, migration_state: migrationState }) => ({ compatible, migrationState }));

/** Whether a zone can migrate, as the API answers it. */
export type Compatibility = z.output<typeof compatibilitySchema>;

/** service.md, "Check update compatibility". */
export async function readCompatibility(
  client: Client,
  zoneId: string,
  { phase = 2 }: { readonly phase?: Phase } = {},
): Promise<Compatibility> {
  const envelope = await get(client, zoneId, 'check', queryOf(phase));
  return parseResult(compatibilitySchema, envelope, `zone ${zoneId}`);
}

/**
 * service.md, "Get new WAF configuration": the ruleset that is equivalent to the legacy settings.
 * The answer is left as it came. One without rules is no configuration.
 */
export async function readMigrationConfig(client: Client, zoneId: string): Promise<Envelope> {
  try {
    return await get(client, zoneId, 'config', queryOf(2));
  } catch (error) {
    if (!(error instanceof MigrationError) || error.code !== 'API_REFUSED') throw error;
    // a zone that cannot migrate has none, in whatever words the API says so
    throw error.withHint(`check what blocks the zone:\ncf-waf-migrate check --zone ${zoneId}`);
  }
}

/** Which WAF is on; a field is missing when the answer has no known word for it. */
export interface MigrationStatus {
  readonly oldWaf?: 'on' | 'off';
  readonly newWaf?: 'on' | 'off';
  readonly migrationState?: string;
  /** The payload as it came. */
  readonly raw: unknown;
}

const switchWords: ReadonlyMap<unknown, 'on' | 'off'> = new Map([
  ...['enabled', 'on', 'true', true].map((word) => [word, 'on'] as const),
  ...['disabled', 'off', 'false', false].map((word) => [word, 'off'] as const),
]);

/**
 * service.md, "Get WAF status". The document does not show the fields of this answer; third-party
 * code has seen `{migration_state, new_waf_status, old_waf_status}` with `enabled` and `disabled`.
 * Field names and words of the same meaning count too, and anything else is left out, not refused.
 */
export async function readMigrationStatus(
  client: Client,
  zoneId: string,
): Promise<MigrationStatus> {
  const { result: raw } = await get(client, zoneId, 'status', {});
  const given = objectOf(raw);
  const valuesOf = (names: readonly string[]) => names.map((name) => given[name]);
  const switchOf = (...names: string[]) =>
    valuesOf(names)
      .map((value) => switchWords.get(typeof value === 'string' ? value.toLowerCase() : value))
      .find((word) => word !== undefined);
  const oldWaf = switchOf('old_waf_status', 'old_waf');
  const newWaf = switchOf('new_waf_status', 'new_waf');
  const migrationState = valuesOf(['migration_state', 'state', 'mode']).find(
    (value) => typeof value === 'string',
  );
  return {
    ...(oldWaf !== undefined && { oldWaf }),
    ...(newWaf !== undefined && { newWaf }),
    ...(migrationState !== undefined && { migrationState }),
    raw,
  };
}

function queryOf(phase: Phase): Readonly<Record<string, number>> {
  return phase === 2 ? { phase_two: 1 } : {};
}

function get(
  client: Client,
  zoneId: string,
  what: 'check' | 'config' | 'status',
  query: Readonly<Record<string, number>>,
): Promise<Envelope> {
  const id = parseZoneId(zoneId);
  return client.request('GET', `/zones/${id}/waf_migration/${what}`, {
    query,
    about: `zone ${id}`,
  });
}

/**
 * How far a zone is: `start` nothing happened, `validation` both WAFs run, `moving` the last call
 * has arrived and the API is switching, `moved` it is done.
 */
export type ZonePosition = 'start' | 'validation' | 'moving' | 'moved' | 'unknown';

/**
 * Words of `migration_state`. The document shows `start` alone; `default`, `validation` and
 * `complete` were seen by others, and `pending` is the name of the mode.
 */
const stateWords: ReadonlyMap<string, ZonePosition> = new Map([
  ['start', 'start'],
  ['default', 'start'],
  ['validation', 'validation'],
  ['pending', 'moving'],
  ['complete', 'moved'],
]);

/** How far a zone is by the word alone, as `check` gives it. */
export function positionOfState(migrationState: string | undefined): ZonePosition {
  return stateWords.get(migrationState?.toLowerCase() ?? '') ?? 'unknown';
}

/**
 * How far a zone is by everything that `status` says. What is on counts more than a word: the
 * migration is over when the legacy WAF is off and the new one on (spec: "States and transitions").
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

/** Nothing is sent to a zone that may or may not have migrated. */
export function unknownPosition(zoneId: string): MigrationError {
  return new MigrationError(
    'MIGRATION_BLOCKED',
    `the migration state of zone ${zoneId} is unknown, so nothing was sent`,
    { hint: `check its status:\ncf-waf-migrate status --zone ${zoneId}` },
  );
}
