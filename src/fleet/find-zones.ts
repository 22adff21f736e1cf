import { type Client } from '../cloudflare/client';
import { listZones } from '../cloudflare/zones';
import { parseId } from '../model/identifier';
import { MigrationError } from '../model/migration-error';
import { type ListEntry } from './zone-list';
import { type FleetZone, type ResolvedZones, resolveZones } from './resolve-zones';

/**
 * The zones of a run: those of a list, those of an account, or those of a list that must be of an
 * account. The service is asked for its list alone, fifty zones a request, and for no single zone.
 * @throws MigrationError `ZONES_EMPTY`, `ID_INVALID`, and those of the client
 */
export async function findZones(
  client: Client,
  list: readonly ListEntry[] | undefined,
  accountId: string | undefined,
): Promise<ResolvedZones> {
  const account = accountId === undefined ? {} : { accountId: parseId(accountId, 'account id') };
  // without the account's filter: a zone of another account is to be told from one that is not there
  const filter = list === undefined ? account : {};
  const reached: FleetZone[] = [];
  for await (const zone of listZones(client, filter)) reached.push(zone);
  if (list !== undefined) return resolveZones(list, reached, accountId);
  if (reached.length > 0) return { zones: reached, listed: new Map(), refused: [], findings: [] };
  throw new MigrationError(
    'ZONES_EMPTY',
    `account ${accountId ?? ''} has no zone that the credentials reach`,
  );
}
