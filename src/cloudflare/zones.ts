import * as z from 'zod';
import { isIdentifier, parseId, parseZoneId } from '../core/identifier';
import { mapConcurrently } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { type Client } from './client';
import { readPages } from './collection';
import { isRefusal, unlessRefused } from './refusals';
import { parseResult } from './envelope';
import { CONNECTIONS } from './rate-limiter';

const zoneSchema = z.object({
  id: z.string().refine(isIdentifier),
  /** The domain; untrusted text. */
  name: z.string(),
  /** `free`, `pro`, `business`, `enterprise`, or another plan name of the API. */
  plan: z
    .object({ legacy_id: z.string().nullish(), name: z.string().nullish() })
    .transform(({ legacy_id: id, name }) => id || planOf(name ?? '')),
});

/** A gateway in between could ignore the filter by account. */
const ownedZone = zoneSchema.extend({
  account: z.object({ id: z.string() }).optional().catch(undefined),
});

export type Zone = Readonly<z.output<typeof zoneSchema>>;

export type NamedZone = Pick<Zone, 'id' | 'name'> & Partial<Pick<Zone, 'plan'>>;

/** A zone by its id, and by its name where that is known. */
export type KnownZone = Pick<Zone, 'id'> & Partial<Zone>;

const LEVELS = ['enterprise', 'business', 'pro', 'free'] as const;

/** Plans of partner zones have only a name: "Enterprise Website", "CF Pro 20". */
function planOf(name: string): string {
  const words = name.toLowerCase().split(/[^a-z]+/);
  return LEVELS.find((level) => words.includes(level)) ?? name;
}

/**
 * @throws {MigrationError} `ID_INVALID`; as `Client.request`; `API_RESPONSE_INVALID` when the
 * response is about another zone
 */
export async function readZone(client: Client, zoneId: string): Promise<Zone> {
  const id = parseZoneId(zoneId);
  const about = `zone ${id}`;
  const envelope = await client.request('GET', `/zones/${id}`, { about });
  const zone = parseResult(zoneSchema, envelope, about);
  if (zone.id === id) return zone;
  throw new MigrationError('API_RESPONSE_INVALID', `${about}: the answer is about zone ${zone.id}`);
}

/**
 * A zone, with its id as its name if the API does not show it: the specification of the migration has no such request.
 * @throws {MigrationError} as {@link readZone}, except for refusals that are not about the credentials
 */
export async function readZoneOrId(client: Client, zoneId: string): Promise<NamedZone> {
  const id = parseZoneId(zoneId);
  return readZone(client, id).catch((error: unknown) => {
    if (!isRefusal(error) || error.code === 'API_UNAUTHORIZED') throw error;
    return { id, name: id };
  });
}

/**
 * All zones that the credentials can access, each once, in the order of the API. A zone created between two requests
 * would show another one twice.
 * @throws {MigrationError} `ID_INVALID` for the account; as `Client.request`; `API_RESPONSE_INVALID` for a zone of another
 *   account
 */
export async function listZones(client: Client, accountId?: string): Promise<Zone[]> {
  const account = accountId === undefined ? {} : { 'account.id': parseId(accountId, 'account id') };
  const zones = await readPages(client, {
    path: '/zones',
    query: { per_page: 50, ...account },
    item: ownedZone,
    paging: 'number',
    about: 'the list of zones',
  });
  const owned = zones.map(({ account: owner, ...zone }) => {
    if (accountId === undefined || owner === undefined || owner.id === accountId) return zone;
    const message = `the list of zones: zone ${zone.id} is not of account ${accountId}`;
    throw new MigrationError('API_RESPONSE_INVALID', message);
  });
  return [...new Map(owned.map((zone) => [zone.id, zone])).values()];
}

/** From this number of zones, paged lists need fewer requests than one request per zone. */
const LISTED_FROM = 50;

/**
 * Zones by id, without those that the API refuses to return.
 * @throws {MigrationError} as `Client.request`, except for refusals
 */
export async function readKnownZones(
  client: Client,
  zoneIds: readonly string[],
): Promise<ReadonlyMap<string, Zone>> {
  const zones =
    zoneIds.length < LISTED_FROM
      ? await mapConcurrently(zoneIds, CONNECTIONS, (id) => unlessRefused(readZone(client, id)))
      : await unlessRefused(listZones(client));
  return new Map((zones ?? []).flatMap((zone) => (zone === undefined ? [] : [[zone.id, zone]])));
}
