import { SCORING_RULE } from '../../core/ruleset';
import { EXAMINED, type Outcome } from '../comparison';
import { type Intended } from '../managed-rules';
import { bitAnd, type Dialect } from './dialect';
import {
  ACTIONS,
  EVENT_COLUMNS,
  type EventColumn,
  FACT_BITS,
  NEW_SOURCE,
  OLD_SCORE_RULE,
  OLD_SOURCE,
  PASSED,
  type Rank,
  RANKS,
  type Side,
  sideBit,
  verdictBit,
} from './events';
import { actStage, answerStage, examinedEventStage, hitStage, topStage } from './result-table';

/** What is compared. */
interface ComparisonInput {
  /** The event table as it stands in a FROM clause. */
  readonly table: string;
  /** The columns that it has; all by default. */
  readonly present?: readonly EventColumn[];
  readonly intended: Intended;
}

/** One step of the comparison: a name and the query that makes it from those before. */
interface Stage {
  readonly name: string;
  readonly query: string;
}

/** The steps that lead to the tables of the last one, `answerStage`. */
export function comparisonStages(dialect: Dialect, input: ComparisonInput): readonly Stage[] {
  const source = sourceStage(dialect, input.table, input.present ?? EVENT_COLUMNS);
  return [
    { name: 'events', query: eventStage(dialect, `(${source}) source_events`, input.intended) },
    { name: 'kinds', query: 'SELECT bits, COUNT(*) AS events FROM events GROUP BY bits' },
    { name: 'requests', query: requestStage() },
    { name: 'outcomes', query: outcomeStage(dialect) },
    { name: 'examined', query: examinedStage(dialect) },
    { name: 'examined_events', query: examinedEventStage() },
    { name: 'hits', query: hitStage(`(${actStage(dialect)}) acts`) },
    { name: 'tops', query: topStage() },
  ];
}

/** The whole comparison as one query, for an engine elsewhere. */
export function comparisonQuery(dialect: Dialect, input: ComparisonInput): string {
  const stages = comparisonStages(dialect, input).map(
    ({ name, query }) => `${name} ${dialect.once} (\n${query}\n)`,
  );
  return `WITH ${stages.join(',\n')}\n${answerStage(dialect)}\n`;
}

const names: Readonly<Record<EventColumn, string>> = {
  RayID: 'ray',
  Source: 'source_word',
  Action: 'action_word',
  RuleID: 'rule_id',
  ClientIP: 'client',
  ClientRequestHost: 'host',
  ClientRequestMethod: 'method',
  ClientRequestPath: 'path',
  ClientRequestQuery: 'query_string',
  Datetime: 'seen',
  SampleInterval: 'sample_interval',
};

/** The columns of an event table under the names of the query, null where the table lacks one. */
function sourceStage(
  { asText, quoteName }: Dialect,
  table: string,
  present: readonly EventColumn[],
): string {
  const columns = EVENT_COLUMNS.map((column) => {
    const value = asText(present.includes(column) ? quoteName(column) : 'NULL');
    return `${value} AS ${names[column]}`;
  });
  return `SELECT ${columns.join(', ')}\nFROM ${table}`;
}

/** One row per request: what all of its events say. Events without a Ray ID belong to none. */
function requestStage(): string {
  const { withoutRay } = FACT_BITS;
  return `SELECT e.request AS request, bit_or(e.bits) AS bits FROM events e
WHERE ${bitAnd('e.bits', String(withoutRay))} = 0 GROUP BY e.request`;
}

/** One row per combination of verdicts, of which there are few: its outcome is decided once. */
function outcomeStage({ text }: Dialect): string {
  const has = (bits: number): string => `${bitAnd('bits', String(bits))} > 0`;
  const rank = (...sides: readonly Side[]): string => {
    const any = (value: number): string =>
      has(sides.reduce((sum, side) => sum | verdictBit(side, value), 0));
    return `CASE WHEN ${any(3)} THEN 3 WHEN ${any(2)} THEN 2 WHEN ${any(1)} THEN 1 ELSE 0 END`;
  };
  return `SELECT bits, requests,
  CASE ${cases.map(([when, outcome]) => `WHEN ${when(has)} THEN ${text(outcome)}`).join('\n    ')}
    ELSE ${text('laxer')} END AS outcome
FROM (
  SELECT bits, requests, ${rank('old', 'oldScore')} AS old_rank, ${rank('new', 'newScore')} AS new_rank
  FROM (SELECT bits, COUNT(*) AS requests FROM requests GROUP BY bits) counted
) ranked`;
}

/** The requests that are looked at one by one: mostly few. */
const examinedStage = ({ text }: Dialect): string =>
  `SELECT r.request AS request, o.outcome AS outcome FROM requests r JOIN outcomes o ON o.bits = r.bits
WHERE o.outcome IN (${EXAMINED.map(text).join(', ')})`;

type Has = (bits: number) => string;

/** The first that holds decides. */
const cases: readonly (readonly [(has: Has) => string, Outcome])[] = [
  [(has) => `old_rank = 0 AND new_rank = 0 AND ${has(FACT_BITS.otherStopped)}`, 'stopped-before'],
  [() => 'old_rank = 0 AND new_rank = 0', 'neither'],
  // The new WAF runs first (spec: validation mode): what it ends, the old one never sees.
  [(has) => `old_rank = 0 AND ${has(FACT_BITS.newStopped)}`, 'hidden'],
  [(has) => `old_rank = 0 AND ${has(FACT_BITS.otherStopped)}`, 'cut-short'],
  // In sampled data an absence says nothing.
  [(has) => `(old_rank = 0 OR new_rank = 0) AND ${has(FACT_BITS.sampled)}`, 'sampled'],
  [() => 'old_rank = 0', 'only-new'],
  [() => 'new_rank = 0', 'only-old'],
  [() => 'old_rank = 1 AND new_rank = 1', 'both-log'],
  [() => 'old_rank = new_rank', 'both-act'],
  [() => 'new_rank > old_rank', 'stricter'],
];

/** A source as the lowest bit of its side. */
const SOURCE_CODES = {
  old: sideBit('old'),
  new: sideBit('new'),
  other: sideBit('other'),
} as const;

/** The bits of an action: the lowest four are the rank, the others say what is known of the word. */
const ACTION_CODES = { ranks: 15, stops: 16, log: 32, unknown: 64 } as const;

/** Read of events of the two WAFs only: without those of other products, an engine keeps half as much text. */
const EVENT_TEXTS = ['ray', 'rule_id', 'client', 'host', 'method', 'path', 'query_string', 'seen'];

/** Each event: its request, what it says in bits (events.ts), and what the answers need. */
export function eventStage(dialect: Dialect, source: string, intended: Intended): string {
  return `SELECT ${dialect.requestKey('sided.ray')} AS request, ${bits()} AS bits,
  ${EVENT_TEXTS.map((name) => `CASE WHEN side <> ${SOURCE_CODES.other} THEN ${name} END AS ${name}`).join(', ')}
FROM (
  SELECT ray, client, host, method, path, query_string, seen, rule_id, sample_interval, action_code, blank,
    ${sideOf(dialect)} AS side,
    ${intentOf(dialect, intended)} AS intent
  FROM (
    SELECT ray, client, host, method, path, query_string, seen, rule_id, sample_interval,
      ${sourceCode(dialect)} AS source_code,
      ${actionCode(dialect)} AS action_code,
      CASE WHEN ray IS NULL AND action_word IS NULL AND source_word IS NULL AND rule_id IS NULL THEN ${FACT_BITS.blank} ELSE 0 END AS blank
    FROM ${source}
  ) coded
) sided`;
}

function sourceCode(dialect: Dialect): string {
  const known: Word[] = [
    [NEW_SOURCE, SOURCE_CODES.new],
    [OLD_SOURCE, SOURCE_CODES.old],
  ];
  return codeOf(dialect, 'source_word', known, SOURCE_CODES.other);
}

function actionCode(dialect: Dialect): string {
  const wordsOf = (name: keyof typeof ACTIONS, rank: Rank): Word[] =>
    ACTIONS[name].map((word) => {
      const stops = rank >= RANKS.challenge && !PASSED.includes(word) ? ACTION_CODES.stops : 0;
      return [word, (1 << rank) + stops + (name === 'log' ? ACTION_CODES.log : 0)];
    });
  const known = [
    ...wordsOf('block', RANKS.block),
    ...wordsOf('log', RANKS.log),
    ...wordsOf('challenge', RANKS.challenge),
    ...wordsOf('none', RANKS.none),
  ];
  return codeOf(dialect, 'action_word', known, ACTION_CODES.unknown + (1 << RANKS.none));
}

type Word = readonly [word: string, code: number];

/** A word as an integer. Only a word that is not in its usual form is normalised: that costs most. */
function codeOf({ text }: Dialect, column: string, known: readonly Word[], other: number): string {
  const whens = known.map(([word, code]) => `WHEN ${text(word)} THEN ${code}`).join(' ');
  return `CASE ${column} ${whens} ELSE CASE translate(lower(${column}), '_- ', '') ${whens} ELSE ${other} END END`;
}

/** The lowest bit of the side. */
function sideOf({ text }: Dialect): string {
  return `CASE WHEN source_code = ${SOURCE_CODES.other} THEN ${SOURCE_CODES.other}
      WHEN source_code = ${SOURCE_CODES.new} THEN CASE WHEN rule_id = ${text(SCORING_RULE)} THEN ${sideBit('newScore')} ELSE ${SOURCE_CODES.new} END
      WHEN rule_id = ${text(OLD_SCORE_RULE)} THEN ${sideBit('oldScore')} ELSE ${SOURCE_CODES.old} END`;
}

/** The bit of the action's rank; a log of the new WAF counts as what its rule is meant to do, where that was given. */
function intentOf({ text }: Dialect, { fallback, rules }: Intended): string {
  const rank = bitAnd('action_code', String(ACTION_CODES.ranks));
  const groups = [RANKS.none, RANKS.log, RANKS.challenge, RANKS.block].flatMap((meant) => {
    const ids = [...rules].flatMap(([id, value]) => (value === meant ? [text(id)] : []));
    return ids.length === 0 || meant === fallback
      ? []
      : [`WHEN rule_id IN (${ids.join(', ')}) THEN ${1 << meant}`];
  });
  if (fallback === RANKS.log && groups.length === 0) return rank;
  const otherwise = String(1 << fallback);
  const meant = groups.length === 0 ? otherwise : `CASE ${groups.join(' ')} ELSE ${otherwise} END`;
  const isLog = `${bitAnd('action_code', String(ACTION_CODES.log))} > 0`;
  return `CASE WHEN source_code = ${SOURCE_CODES.new} AND ${isLog} THEN ${meant} ELSE ${rank} END`;
}

function bits(): string {
  const stops = `${bitAnd('action_code', String(ACTION_CODES.stops))} > 0`;
  const isNew = `(side = ${sideBit('new')} OR side = ${sideBit('newScore')})`;
  const isSampled = `sample_interval NOT IN ('', '0', '1')`;
  return `(side * intent + blank
    + CASE WHEN ${stops} AND side = ${sideBit('other')} THEN ${FACT_BITS.otherStopped} WHEN ${stops} AND ${isNew} THEN ${FACT_BITS.newStopped} ELSE 0 END
    + CASE WHEN ${isSampled} AND blank = 0 THEN ${FACT_BITS.sampled} ELSE 0 END
    + CASE WHEN action_code >= ${ACTION_CODES.unknown} THEN ${FACT_BITS.unknownAction} ELSE 0 END
    + CASE WHEN sided.ray <> '' THEN 0 ELSE ${FACT_BITS.withoutRay} END)`;
}
