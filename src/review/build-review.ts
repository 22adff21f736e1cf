import { type Hour } from './comparison';
import { FACT_BITS } from './event-bits';
import { type Outcome, OUTCOMES, UNDECIDABLE } from './outcome';
import { type ResultRow } from './result-row';
import { type Review } from './review';
import { ruleAnswers } from './rule-answers';
import { type RuleName } from './rule-names';
import { compareScores } from './score-comparison';

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
