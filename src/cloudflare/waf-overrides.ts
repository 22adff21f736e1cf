import * as z from 'zod';
import { parseId, parseZoneId } from '../model/identifier';
import { type Client } from './client';
import { readPages } from './pages';
import { parseResult } from './parse-result';

/** What a caller sets of an override (facts: cloudflare.md 2.1). */
export interface WafOverrideFields {
  /** URIs with simple wildcards. */
  readonly urls: readonly string[];
  /** Group id → mode. */
  readonly groups: Readonly<Record<string, string>>;
  /** Rule id → mode. */
  readonly rules: Readonly<Record<string, string>>;
  /** Action of a rule → the action that it gets. */
  readonly rewrite_action: Readonly<Record<string, string>>;
  /** The lower wins. */
  readonly priority: number;
  readonly paused: boolean;
  readonly description: string | null;
}

/** A URI-based override of the previous WAF: a zone that has one cannot migrate. */
export interface WafOverride extends WafOverrideFields {
  readonly id: string;
}

const modes = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});
// Loose: an update sends back what it read, and must not lose a field that is not known here.
const overrideSchema = z.looseObject({
  id: z.string(),
  urls: z.array(z.string()),
  groups: modes,
  rules: modes,
  rewrite_action: modes,
  priority: z.number().default(0),
  paused: z.boolean().default(false),
  description: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
});

/** Every override of a zone. */
export function listWafOverrides(client: Client, zoneId: string): AsyncIterable<WafOverride> {
  return readPages(client, {
    path: collection(zoneId),
    query: { per_page: 100 },
    item: overrideSchema,
    paging: 'number',
    about: `WAF overrides of zone ${zoneId}`,
    prefer: 'key',
  });
}

/** One override. */
export async function readWafOverride(
  client: Client,
  zoneId: string,
  id: string,
): Promise<WafOverride> {
  const { path, about } = one(zoneId, id);
  const envelope = await client.request('GET', path, { about, prefer: 'key' });
  return parseResult(overrideSchema, envelope, about);
}

/** Creates an override; the service gives the id. */
export async function createWafOverride(
  client: Client,
  zoneId: string,
  fields: WafOverrideFields,
): Promise<WafOverride> {
  const about = `WAF overrides of zone ${zoneId}`;
  const asked = { body: fields, about, prefer: 'key' } as const;
  return parseResult(
    overrideSchema,
    await client.request('POST', collection(zoneId), asked),
    about,
  );
}

/** Replaces an override as a whole. */
export async function updateWafOverride(
  client: Client,
  zoneId: string,
  override: WafOverride,
): Promise<WafOverride> {
  const { path, about } = one(zoneId, override.id);
  const envelope = await client.request('PUT', path, { body: override, about, prefer: 'key' });
  return parseResult(overrideSchema, envelope, about);
}

/** service.md, "Delete a WAF override". */
export async function deleteWafOverride(client: Client, zoneId: string, id: string): Promise<void> {
  const { path, about } = one(zoneId, id);
  await client.request('DELETE', path, { about, prefer: 'key' });
}

function collection(zoneId: string): string {
  return `/zones/${parseZoneId(zoneId)}/firewall/waf/overrides`;
}

function one(zoneId: string, overrideId: string): { path: string; about: string } {
  const id = parseId(overrideId, 'override id');
  return { path: `${collection(zoneId)}/${id}`, about: `WAF override ${id} of zone ${zoneId}` };
}
