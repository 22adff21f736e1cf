/**
 * The comparison, slow and simple: request by request, event by event. It shares only the words of
 * the outcomes with the query.
 */
export type RawEvent = Record<string, unknown>;

interface Meant {
  fallback: number;
  rules: Map<string, number>;
}

const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const SHOWN = [
  ...['Datetime', 'RayID', 'ClientIP'],
  ...['ClientRequestHost', 'ClientRequestMethod', 'ClientRequestPath', 'ClientRequestQuery'],
];

const isBlock = (action: string): boolean =>
  /^(?:block|drop|(?:force)?connectionclose)$/.test(action);
const isChallenge = (action: string): boolean =>
  /^(?:js|managed)?challenge|^precursor/.test(action);

export interface Judged {
  ray: string;
  side: 'legacy' | 'new' | 'other';
  rule: string;
  rank: number;
  stops: boolean;
  sampled: boolean;
  event: RawEvent;
}

function judge(event: RawEvent, meant: Meant): Judged {
  const action = (asText(event['Action']) ?? '').replaceAll('_', '');
  const source = (asText(event['Source']) ?? '').replace(/^(WAF|firewallManaged)$/, (word) =>
    word.toLowerCase(),
  );
  const side = source === 'waf' ? 'legacy' : source === 'firewallmanaged' ? 'new' : 'other';
  const rule = asText(event['RuleID']) ?? '';
  let rank = 0;
  if (isBlock(action)) rank = 3;
  else if (isChallenge(action)) rank = 2;
  else if (action === 'log' || action === 'simulate') {
    rank = side === 'new' ? (meant.rules.get(rule) ?? meant.fallback) : 1;
  }
  const passed = /(solved|bypassed|skipped)$/.test(action);
  const stops = isBlock(action) || (isChallenge(action) && !passed);
  const interval = asText(event['SampleInterval']) ?? '';
  const sampled = !['', '0', '1'].includes(interval);
  return { ray: asText(event['RayID']) ?? '', side, rule, rank, stops, sampled, event };
}

function outcomeOf(events: Judged[]): string {
  const strongest = (side: string): number =>
    Math.max(0, ...events.filter((one) => one.side === side).map(({ rank }) => rank));
  const [legacy, fresh] = [strongest('legacy'), strongest('new')];
  const newStops = events.some(({ side, stops }) => side === 'new' && stops);
  const otherStops = events.some(({ side, stops }) => side === 'other' && stops);
  const sampled = events.some((one) => one.sampled);
  if (legacy === 0 && fresh === 0) return otherStops ? 'stopped-before' : 'neither';
  if (legacy === 0) {
    if (newStops) return 'hidden';
    if (otherStops) return 'cut-short';
    return sampled ? 'sampled' : 'only-new';
  }
  if (fresh === 0) return sampled ? 'sampled' : 'only-legacy';
  if (legacy === 1 && fresh > 1) return 'only-new';
  if (fresh === 1 && legacy > 1) return 'only-legacy';
  if (legacy === fresh) return legacy === 1 ? 'both-log' : 'both-act';
  return fresh > legacy ? 'stricter' : 'laxer';
}

export interface Reference {
  outcomes: Record<string, number>;
  rules: Record<string, { requests: number; clients: number; seen: string[] }>;
  paths: Record<string, number>;
  samples: Record<string, string[]>;
  withoutRay: number;
}

export function compareSlowly(events: RawEvent[], meant: Meant): Reference {
  const judged = events.map((event) => judge(event, meant));
  const byRay = new Map<string, Judged[]>();
  for (const one of judged) {
    if (one.ray !== '') byRay.set(one.ray, [...(byRay.get(one.ray) ?? []), one]);
  }
  const found: Reference = {
    outcomes: {},
    rules: {},
    paths: {},
    samples: {},
    withoutRay: judged.filter(({ ray }) => ray === '').length,
  };
  const clients = new Map<string, Set<string>>();
  const distinct = (key: string, client: string): number => {
    const seen = clients.get(key) ?? new Set();
    clients.set(key, seen.add(client));
    return seen.size;
  };
  const count = (table: Record<string, number>, key: string): void => {
    table[key] = (table[key] ?? 0) + 1;
  };
  for (const [ray, all] of [...byRay].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const outcome = outcomeOf(all);
    count(found.outcomes, outcome);
    if (['both-act', 'both-log', 'stopped-before', 'neither'].includes(outcome)) continue;
    const acting = all.filter(({ side, rank }) => side !== 'other' && rank > 0);
    for (const side of ['legacy', 'new']) {
      const own = acting.filter((one) => one.side === side);
      const rules = [...new Set(own.map(({ rule }) => rule))].sort();
      for (const rule of rules) {
        const hits = own.filter((one) => one.rule === rule);
        const shown = hits.map(({ event }) => SHOWN.map((name) => asText(event[name]) ?? ''));
        // the last event counts: the greatest as JSON
        const last =
          shown
            .map((texts) => JSON.stringify(texts))
            .sort()
            .at(-1) ?? '[]';
        const [seen = '', , client = '', host = '', , path = ''] = JSON.parse(last) as string[];
        const verdict = Math.max(...hits.map(({ rank }) => rank));
        const key = `${outcome} ${side} ${rule}`;
        const ruleKey = `${key} ${verdict}`;
        const row = (found.rules[ruleKey] ??= { requests: 0, clients: 0, seen: [] });
        row.requests += 1;
        row.clients = distinct(ruleKey, client);
        row.seen.push(seen);
        count(found.paths, `${key} ${host} ${path}`);
        (found.samples[key] ??= []).push(ray);
      }
    }
  }
  return found;
}
