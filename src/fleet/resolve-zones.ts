import { domainToASCII } from 'node:url';
import { type Client } from '../cloudflare/client';
import { listAllZones } from '../cloudflare/zones';
import { parseId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { isZone, type ListEntry } from './zone-list';

/**
 * Finds the zones of a list, of an account, or of a list within an account. Requests only the list of zones, fifty
 * at a time.
 * @throws MigrationError `ZONES_EMPTY`, `ID_INVALID`, and those of the client
 */
export async function findZones(
  client: Client,
  list: readonly ListEntry[] | undefined,
  accountId: string | undefined,
): Promise<ResolvedZones> {
  const account = accountId === undefined ? {} : { accountId: parseId(accountId, 'account id') };
  // no account filter, because a zone of another account has a different error than an unknown zone
  const filter = list === undefined ? account : {};
  const reached = await listAllZones(client, filter);
  if (list !== undefined) return resolveZones(list, reached, accountId);
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
  readonly accountId?: string;
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

/**
 * Finds the zones of a list among the accessible zones. Pure.
 * @param accountId of `--account`; each zone of another account is refused
 */
export function resolveZones(
  entries: readonly ListEntry[],
  reached: readonly FleetZone[],
  accountId?: string,
): ResolvedZones {
  const byId = new Map(reached.map((zone) => [zone.id, zone]));
  const byName = groupByName(reached);
  const zones = new Map<string, FleetZone>();
  const listed = new Map<string, ListEntry[]>();
  const refused: RefusedEntry[] = [];
  for (const entry of entries) {
    const zone = byId.get(entry.text.toLowerCase());
    const named = zone ? [zone] : (byName.get(comparableName(entry.text)) ?? []);
    const found = oneOf(entry, named, accountId);
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
  accountId: string | undefined,
): FleetZone | MigrationError {
  const about = `line ${line}: "${printable(text, 100)}"`;
  const inAccount = found.filter((zone) => accountId === undefined || zone.accountId === accountId);
  const [zone, second] = inAccount;
  if (second !== undefined) {
    const ids = inAccount.map(({ id }) => id).join(', ');
    return new MigrationError('ZONE_AMBIGUOUS', `${about} is the name of several zones: ${ids}`);
  }
  if (zone !== undefined && name !== undefined && isZone(name) && !isNameOf(name, zone)) {
    const message = `${about} is ${printable(zone.name, 100)}, not "${printable(name, 100)}"`;
    return new MigrationError('ZONE_CONTRADICTED', message);
  }
  if (zone !== undefined) return zone;
  const [elsewhere] = found;
  return elsewhere === undefined
    ? new MigrationError(
        'ZONE_NOT_REACHED',
        `${about} is not found, or not accessible with these credentials`,
      )
    : new MigrationError(
        'ZONE_OF_OTHER_ACCOUNT',
        `${about} is a zone of account ${printable(elsewhere.accountId ?? 'unknown', 40)}`,
      );
}

function isNameOf(name: string, zone: FleetZone): boolean {
  return comparableName(name) === comparableName(zone.name);
}

function groupByName(zones: readonly FleetZone[]): ReadonlyMap<string, readonly FleetZone[]> {
  const groups = new Map<string, FleetZone[]>();
  for (const zone of zones) {
    const name = comparableName(zone.name);
    const group = groups.get(name);
    if (group) group.push(zone);
    else groups.set(name, [zone]);
  }
  return groups;
}

/** Characters that `domainToASCII` would drop or decode as in a URL, so that the text is not a domain. */
const OF_URL = /[\s/\\?#%]/;

/** Normalises a domain, so that its spellings are equal. Other text is only lowercased. */
export function comparableName(name: string): string {
  const lower = name.toLowerCase().replace(/\.$/, '');
  return OF_URL.test(lower) ? lower : domainToASCII(lower) || lower;
}
