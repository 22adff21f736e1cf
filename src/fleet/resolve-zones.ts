import { domainToASCII } from 'node:url';
import { type NamedZone } from '../cloudflare/zones';
import { isZone } from '../core/identifier';
import { groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type ListEntry } from './zone-list';

export interface FleetZone extends NamedZone {
  /** Its lines in the list; absent without a list. */
  readonly entries?: readonly ListEntry[];
}

export interface RefusedEntry extends Pick<ListEntry, 'text'> {
  /** The line in the list; absent without a list. */
  readonly line?: number;
  readonly error: MigrationError;
}

/** The zones of a run, each once, in the order of the list. */
export interface ResolvedZones {
  readonly zones: readonly FleetZone[];
  readonly refused: readonly RefusedEntry[];
}

export function resolveZones(
  entries: readonly ListEntry[],
  reached: readonly FleetZone[],
): ResolvedZones {
  const find = zoneFinder(reached);
  const zones = new Map<string, FleetZone & { readonly entries: ListEntry[] }>();
  const refused: RefusedEntry[] = [];
  for (const entry of entries) {
    const { text, line } = entry;
    // does not repeat a text that is no zone: it can be of any file that was passed by mistake
    const found = isZone(text)
      ? checkName(entry, find(text))
      : new MigrationError('ZONE_NOT_REACHED', 'neither a zone id nor a domain name');
    if (found instanceof MigrationError) {
      const error = found.withPrefix(`line ${line}`);
      refused.push({ text: isZone(text) ? text : '', line, error });
      continue;
    }
    const known = zones.get(found.id);
    if (known) known.entries.push(entry);
    else zones.set(found.id, { ...found, entries: [entry] });
  }
  return { zones: [...zones.values()], refused };
}

/** Refuses a zone that has another name than the list gives beside its id. */
function checkName({ text, name }: ListEntry, found: FleetZone | MigrationError) {
  if (found instanceof MigrationError || name === undefined || !isZone(name)) return found;
  if (comparableName(name) === comparableName(found.name)) return found;
  const message = `"${printable(text, 100)}" is ${printable(found.name, 100)}, not "${printable(name, 100)}"`;
  return new MigrationError('ZONE_CONTRADICTED', message);
}

/** Returns a function that finds a zone by its id or its name; its result is an error unless there is exactly one. */
export function zoneFinder<Zone extends FleetZone>(reached: readonly Zone[]) {
  const byId = new Map(reached.map((zone) => [zone.id, zone]));
  const byName = groupBy(reached, ({ name }) => comparableName(name));
  return (text: string): Zone | MigrationError => {
    const zone = byId.get(text.toLowerCase());
    const found = zone ? [zone] : (byName.get(comparableName(text)) ?? []);
    const [one, another] = found;
    const shown = printable(text, 253);
    if (one === undefined) {
      const message = `zone ${shown} is not found, or not accessible with these credentials`;
      return new MigrationError('ZONE_NOT_REACHED', message);
    }
    if (another === undefined) return one;
    const ids = found.map(({ id }) => id).join(', ');
    return new MigrationError('ZONE_AMBIGUOUS', `several zones are called ${shown}: ${ids}`);
  };
}

/** Characters that `domainToASCII` would drop or decode as in a URL, so that the text is not a domain. */
const OF_URL = /[\s/\\?#%]/;

/** Normalises a domain, so that its spellings are equal. Other text is only lowercased. */
export function comparableName(name: string): string {
  const lower = name.toLowerCase().replace(/\.$/, '');
  return OF_URL.test(lower) ? lower : domainToASCII(lower) || lower;
}
