import { compareTexts } from '../core/lists';
import {
  type Change,
  type Hour,
  type Outcome,
  OUTCOMES,
  type RuleAnswer,
  type ScoreComparison,
  UNDECIDABLE,
} from './comparison';
import { FACT_BITS, strongest } from './query/events';
import { type ResultRow } from './query/result-table';
import { type Review } from './review';
import { type RuleName } from './managed-rules';

/** Makes the answers from the result table. */
export function buildReview(
  rows: readonly ResultRow[],
  nameOf: (side: 'old' | 'new', id: string) => RuleName,
): Omit<Review, 'findings'> {
  const requestRows = rows.filter(({ section }) => section === 'request');
  const requests = sum(requestRows);
  const classes = classesOf(requestRows);
  return {
    format: 'cf-waf-migrate/review',
    formatVersion: 1,
    requests,
    classes,
    undecidable: UNDECIDABLE.reduce((total, outcome) => total + classes[outcome], 0),
    sampled: sum(
      rows.filter(
        ({ section, verdict }) => section === 'event' && (verdict & FACT_BITS.sampled) > 0,
      ),
    ),
    scores: compareScores(requestRows),
    rules: ruleAnswers(rows, requests, nameOf),
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

function classesOf(rows: readonly ResultRow[]): Record<Outcome, number> {
  const of = (outcome: Outcome): number => sum(rows.filter((row) => row.outcome === outcome));
  return {
    'both-act': of('both-act'),
    'both-log': of('both-log'),
    'only-old': of('only-old'),
    'only-new': of('only-new'),
    stricter: of('stricter'),
    laxer: of('laxer'),
    hidden: of('hidden'),
    'cut-short': of('cut-short'),
    sampled: of('sampled'),
    'stopped-before': of('stopped-before'),
    neither: of('neither'),
  };
}

function timelineOf(rows: readonly ResultRow[]): Hour[] {
  const hours = new Map<string, Partial<Record<Outcome, number>>>();
  const order = (row: ResultRow): number => OUTCOMES.findIndex((one) => one === row.outcome);
  const counts = rows.filter(({ section, outcome }) => section === 'hour' && outcome !== '');
  for (const { item, outcome, requests } of counts.sort((a, b) => order(a) - order(b))) {
    hours.set(item, { ...hours.get(item), [outcome]: requests });
  }
  return [...hours]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([hour, outcomes]) => ({ hour, outcomes }));
}

const verdicts = ['log', 'log', 'challenge', 'block'] as const;

/** What a rule changes: undefined where it does what the other side does as well. */
function changeOf({ outcome, side, verdict }: ResultRow): Change | undefined {
  const acts = verdict >= 2;
  if (UNDECIDABLE.some((one) => one === outcome)) return 'undecidable';
  if (side === 'new' && outcome === 'only-new') return acts ? 'newly-blocked' : 'newly-logged';
  if (side === 'new' && outcome === 'stricter') return acts ? 'newly-blocked' : undefined;
  if (side === 'old' && outcome === 'only-old') {
    return acts ? 'no-longer-blocked' : 'no-longer-logged';
  }
  if (side === 'old' && outcome === 'laxer') return acts ? 'no-longer-blocked' : undefined;
  return undefined;
}

const weights: Readonly<Record<Change, number>> = {
  'newly-blocked': 4,
  'no-longer-blocked': 4,
  undecidable: 3,
  'newly-logged': 2,
  'no-longer-logged': 1,
};

/** The rules that would change something, the weightiest change and the most requests first. */
function ruleAnswers(
  rows: readonly ResultRow[],
  total: number,
  nameOf: (side: 'old' | 'new', id: string) => RuleName,
): RuleAnswer[] {
  const details = byRule(rows);
  const answers = rows.flatMap((row): RuleAnswer[] => {
    const { section, outcome, side, rule_id: ruleId, requests } = row;
    const change = section === 'rule' ? changeOf(row) : undefined;
    if (change === undefined || outcome === '' || side === '') return [];
    const own = details.get(keyOf(row)) ?? [];
    return [
      {
        side,
        ruleId,
        ...nameOf(side, ruleId),
        change,
        outcome,
        verdict: verdicts[row.verdict] ?? 'block',
        requests,
        share: total === 0 ? 0 : requests / total,
        clients: row.clients,
        firstSeen: row.first_seen,
        lastSeen: row.last_seen,
        paths: own
          .filter((one) => one.section === 'path')
          .map(({ host, path, requests: count, clients }) => ({
            host,
            path,
            requests: count,
            clients,
          }))
          .sort(
            (one, other) =>
              other.requests - one.requests ||
              compareTexts(one.host, other.host) ||
              compareTexts(one.path, other.path),
          ),
        samples: own
          .filter((one) => one.section === 'sample' && one.verdict === row.verdict)
          .map((one) => ({
            rayId: one.item,
            method: one.method,
            host: one.host,
            path: one.path,
            query: one.query_string,
            client: one.client,
            time: one.first_seen,
          }))
          .sort((one, other) => compareTexts(one.rayId, other.rayId)),
      },
    ];
  });
  return answers.sort(
    (one, other) =>
      weights[other.change] - weights[one.change] ||
      other.requests - one.requests ||
      compareTexts(
        `${one.side} ${one.ruleId} ${one.outcome}`,
        `${other.side} ${other.ruleId} ${other.outcome}`,
      ),
  );
}

const keyOf = ({ outcome, side, rule_id: rule }: ResultRow): string => `${outcome} ${side} ${rule}`;

function byRule(rows: readonly ResultRow[]): Map<string, ResultRow[]> {
  const found = new Map<string, ResultRow[]>();
  for (const row of rows) {
    if (row.section !== 'path' && row.section !== 'sample') continue;
    const own = found.get(keyOf(row));
    if (own === undefined) found.set(keyOf(row), [row]);
    else own.push(row);
  }
  return found;
}

/**
 * Where the score rule of a side has an event that is more than `allow`. Its silence counts only where
 * no other rule of its side ended the request before the score was looked at.
 */
function compareScores(rows: readonly ResultRow[]): ScoreComparison {
  const having = (matches: (bits: number) => boolean): number =>
    sum(
      rows.filter(
        ({ verdict, outcome }) => matches(verdict) && !UNDECIDABLE.some((one) => one === outcome),
      ),
    );
  const old = (bits: number): boolean => strongest(bits, 'oldScore') > 0;
  const fresh = (bits: number): boolean => strongest(bits, 'newScore') > 0;
  return {
    both: having((bits) => old(bits) && fresh(bits)),
    onlyOld: having((bits) => old(bits) && !fresh(bits) && (bits & FACT_BITS.newStopped) === 0),
    onlyNew: having((bits) => !old(bits) && fresh(bits) && strongest(bits, 'old') < 2),
  };
}
