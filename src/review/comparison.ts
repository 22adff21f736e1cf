import { compareTexts, groupBy } from '../core/lists';
import {
  classesSchema,
  type Outcome,
  OUTCOMES,
  RANKS,
  type ResultRow,
  UNDECIDABLE,
  type WafSide,
} from './query/events';

/** What a rule would change for requests once the legacy WAF is off, and how much that weighs. */
const WEIGHTS = {
  'newly-blocked': 5,
  'no-longer-blocked': 5,
  stricter: 4,
  laxer: 4,
  undecidable: 3,
  'newly-logged': 2,
  'no-longer-logged': 1,
} as const;
export type Change = keyof typeof WEIGHTS;

export interface PathCount {
  readonly host: string;
  readonly path: string;
  readonly requests: number;
}

/** A client, or a path with its host, and how many requests in which a rule acted. */
export interface ItemCount {
  readonly item: string;
  readonly requests: number;
}

export interface Sample {
  readonly rayId: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  /** With its question mark, but without the values of parameters, which can be secrets. */
  readonly query: string;
  readonly client: string;
  /** UTC, to the second; empty if unknown. */
  readonly time: string;
}

export interface RuleName {
  readonly name: string;
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
  readonly addresses: readonly ItemCount[];
  /** Samples with this verdict among the first of the outcome; can be empty. */
  readonly samples: readonly Sample[];
}

/** Requests that only one WAF challenges or blocks, and the rules that do. */
export interface Impact {
  readonly requests: number;
  readonly rules: number;
}

export interface Comparison {
  /** Requests with an event of any product. */
  readonly requests: number;
  readonly classes: Readonly<Record<Outcome, number>>;
  readonly impact: Readonly<Record<'newly-blocked' | 'no-longer-blocked', Impact>>;
  /** Requests whose events do not show what the other WAF would have done. */
  readonly undecidable: number;
  /** Events of sampled data. */
  readonly sampled: number;
  readonly rules: readonly RuleAnswer[];
  /** The new rules that acted in any request. */
  readonly activeRules: readonly string[];
}

export function compareRows(
  rows: readonly ResultRow[],
  nameOf: (side: WafSide, id: string) => RuleName,
): Comparison {
  const requestRows = rows.filter(({ section }) => section === 'request');
  const requests = sumOf(requestRows);
  const counts = OUTCOMES.map((outcome) => [
    outcome,
    sumOf(requestRows.filter((row) => row.outcome === outcome)),
  ]);
  const classes = classesSchema.parse(Object.fromEntries(counts));
  const rules = ruleAnswers(rows, requests, nameOf);
  const impactOf = (change: Change, outcome: Outcome): Impact => {
    const stopped = requestRows.filter(
      (row) => row.outcome === outcome && row.verdict >= RANKS.challenge,
    );
    const ids = rules.filter((rule) => rule.change === change).map(({ ruleId }) => ruleId);
    return { requests: sumOf(stopped), rules: new Set(ids).size };
  };
  const active = rows.filter(({ section, side }) => section === 'active' && side === 'new');
  return {
    requests,
    classes,
    impact: {
      'newly-blocked': impactOf('newly-blocked', 'only-new'),
      'no-longer-blocked': impactOf('no-longer-blocked', 'only-legacy'),
    },
    undecidable: UNDECIDABLE.reduce((total, outcome) => total + classes[outcome], 0),
    sampled: countEvents(rows, 'sampled'),
    rules,
    activeRules: active.map(({ rule_id: id }) => id).sort(compareTexts),
  };
}

/** The number of lines of a kind, or of events with a flag. */
export const countEvents = (
  rows: readonly ResultRow[],
  flag: 'unreadable' | 'event' | 'without-ray' | 'unknown-action' | 'sampled',
): number =>
  sumOf(rows.filter(({ section, item }) => section === 'event' && item.split(' ').includes(flag)));

export const sumOf = (counts: readonly { readonly requests: number }[]): number =>
  counts.reduce((total, { requests }) => total + requests, 0);

const VERDICTS = ['log', 'log', 'challenge', 'block'] as const;

/** What a rule of one WAF changes by acting, or else by logging, for requests with an outcome. */
const changesOf: Readonly<
  Partial<Record<ResultRow['outcome'], { side: WafSide; acting: Change; logging?: Change }>>
> = {
  'only-new': { side: 'new', acting: 'newly-blocked', logging: 'newly-logged' },
  'only-legacy': { side: 'legacy', acting: 'no-longer-blocked', logging: 'no-longer-logged' },
  stricter: { side: 'new', acting: 'stricter' },
  laxer: { side: 'legacy', acting: 'laxer' },
};

/** What a rule changes; undefined if the other WAF does the same. */
function changeOf({ outcome, side, verdict }: ResultRow): Change | undefined {
  if (UNDECIDABLE.some((one) => one === outcome)) return 'undecidable';
  const changes = changesOf[outcome];
  if (changes?.side !== side) return undefined;
  return verdict >= RANKS.challenge ? changes.acting : changes.logging;
}

/** The rules that would change something, sorted by the weight of the change, then by requests. */
function ruleAnswers(
  rows: readonly ResultRow[],
  total: number,
  nameOf: (side: WafSide, id: string) => RuleName,
): RuleAnswer[] {
  const keyOf = ({ outcome, side, rule_id: rule }: ResultRow): string =>
    `${outcome} ${side} ${rule}`;
  const groups = groupBy(rows, keyOf);
  const heaviest = byRequests<RuleAnswer>((one) => `${one.side} ${one.ruleId} ${one.outcome}`);
  return rows
    .flatMap((row): RuleAnswer[] => {
      const { section, outcome, side, rule_id: ruleId, requests } = row;
      const change = section === 'rule' ? changeOf(row) : undefined;
      if (change === undefined || outcome === '' || side === '') return [];
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
          firstSeen: instantOf(row.first_seen),
          lastSeen: instantOf(row.last_seen),
          ...detailsOf(row, groups.get(keyOf(row)) ?? []),
        },
      ];
    })
    .sort((one, other) => WEIGHTS[other.change] - WEIGHTS[one.change] || heaviest(one, other));
}

/** @param group all rows of the rule and outcome */
function detailsOf({ verdict }: ResultRow, group: readonly ResultRow[]) {
  const own = (wanted: ResultRow['section']): ResultRow[] =>
    group.filter(({ section }) => section === wanted);
  return {
    paths: own('path')
      .map(({ host, path, requests }) => ({ host, path, requests }))
      .sort(byRequests(({ host, path }) => `${host} ${path}`)),
    addresses: own('client')
      .map(({ item, requests }) => ({ item, requests }))
      .filter(({ item }) => item !== '')
      .sort(byRequests(({ item }) => item)),
    samples: own('sample')
      .filter((sample) => sample.verdict === verdict)
      .map(sampleOf)
      .sort((one, other) => compareTexts(one.rayId, other.rayId)),
  };
}

const sampleOf = (row: ResultRow): Sample => ({
  rayId: row.item,
  method: row.method,
  host: row.host,
  path: row.path,
  query: row.query_string.replace(/(^\?|&|^(?!\?))([^&=]+=(?=[^&=]))?[^&]+/g, '$1$2…'),
  client: row.client,
  time: instantOf(row.first_seen),
});

/**
 * A time as `YYYY-MM-DDTHH:MM:SS`, UTC: from RFC 3339, or from seconds, milliseconds, microseconds or
 * nanoseconds since 1970, of which the first ten digits are the seconds until the year 2286. Empty if it is
 * neither.
 */
function instantOf(text: string): string {
  const isNumber = /^(?:\d{10}|\d{13}|\d{16}|\d{19})$/.test(text);
  if (!isNumber && !/^\d{4}-\d\d-\d\d./.test(text)) return '';
  const hasZone = /(?:Z|UTC|[+-]\d\d(?::?\d\d)?)$/.test(text.slice(10));
  const at = isNumber ? Number(text.slice(0, 10)) * 1000 : Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 19);
}

const byRequests =
  <One extends { readonly requests: number }>(textOf: (one: One) => string) =>
  (one: One, other: One): number =>
    other.requests - one.requests || compareTexts(textOf(one), textOf(other));
