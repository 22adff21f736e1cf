import { domainToASCII } from 'node:url';
import { type Client } from '../cloudflare/client';
import { listZones } from '../cloudflare/zones';
import { groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { isZone, type ListEntry } from './zone-list';

/**
 * Finds the zones of a list, or of an account. Requests only the list of zones, fifty at a time.
 * @throws MigrationError `ZONES_EMPTY`, `ID_INVALID`, and those of the client
 */
export async function findZones(
  client: Client,
  list: readonly ListEntry[] | undefined,
  accountId: string | undefined,
): Promise<ResolvedZones> {
  const reached = await listZones(client, accountId === undefined ? {} : { accountId });
  if (list !== undefined) return resolveZones(list, reached);
  if (reached.length > 0) return { zones: reached, listed: new Map(), refused: [] };
  throw new MigrationError(
    'ZONES_EMPTY',
    `account ${accountId ?? ''} has no zone that these credentials can access`,
  );
}

/** A zone as the API lists it. */
export interface FleetZone {
  readonly id: string;
  /** Untrusted text. */
  readonly name: string;
  readonly plan?: string;
}

/** An entry of the list that is not a zone of this run, and why. */
export interface RefusedEntry extends Pick<ListEntry, 'text'> {
  /** The line in the list; absent without a list. */
  readonly line?: number;
  readonly error: MigrationError;
}

/** The zones of a run, each once, in the order of the list. */
export interface ResolvedZones {
  readonly zones: readonly FleetZone[];
  /** The entries of each zone, by zone id; empty without a list. */
  readonly listed: ReadonlyMap<string, readonly ListEntry[]>;
  readonly refused: readonly RefusedEntry[];
}

/** Finds the zones of a list among the accessible zones. Pure. */
export function resolveZones(
  entries: readonly ListEntry[],
  reached: readonly FleetZone[],
): ResolvedZones {
  const byId = new Map(reached.map((zone) => [zone.id, zone]));
  const byName = groupBy(reached, ({ name }) => comparableName(name));
  const zones = new Map<string, FleetZone>();
  const listed = new Map<string, ListEntry[]>();
  const refused: RefusedEntry[] = [];
  for (const entry of entries) {
    const zone = byId.get(entry.text.toLowerCase());
    const found = oneOf(entry, zone ? [zone] : (byName.get(comparableName(entry.text)) ?? []));
    if (found instanceof MigrationError) {
      refused.push({ text: entry.text, line: entry.line, error: found });
      continue;
    }
    const before = listed.get(found.id);
    if (before) before.push(entry);
    else listed.set(found.id, [entry]);
    zones.set(found.id, found);
  }
  return { zones: [...zones.values()], listed, refused };
}

function oneOf(
  { text, name, line }: ListEntry,
  found: readonly FleetZone[],
): FleetZone | MigrationError {
  const about = `line ${line}: "${printable(text, 100)}"`;
  const [zone, second] = found;
  if (zone === undefined) {
    const message = `${about} is not found, or not accessible with these credentials`;
    return new MigrationError('ZONE_NOT_REACHED', message);
  }
  if (second !== undefined) {
    const ids = found.map(({ id }) => id).join(', ');
    return new MigrationError('ZONE_AMBIGUOUS', `${about} is the name of several zones: ${ids}`);
  }
  if (name === undefined || !isZone(name) || comparableName(name) === comparableName(zone.name)) {
    return zone;
  }
  const message = `${about} is ${printable(zone.name, 100)}, not "${printable(name, 100)}"`;
  return new MigrationError('ZONE_CONTRADICTED', message);
}

/** Characters that `domainToASCII` would drop or decode as in a URL, so that the text is not a domain. */
const OF_URL = /[\s/\\?#%]/;

/** Normalises a domain, so that its spellings are equal. Other text is only lowercased. */
export function comparableName(name: string): string {
  const lower = name.toLowerCase().replace(/\.$/, '');
  return OF_URL.test(lower) ? lower : domainToASCII(lower) || lower;
}
