import * as z from 'zod';
import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { type Client } from './client';
import { type Envelope, parseResult } from './envelope';

/** The procedures of service.md, "Eligibility"; 2 is the current one. */
export type Phase = 1 | 2;

/** May a zone migrate, as the service sees it. */
export interface Compatibility {
  readonly compatible: boolean;
  /** `start` before anything happened; the other words are not documented. */
  readonly migrationState: string;
}

const compatibilitySchema = z
  .object({ compatible: z.boolean(), migration_state: z.string() })
  .transform((result) => ({
    compatible: result.compatible,
    migrationState: result.migration_state,
  }));

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
 * service.md, "Get new WAF configuration": the ruleset that stands for the old settings. The answer
 * is left as it came; who reads it must not take one without rules for a configuration.
 */
export async function readMigrationConfig(client: Client, zoneId: string): Promise<Envelope> {
  try {
    return await get(client, zoneId, 'config', queryOf(2));
  } catch (error) {
    if (!(error instanceof MigrationError) || error.code !== 'API_REFUSED') throw error;
    // a zone that may not migrate has none, whichever words say so
    throw error.withHint(
      `see whether the zone may migrate, and what keeps it from that: cf-waf-migrate check --zone ${zoneId}`,
    );
  }
}

/** Which WAF is on; a field is missing when the answer does not say it in a way that is known. */
export interface MigrationStatus {
  readonly oldWaf?: 'on' | 'off';
  readonly newWaf?: 'on' | 'off';
  readonly migrationState?: string;
  /** The payload as it came. */
  readonly raw: unknown;
}

/**
 * The document does not show the fields of this answer; third-party code has seen
 * `{migration_state, new_waf_status, old_waf_status}` with `enabled` and `disabled`. So the field
 * names and words that mean the same are taken too, and anything else is left out, not refused.
 */
const words: ReadonlyMap<string, 'on' | 'off'> = new Map([
  ['enabled', 'on'],
  ['on', 'on'],
  ['true', 'on'],
  ['disabled', 'off'],
  ['off', 'off'],
  ['false', 'off'],
]);
const switchSchema = z
  .union([z.string(), z.boolean()])
  .transform((value) => words.get(String(value).toLowerCase()))
  .optional()
  .catch(undefined);
const textSchema = z.string().optional().catch(undefined);
const statusSchema = z
  .object({
    old_waf_status: switchSchema,
    old_waf: switchSchema,
    new_waf_status: switchSchema,
    new_waf: switchSchema,
    migration_state: textSchema,
    state: textSchema,
    mode: textSchema,
  })
  .partial()
  .catch({});

/** service.md, "Get WAF status". */
export async function readMigrationStatus(
  client: Client,
  zoneId: string,
): Promise<MigrationStatus> {
  const { result: raw } = await get(client, zoneId, 'status', {});
  const found = statusSchema.parse(raw);
  const oldWaf = found.old_waf_status ?? found.old_waf;
  const newWaf = found.new_waf_status ?? found.new_waf;
  const migrationState = found.migration_state ?? found.state ?? found.mode;
  return {
    ...(oldWaf === undefined ? {} : { oldWaf }),
    ...(newWaf === undefined ? {} : { newWaf }),
    ...(migrationState === undefined ? {} : { migrationState }),
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
 * has arrived and the service is switching, `moved` it is done.
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
