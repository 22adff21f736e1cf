import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { MANAGED_PHASE } from '../core/ruleset';
import { type Client } from './client';
import { type Envelope } from './envelope';
import { parseObject } from './parse-result';
import { ServiceError } from './service-error';

/** "could not find entrypoint ruleset in the … phase", with HTTP 404 (seen 2026-08). */
const NO_ENTRY_POINT = 10003;

/**
 * The ruleset that runs in the managed phase, as it came.
 *
 * @returns undefined when the zone has none yet. Only the service's own number says so: any other
 * failure must never be taken for an empty ruleset, which would switch the protection off
 */
export async function readEntryPoint(
  client: Client,
  zoneId: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { path, about } = entryPoint(zoneId);
  try {
    return parseObject(await client.request('GET', path, { about }), about);
  } catch (error) {
    if (isMissingEntryPoint(error)) return undefined;
    throw error;
  }
}

/** The migration modes of service.md, "Update zone entry point ruleset". */
export type MigrationMode = 'pending' | 'validation';

/**
 * Replaces the entry point. With `migration: 'pending'` it finishes the migration, which cannot be
 * undone. It is sent once: when no answer comes, it may have arrived.
 *
 * @param ruleset - `{name, rules}`, sent as it is
 * @returns the answer; its shape is not documented
 */
export async function putEntryPoint(
  client: Client,
  zoneId: string,
  ruleset: object,
  { migration }: { readonly migration?: MigrationMode } = {},
): Promise<Envelope> {
  const { path, about } = entryPoint(zoneId);
  const query = migration === undefined ? {} : { waf_migration: migration, phase_two: 1 };
  return client.request('PUT', path, { query, body: ruleset, about });
}

function entryPoint(zoneId: string): { readonly path: string; readonly about: string } {
  const id = parseZoneId(zoneId);
  return { path: `/zones/${id}/rulesets/phases/${MANAGED_PHASE}/entrypoint`, about: `zone ${id}` };
}

function isMissingEntryPoint(error: unknown): boolean {
  return (
    error instanceof MigrationError &&
    error.cause instanceof ServiceError &&
    error.cause.status === 404 &&
    error.cause.hasCode(NO_ENTRY_POINT)
  );
}
