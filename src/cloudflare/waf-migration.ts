import * as z from 'zod';
import { parseZoneId } from '../core/identifier';
import { MigrationError, orFailure } from '../core/migration-error';
import { type Client } from './client';
import { type Envelope, parseResult } from './envelope';

/** The procedures of the API specification, "Eligibility"; 2 is the current one. */
export type Phase = 1 | 2;

/** `migration_state` is `start` before a migration; its other values are not documented. */
const compatibilitySchema = z
  .object({ compatible: z.boolean(), migration_state: z.string() })
  .transform(({ compatible, migration_state: migrationState }) => ({ compatible, migrationState }));

export type Compatibility = z.output<typeof compatibilitySchema>;

/** API specification, "Check update compatibility". */
export async function readCompatibility(
  client: Client,
  zoneId: string,
  phase: Phase = 2,
): Promise<Compatibility> {
  const envelope = await get(client, zoneId, 'check', phase);
  return parseResult(compatibilitySchema, envelope, `zone ${zoneId}`);
}

/**
 * API specification, "Get new WAF configuration": the ruleset that is equivalent to the legacy settings.
 * Returned unchanged. A response without rules is not a configuration.
 */
export async function readMigrationConfig(client: Client, zoneId: string): Promise<Envelope> {
  try {
    return await get(client, zoneId, 'config', 2);
  } catch (error) {
    if (!(error instanceof MigrationError) || error.code !== 'API_REFUSED') throw error;
    // a zone that cannot migrate has none; the error text varies
    throw error.withHint(
      `check whether the zone can migrate:\ncf-waf-migrate check --zone ${zoneId}`,
    );
  }
}

const switchSchema = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['enabled', 'disabled']))
  .transform((word) => (word === 'enabled' ? ('on' as const) : ('off' as const)))
  .optional()
  .catch(undefined);
const statusSchema = z
  .object({
    old_waf_status: switchSchema,
    new_waf_status: switchSchema,
    migration_state: z
      .union([z.string(), z.number().transform(String)])
      .optional()
      .catch(undefined),
  })
  .catch({})
  .transform((status) => ({
    oldWaf: status.old_waf_status,
    newWaf: status.new_waf_status,
    migrationState: status.migration_state,
  }));

/** Which WAF is on; a field is undefined if its value is unknown. */
export type MigrationStatus = Partial<z.output<typeof statusSchema>>;

/**
 * API specification, "Get WAF status". The document does not show the fields of this response; third-party
 * code has seen `{migration_state, new_waf_status, old_waf_status}` with `enabled` and `disabled`. Without a state, that
 * of `check` counts, which is documented.
 */
export async function readMigrationStatus(
  client: Client,
  zoneId: string,
): Promise<MigrationStatus> {
  const { result } = await get(client, zoneId, 'status');
  const status = statusSchema.parse(result);
  // with the new WAF on, `check` may not yet know that the migration has begun
  if (status.migrationState !== undefined || status.newWaf === 'on') return status;
  const compatibility = await orFailure(readCompatibility(client, zoneId));
  if (compatibility instanceof MigrationError) return status;
  return { ...status, migrationState: compatibility.migrationState };
}

function get(
  client: Client,
  zoneId: string,
  what: 'check' | 'config' | 'status',
  phase: Phase = 1,
): Promise<Envelope> {
  const id = parseZoneId(zoneId);
  const query = phase === 2 ? { phase_two: 1 } : {};
  return client.request('GET', `/zones/${id}/waf_migration/${what}`, {
    query,
    about: `zone ${id}`,
  });
}

/**
 * The migration progress of a zone: `start` not started, `validation` both WAFs run, `moving` the
 * API has accepted the last call and is switching, `moved` done.
 */
export type ZonePosition = 'start' | 'validation' | 'moving' | 'moved' | 'unknown';

/**
 * Values of `migration_state`. The document shows only `start`; `default`, `validation` and
 * `complete` were seen in third-party code, and `pending`, `1` and `2` are names of the modes.
 */
const stateWords: ReadonlyMap<string, ZonePosition> = new Map([
  ['start', 'start'],
  ['default', 'start'],
  ['validation', 'validation'],
  ['2', 'validation'],
  ['pending', 'moving'],
  ['1', 'moving'],
  ['complete', 'moved'],
]);

/** The progress by the state alone. */
export function positionOfState(migrationState: string | undefined): ZonePosition {
  return stateWords.get(migrationState?.toLowerCase() ?? '') ?? 'unknown';
}

/**
 * The progress of a zone from all fields of `status`. The WAF switches count more than the state: with only the new WAF
 * on, the migration is done (spec: "States and transitions"), or the zone never had the legacy WAF.
 */
export function positionOf({ oldWaf, newWaf, migrationState }: MigrationStatus): ZonePosition {
  const byState = positionOfState(migrationState);
  if (oldWaf === 'off' && newWaf === 'on') return byState === 'validation' ? byState : 'moved';
  return byState === 'moved' && oldWaf === 'on' ? 'moving' : byState;
}

/** Whether `finish` is still to come: the legacy WAF runs, with or without the new one. */
export const awaitsFinish = (status: MigrationStatus): boolean =>
  ['start', 'validation'].includes(positionOf(status));

/**
 * Whether both WAFs run, by either response. It is not documented whether `check` has a value for
 * this mode, or whether `status` always has one.
 */
export function isValidating(status: MigrationStatus, migrationState: string | undefined): boolean {
  return [positionOf(status), positionOfState(migrationState)].includes('validation');
}

/** The error for an unknown state: send nothing to a zone that may already have migrated. */
export function unknownPosition(zoneId: string): MigrationError {
  return new MigrationError(
    'MIGRATION_BLOCKED',
    `the migration state of zone ${zoneId} is unknown, so nothing was sent`,
    { hint: `check its status:\ncf-waf-migrate status --zone ${zoneId}` },
  );
}
