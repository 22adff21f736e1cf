import { compareTexts } from '../core/lists';
import { FACT_BITS, type Outcome, OUTCOMES, UNDECIDABLE } from './query/events';
import { type ResultRow } from './query/result-table';

/** Which WAF a rule belongs to. */
export type WafSide = 'legacy' | 'new';

/** What a rule would change for requests once the legacy WAF is off. */
export type Change =
  | 'newly-blocked'
  | 'stricter'
  | 'newly-logged'
  | 'no-longer-blocked'
  | 'laxer'
  | 'no-longer-logged'
  | 'undecidable';

/** Requests to one path in which a rule acted. */
export interface PathCount {
  readonly host: string;
  readonly path: string;
  readonly requests: number;
  readonly clients: number;
}

/** A host, country or client, and how many requests in which a rule acted. */
export interface ItemCount {
  readonly item: string;
  readonly requests: number;
}

/** One request in which a rule acted. */
export interface Sample {
  readonly rayId: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  /** With its question mark, as the export has it. */
  readonly query: string;
  readonly client: string;
  /** UTC, to the second; empty if unknown. */
  readonly time: string;
}

/** The name of a rule. */
export interface RuleName {
  readonly name: string;
  /** The name of its managed ruleset. */
  readonly ruleset?: string;
}

/** A rule with one outcome and one verdict. */
export interface RuleAnswer extends RuleName {
  readonly side: WafSide;
  readonly ruleId: string;
  readonly change: Change;
  readonly outcome: Outcome;
  /** What the rule did, or is configured to do. */
  readonly verdict: 'log' | 'challenge' | 'block';
  readonly requests: number;
  /** Of all requests with an event, 0 to 1. */
  readonly share: number;
  /** Distinct addresses. */
  readonly clients: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** The most frequent ones, of all verdicts of the outcome. */
  readonly paths: readonly PathCount[];
  readonly hosts: readonly ItemCount[];
  /** Empty if the events have no countries. */
  readonly countries: readonly ItemCount[];
  readonly addresses: readonly ItemCount[];
  /** Samples with this verdict among the first of the outcome; can be empty. */
  readonly samples: readonly Sample[];
}

/** Requests whose acting rules of one side are exactly these. */
export interface RuleSet {
  readonly outcome: Outcome;
  readonly side: WafSide;
  readonly ruleIds: readonly string[];
  readonly requests: number;
}

/** One hour of the time line: examined requests by outcome. */
export interface Hour {
  /** `YYYY-MM-DDTHH`, UTC; empty for events without a time. */
  readonly hour: string;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

/** Requests that a change stops or no longer stops, by any rule. */
export interface Impact {
  readonly requests: number;
  /** Distinct addresses. */
  readonly clients: number;
  readonly rules: number;
}

/** The changes by which requests are stopped, or stopped no longer. */
export type StopChange = 'newly-blocked' | 'stricter' | 'no-longer-blocked' | 'laxer';

/** The answers of the comparison, made from the result table. */
export interface Comparison {
  /** Requests with an event of any product. */
  readonly requests: number;
  readonly classes: Readonly<Record<Outcome, number>>;
  readonly impact: Readonly<Record<StopChange, Impact>>;
  /** Requests whose events do not show what the other WAF would have done. */
  readonly undecidable: number;
  /** Events of sampled data. */
  readonly sampled: number;
  readonly rules: readonly RuleAnswer[];
  readonly timeline: readonly Hour[];
  readonly sets: readonly RuleSet[];
}

/** Makes the answers from the result table. */
export function compareRows(
  rows: readonly ResultRow[],
  nameOf: (side: WafSide, id: string) => RuleName,
): Comparison {
  const requestRows = rows.filter(({ section }) => section === 'request');
  const requests = sum(requestRows);
  const of = (outcome: Outcome): number =>
    sum(requestRows.filter((row) => row.outcome === outcome));
  const classes = {
    'both-act': of('both-act'),
    'both-log': of('both-log'),
    'only-legacy': of('only-legacy'),
    'only-new': of('only-new'),
    stricter: of('stricter'),
    laxer: of('laxer'),
    hidden: of('hidden'),
    'cut-short': of('cut-short'),
    sampled: of('sampled'),
    'stopped-before': of('stopped-before'),
    neither: of('neither'),
  };
  const isSampled = ({ section, verdict }: ResultRow): boolean =>
    section === 'event' && (verdict & FACT_BITS.sampled) > 0;
  const rules = ruleAnswers(rows, requests, nameOf);
  const impactOf = (change: StopChange): Impact => {
    const row = rows.find((one) => one.section === 'stopped' && changeOf(one) === change);
    const ids = rules.filter((rule) => rule.change === change).map(({ ruleId }) => ruleId);
    return {
      requests: row?.requests ?? 0,
      clients: row?.clients ?? 0,
      rules: new Set(ids).size,
    };
  };
  return {
    requests,
    classes,
    impact: {
      'newly-blocked': impactOf('newly-blocked'),
      stricter: impactOf('stricter'),
      'no-longer-blocked': impactOf('no-longer-blocked'),
      laxer: impactOf('laxer'),
    },
    undecidable: UNDECIDABLE.reduce((total, outcome) => total + classes[outcome], 0),
    sampled: sum(rows.filter(isSampled)),
    rules,
    timeline: timelineOf(rows),
    sets: rows.flatMap(({ section, outcome, side, item, requests: count }) =>
      section === 'set' && outcome !== '' && side !== ''
        ? [{ outcome, side, ruleIds: item.split(','), requests: count }]
        : [],
    ),
  };
}

const sum = (rows: readonly ResultRow[]): number =>
  rows.reduce((total, { requests }) => total + requests, 0);

/** Whether the events of an outcome do not show what the other WAF would have done. */
const isUndecidable = (outcome: string): boolean => UNDECIDABLE.some((one) => one === outcome);

const VERDICTS = ['log', 'log', 'challenge', 'block'] as const;

const WEIGHTS: Readonly<Record<Change, number>> = {
  'newly-blocked': 5,
  'no-longer-blocked': 5,
  stricter: 4,
  laxer: 4,
  undecidable: 3,
  'newly-logged': 2,
  'no-longer-logged': 1,
};

/** What a rule changes; undefined if the other WAF does the same. */
function changeOf({ outcome, side, verdict }: ResultRow): Change | undefined {
  const acts = verdict >= 2;
  if (isUndecidable(outcome)) return 'undecidable';
  if (side === 'new' && outcome === 'only-new') return acts ? 'newly-blocked' : 'newly-logged';
  if (side === 'new' && outcome === 'stricter' && acts) return 'stricter';
  if (side === 'legacy' && outcome === 'only-legacy') {
    return acts ? 'no-longer-blocked' : 'no-longer-logged';
  }
  if (side === 'legacy' && outcome === 'laxer' && acts) return 'laxer';
  return undefined;
}

/** The rules that would change something, sorted by the weight of the change, then by requests. */
function ruleAnswers(
  rows: readonly ResultRow[],
  total: number,
  nameOf: (side: WafSide, id: string) => RuleName,
): RuleAnswer[] {
  const keyOf = ({ outcome, side, rule_id: rule }: ResultRow): string =>
    `${outcome} ${side} ${rule}`;
  const details = new Map<string, ResultRow[]>();
  for (const row of rows) {
    const own = details.get(keyOf(row));
    if (own === undefined) details.set(keyOf(row), [row]);
    else own.push(row);
  }
  const answers = rows.flatMap((row): RuleAnswer[] => {
    const { section, outcome, side, rule_id: ruleId, requests } = row;
    const change = section === 'rule' ? changeOf(row) : undefined;
    if (change === undefined || outcome === '' || side === '') return [];
    const own = (wanted: ResultRow['section']): ResultRow[] =>
      (details.get(keyOf(row)) ?? []).filter((one) => one.section === wanted);
    const items = (wanted: ResultRow['section']): ItemCount[] =>
      own(wanted)
        .map(({ item, requests: count }) => ({ item, requests: count }))
        .sort(byRequests(({ item }) => item));
    return [
      {
        side,
        ruleId,
        ...nameOf(side, ruleId),
        change,
        outcome,
        verdict: VERDICTS[row.verdict] ?? 'block',
        requests,
        share: total === 0 ? 0 : requests / total,
        clients: row.clients,
        firstSeen: row.first_seen,
        lastSeen: row.last_seen,
        paths: own('path')
          .map(({ host, path, requests: count, clients }) => ({
            ...{ host, path, requests: count, clients },
          }))
          .sort(byRequests(({ host, path }) => `${host} ${path}`)),
        hosts: items('host'),
        countries: items('country'),
        addresses: items('client'),
        samples: own('sample')
          .filter(({ verdict }) => verdict === row.verdict)
          .map(sampleOf)
          .sort((one, other) => compareTexts(one.rayId, other.rayId)),
      },
    ];
  });
  const heaviest = byRequests<RuleAnswer>((one) => `${one.side} ${one.ruleId} ${one.outcome}`);
  return answers.sort(
    (one, other) => WEIGHTS[other.change] - WEIGHTS[one.change] || heaviest(one, other),
  );
}

const sampleOf = (row: ResultRow): Sample => ({
  rayId: row.item,
  method: row.method,
  host: row.host,
  path: row.path,
  query: row.query_string,
  client: row.client,
  time: row.first_seen,
});

/** Sorts by requests, most first, then by a text. */
const byRequests =
  <One extends { readonly requests: number }>(textOf: (one: One) => string) =>
  (one: One, other: One): number =>
    other.requests - one.requests || compareTexts(textOf(one), textOf(other));

function timelineOf(rows: readonly ResultRow[]): Hour[] {
  const hours = new Map<string, Partial<Record<Outcome, number>>>();
  for (const outcome of OUTCOMES) {
    for (const row of rows) {
      if (row.section !== 'hour' || row.outcome !== outcome) continue;
      hours.set(row.item, { ...hours.get(row.item), [outcome]: row.requests });
    }
  }
  return [...hours]
    .sort(([one], [other]) => compareTexts(one, other))
    .map(([hour, outcomes]) => ({ hour, outcomes }));
}
