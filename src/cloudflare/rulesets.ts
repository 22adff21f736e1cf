import * as z from 'zod';
import { parseId, parseZoneId } from '../core/identifier';
import { isJsonObject } from '../core/json';
import { MANAGED_PHASE } from '../core/ruleset';
import { type Client } from './client';
import { readPages } from './collection';
import { type Envelope, parseResult } from './envelope';
import { isForbidden, serviceErrorOf } from './failures';
import { isRefusal } from './refusals';

/** `kind` is `zone`, `managed`, `root`, `custom`, or a value added later. */
const summarySchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  phase: z.string(),
});

/** All rulesets that are visible to the zone, including managed ones, without their rules. */
export function listRulesets(client: Client, zoneId: string) {
  const id = parseZoneId(zoneId);
  return readPages(client, {
    path: `/zones/${id}/rulesets`,
    item: summarySchema,
    paging: 'cursor',
    about: `zone ${id}`,
  });
}

/** A payload that is returned unchanged, with unknown fields. */
const rulesetSchema = z.custom<Readonly<Record<string, unknown>>>(
  isJsonObject,
  'Invalid input: expected an object',
);

export async function readRuleset(client: Client, zoneId: string, rulesetId: string) {
  const zone = parseZoneId(zoneId);
  const id = parseId(rulesetId, 'ruleset id');
  const about = `ruleset ${id} of zone ${zone}`;
  const envelope = await client.request('GET', `/zones/${zone}/rulesets/${id}`, { about });
  return parseResult(rulesetSchema, envelope, about);
}

/** "could not find entrypoint ruleset in the … phase", with HTTP 404 (seen 2026-08). */
const NO_ENTRY_POINT = 10003;

/**
 * The entry point ruleset of the managed phase, unchanged.
 * @returns undefined if the zone has none yet. Only Cloudflare's error number decides this:
 * treating another failure as an empty ruleset would switch the protection off
 */
export async function readEntryPoint(client: Client, zoneId: string) {
  const { path, about } = entryPoint(zoneId);
  try {
    return parseResult(rulesetSchema, await client.request('GET', path, { about }), about);
  } catch (error) {
    if (isNoEntryPoint(error)) return undefined;
    throw error;
  }
}

function isNoEntryPoint(thrown: unknown): boolean {
  const { errors = [] } = serviceErrorOf(thrown) ?? {};
  const isOfZone = isRefusal(thrown) && thrown.code !== 'API_UNAUTHORIZED' && !isForbidden(thrown);
  return isOfZone && errors.some(({ code }) => code === NO_ENTRY_POINT);
}

/**
 * Replaces the entry point, in a mode of the API specification, "Update zone entry point ruleset". `pending`
 * completes the migration, which cannot be undone. The request is never retried, because one
 * without a response may have arrived.
 * @param ruleset - `{name, rules}`, sent unchanged
 * @returns the response; its shape is not documented
 */
export async function putEntryPoint(
  client: Client,
  zoneId: string,
  ruleset: object,
  mode: 'pending' | 'validation',
): Promise<Envelope> {
  const { path, about } = entryPoint(zoneId);
  const query = { waf_migration: mode, phase_two: 1 };
  return client.request('PUT', path, { query, body: ruleset, about });
}

function entryPoint(zoneId: string): { readonly path: string; readonly about: string } {
  const id = parseZoneId(zoneId);
  return { path: `/zones/${id}/rulesets/phases/${MANAGED_PHASE}/entrypoint`, about: `zone ${id}` };
}
