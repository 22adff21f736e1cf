import { type Client } from '../cloudflare/client';
import { isIdentifier, parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { findZones, type ResolvedZones, resolveZones } from '../fleet/resolve-zones';
import { type ListEntry, readZoneList } from '../fleet/zone-list';
import { hasCredentials, withClient } from './client';
import { type CliContext, type CommonOptions } from './context';
import { type FoundZones } from './many-zones';
import { type FleetOptions, type ServiceOptions } from './options';

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

/** The zones that a plan is for: named one by one, or in a file. */
export interface PlanZoneOptions {
  readonly zone?: readonly string[];
  readonly zones?: string;
  /** All of an account, or of a list that must be of it. */
  readonly account?: string;
}

/**
 * The ids of the zones of a plan. Of a file with ids alone nothing is asked of the service; a plan is
 * for all zones of its list or none.
 * @throws MigrationError `USAGE`, `ZONE_ID_INVALID`, `ZONES_FILE_INVALID`, `ZONES_EMPTY`,
 *   `ZONE_NOT_REACHED`, and those of the client
 */
export async function readPlanZones(
  options: PlanZoneOptions & ServiceOptions & CommonOptions,
  context: CliContext,
): Promise<string[]> {
  const { zone = [], zones, account } = options;
  if (zones === undefined && account === undefined) return [...new Set(zone.map(parseZoneId))];
  if (zone.length > 0) {
    throw new MigrationError('USAGE', '--zone is one zone; --zones and --account are many');
  }
  const found = await withListed(options, context, ({ found: listed }) => Promise.resolve(listed), {
    needsClient: false,
  });
  const { refused } = found;
  if (refused.length === 0) return found.zones.map(({ id }) => id);
  throw new MigrationError(
    'ZONE_NOT_REACHED',
    `${refused.length} entries of ${printable(zones ?? '')} cannot be planned`,
    {
      findings: refused.map(({ line, text, error }) => ({
        code: error.code,
        severity: 'blocker',
        subject: `line ${line ?? 0}: ${printable(text, 100)}`,
        message: error.message,
        remedy: error.hint,
      })),
    },
  );
}
