import { type Client } from '../../cloudflare/client';
import { findZones, type ResolvedZones, resolveZones } from '../../fleet/resolve-zones';
import { type ListEntry, readZoneList } from '../../fleet/zone-list';
import { isIdentifier } from '../../core/identifier';
import { MigrationError } from '../../core/migration-error';
import { type CommonOptions } from '../command';
import { type CliContext } from '../context';
import { hasCredentials, type ServiceOptions, withClient } from '../service-options';
import { type FleetOptions } from './fleet-options';
import { type FoundZones } from './run-groups';

type Use<Result> = (run: FoundZones) => Promise<Result>;

/**
 * Finds the zones of a list or an account for what needs the service only now and then: of a list
 * of ids nothing is asked, and no credentials are needed; names beside them are then taken as they are.
 * @param how `needsClient`: use it for more than the list, where there are credentials
 * @throws MigrationError `ZONES_FILE_INVALID`, `ZONES_EMPTY`, and those of the client
 */
export async function withListed<Result>(
  options: FleetOptions & ServiceOptions & CommonOptions,
  context: CliContext,
  use: Use<Result>,
  { needsClient = true } = {},
): Promise<Result> {
  const list = options.zones === undefined ? undefined : await readZoneList(options.zones, context);
  const isOffline = list !== undefined && options.account === undefined && ofIds(list);
  if (isOffline && !(needsClient && hasCredentials(options, context))) {
    return use({ found: await find(list, options.account, undefined), client: undefined });
  }
  // where there is somebody to ask, names that stand beside ids are held against the service's
  const needsList = !isOffline || list.some(({ name }) => name !== undefined);
  return withClient(options, context, async (client) =>
    use({ found: await find(list, options.account, needsList ? client : undefined), client }),
  );
}

async function find(
  list: readonly ListEntry[] | undefined,
  account: string | undefined,
  client: Client | undefined,
): Promise<ResolvedZones> {
  if (client !== undefined) return findZones(client, list, account);
  if (list === undefined) throw new MigrationError('USAGE', 'pass --zones or --account');
  // nobody was asked for their names: what the list says of a zone on any line stands for them, else the ids
  const named = list.map(({ text, name }) => ({ id: text.toLowerCase(), name }));
  const names = new Map(
    named.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])),
  );
  return resolveZones(
    list,
    named.map(({ id }) => ({ id, name: names.get(id) ?? id })),
  );
}

function ofIds(list: readonly ListEntry[]): boolean {
  return list.every(({ text }) => isIdentifier(text.toLowerCase()));
}
