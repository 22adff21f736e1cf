/** What a query asks of the events of a zone. */
export interface EventQuery {
  readonly limit: number;
  readonly descending: boolean;
  /** Names of fields, in their order. */
  readonly fields: readonly string[];
}

/** The part of the language that clients of the events use; nothing else is understood. */
export type ParsedQuery =
  | { readonly kind: 'settings'; readonly fields: readonly string[] }
  | { readonly kind: 'events'; readonly query: EventQuery }
  | { readonly kind: 'unknown' };

const SETTINGS =
  /viewer\s*\{\s*zones\s*\(\s*filter\s*:\s*\{\s*zoneTag\s*:\s*\$zoneTag\s*\}\s*\)\s*\{\s*settings\s*\{\s*firewallEventsAdaptive\s*\{([\w\s]+)\}/;
const EVENTS =
  /viewer\s*\{\s*zones\s*\(\s*filter\s*:\s*\{\s*zoneTag\s*:\s*\$zoneTag\s*\}\s*\)\s*\{\s*firewallEventsAdaptive\s*\(([^)]*)\)\s*\{([\w\s]+)\}/;

/** Reads a query in the form of the service's documentation: the filter comes as a variable. */
export function parseQuery(text: string): ParsedQuery {
  const settings = SETTINGS.exec(text);
  if (settings !== null) return { kind: 'settings', fields: names(settings[1]) };
  const events = EVENTS.exec(text);
  if (events === null) return { kind: 'unknown' };
  const [, given = '', selection] = events;
  const limit = /\blimit\s*:\s*(\d{1,9})\b/.exec(given)?.[1];
  const hasFilter = /\bfilter\s*:\s*\$filter\b/.test(given);
  if (limit === undefined || !hasFilter) return { kind: 'unknown' };
  const descending = /\borderBy\s*:\s*\[\s*datetime_DESC\s*\]/.test(given);
  return { kind: 'events', query: { limit: Number(limit), descending, fields: names(selection) } };
}

const names = (selection = ''): string[] => selection.split(/[\s,]+/).filter((name) => name !== '');
