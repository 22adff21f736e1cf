import { dirname, resolve } from 'node:path';
import { type Client } from '../cloudflare/client';
import { type KnownZone, listZones, type Zone } from '../cloudflare/zones';
import { isIdentifier, isZone } from '../core/identifier';
import { groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import {
  comparableName,
  type ResolvedZones,
  resolveZones,
  zoneFinder,
} from '../fleet/resolve-zones';
import { withClient } from './client';
import { type CliContext } from './context';
import { isList, type ServiceOptions, type ZoneOptions, type ZonesOptions } from './options';

/** Before a command that generates a stack outside of the folders that are known. */
export const STATUS_THERE =
  'If a Terraform folder has legacy resources of the zone, run `status` there instead.';

/** The zones of `--zone`, each once, in its first spelling: ids in lower case, and names. */
export function givenZones({ zone = [] }: ZoneOptions): string[] {
  const spellings = groupBy(zone.map(parseZone), comparableName);
  return [...spellings.values()].map(([first]) => first);
}

export const isMany = (options: ZonesOptions): boolean =>
  isList(options) || givenZones(options).length > 1;

/** The one zone of the command line as the user wrote it; its id if it was found otherwise. */
export function spelt(options: ZoneOptions, id: string): string {
  const [zone = id] = givenZones(options);
  return zone;
}

function parseZone(text: string): string {
  const id = text.toLowerCase();
  if (isIdentifier(id)) return id;
  if (isZone(text)) return text;
  const message = `zone "${printable(text, 80)}" is neither an id of 32 hexadecimal digits nor a domain name`;
  throw new MigrationError('ID_INVALID', message, {
    hint: 'pass its domain name, or its id from the overview page of the zone',
  });
}

export async function withZoneClient<Result>(
  options: ServiceOptions & ZoneOptions,
  context: CliContext,
  use: (client: Client, zoneId: string) => Promise<Result>,
): Promise<Result> {
  const zone = requireZone(options);
  return withClient(options, context, async (client) => {
    const [known = { id: zone }] = await knownZones([zone], client);
    return use(client, known.id);
  });
}

export function requireZone(options: ZoneOptions): string {
  const [zone, ...others] = givenZones(options);
  if (zone === undefined) {
    throw new MigrationError('USAGE', 'pass the zone: --zone <id or name>');
  }
  if (others.length === 0) return zone;
  throw new MigrationError('USAGE', 'this command runs for one zone at a time');
}

/** The zones given by id or name. Without a name it needs no credentials. */
export async function readZones(
  given: readonly string[],
  options: ServiceOptions,
  context: CliContext,
): Promise<readonly KnownZone[]> {
  if (given.every(isIdentifier)) return knownZones(given, undefined);
  return withClient(options, context, (client) => knownZones(given, client));
}

/** @param client undefined only if all zones are given by id */
export async function knownZones(
  given: readonly string[],
  client: Client | undefined,
): Promise<readonly KnownZone[]> {
  if (client === undefined || given.every(isIdentifier)) return given.map((id) => ({ id }));
  return findGivenZones(client, given);
}

async function findGivenZones(client: Client, given: readonly string[]): Promise<Zone[]> {
  const find = zoneFinder(await listZones(client));
  const zones = given.map((text) => {
    const found = find(text);
    if (found instanceof MigrationError) throw found;
    return found;
  });
  return [...new Set(zones)];
}

/** The folder that the column `dir` of a list is relative to. */
export function listFolder({ zones = '-' }: ZonesOptions, cwd: string): string {
  return zones === '-' ? cwd : dirname(resolve(cwd, zones));
}

export async function withListedZones<Result>(
  options: ZonesOptions,
  context: CliContext,
  use: (found: ResolvedZones, client: Client) => Promise<Result>,
): Promise<Result> {
  // only a list of zones needs the CSV parser
  const { readZoneList } = await import('../fleet/zone-list');
  const list = options.zones === undefined ? undefined : await readZoneList(options.zones, context);
  const given = givenZones(options);
  return withClient(options, context, async (client) => {
    if (given.length > 0) {
      return use({ zones: await findGivenZones(client, given), refused: [] }, client);
    }
    const { account } = options;
    const reached = await listZones(client, account);
    if (list !== undefined) return use(resolveZones(list, reached), client);
    if (reached.length > 0) return use({ zones: reached, refused: [] }, client);
    const message = `account ${account ?? ''} has no zone that these credentials can access`;
    throw new MigrationError('ZONES_EMPTY', message);
  });
}
