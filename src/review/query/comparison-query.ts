import { SCORING_RULE } from '../../core/ruleset';
import { type Dialect, hasBits, type Stage } from './dialect';
import {
  ACTIONS,
  endsRequest,
  EVENT_COLUMNS,
  type EventColumn,
  EXAMINED,
  FACT_BITS,
  LEGACY_SCORE_RULE,
  OTHER_SOURCES,
  type Outcome,
  type Rank,
  RANKS,
  type Side,
  sideBit,
  SOURCES,
  verdictBits,
} from './events';
import { hitStages, resultQuery } from './result-table';

/**
 * What the rules of the new WAF are configured to do. While every new rule only logs
 * (`start-validation --log-only`), a log of a rule counts as this.
 */
export interface Intended {
  /** For rules that are not listed. */
  readonly fallback: Rank;
  readonly rules: ReadonlyMap<string, Rank>;
}

/** A log is a log. */
export const AS_LOGGED: Intended = { fallback: RANKS.log, rules: new Map() };

/** What is compared. */
interface ComparisonInput {
  /** The event table as written in a FROM clause. */
  readonly table: string;
  /** The columns that it has; all by default. */
  readonly present?: readonly EventColumn[];
  readonly intended: Intended;
}

/** The steps that lead to the tables of `resultQuery`. */
export function comparisonStages(dialect: Dialect, input: ComparisonInput): readonly Stage[] {
  return [
    { name: 'events', query: eventStage(dialect, input) },
    { name: 'kinds', query: 'SELECT bits, COUNT(*) AS events FROM events GROUP BY bits' },
    { name: 'requests', query: REQUESTS },
    { name: 'outcomes', query: outcomeStage(dialect) },
    { name: 'examined', query: examinedStage(dialect) },
    ...hitStages(dialect),
  ];
}

/** The whole comparison as one query, for an engine elsewhere. */
export function comparisonQuery(dialect: Dialect, input: ComparisonInput): string {
  const stages = comparisonStages(dialect, input).map(
    ({ name, query }) => `${name} ${dialect.once} (\n${query}\n)`,
  );
  return `WITH ${stages.join(',\n')}\n${resultQuery(dialect)}\n`;
}

/** The columns of the event table under the names of the query. */
const COLUMN_NAMES: Readonly<Record<EventColumn, string>> = {
  RayID: 'ray',
  Source: 'source_word',
  Action: 'action_word',
  RuleID: 'rule_id',
  ClientIP: 'client',
  ClientCountry: 'country',
  ClientRequestHost: 'host',
  ClientRequestMethod: 'method',
  ClientRequestPath: 'path',
  ClientRequestQuery: 'query_string',
  Datetime: 'seen',
  SampleInterval: 'sample_interval',
};

/** Columns that are kept only for events of the two WAFs, which halves the text in memory. */
const EVENT_TEXTS = [
  'ray',
  'rule_id',
  'client',
  'country',
  'host',
  'method',
  'path',
  'query_string',
  'seen',
];

/** The bits of an action: the lowest four are the rank, the others say what is known of the word. */
const ACTION_BITS = { ranks: 15, stops: 16, log: 32, unknown: 64 } as const;

/** One row per event: its request, what it says in bits, and what the answers need. */
function eventStage(
  dialect: Dialect,
  { table, present = EVENT_COLUMNS, intended }: ComparisonInput,
): string {
  const columns = EVENT_COLUMNS.map((column) => {
    const value = present.includes(column) ? dialect.quoteName(column) : 'NULL';
    return `${dialect.asText(value)} AS ${COLUMN_NAMES[column]}`;
  });
  const kept = [...EVENT_TEXTS, 'sample_interval'].join(', ');
  const texts = EVENT_TEXTS.map(
    (name) => `CASE WHEN side <> ${sideBit('other')} THEN ${name} END AS ${name}`,
  );
  return `SELECT ${dialect.requestKey('sided.ray')} AS request, ${EVENT_BITS} AS bits,
  ${texts.join(', ')}
FROM (
  SELECT ${kept}, action_code, blank,
    ${sideOf(dialect)} AS side,
    ${intentOf(dialect, intended)} AS intent
  FROM (
    SELECT ${kept},
      ${sourceBit(dialect)} AS source_code,
      ${actionBits(dialect)} AS action_code,
      CASE WHEN ray IS NULL AND action_word IS NULL AND source_word IS NULL AND rule_id IS NULL THEN ${FACT_BITS.blank} ELSE 0 END AS blank
    FROM (SELECT ${columns.join(', ')}\nFROM ${table}) source_events
  ) coded
) sided`;
}

/** Maps a word to an integer. Only a word in an unusual form is normalised, because that is slow. */
function codeOf(
  { text }: Dialect,
  column: string,
  known: readonly (readonly [word: string, code: number])[],
  other: number,
): string {
  const whens = known.map(([word, code]) => `WHEN ${text(word)} THEN ${code}`).join(' ');
  return `CASE ${column} ${whens} ELSE CASE translate(lower(${column}), '_- ', '') ${whens} ELSE ${other} END END`;
}

const sourceBit = (dialect: Dialect): string =>
  codeOf(
    dialect,
    'source_word',
    [
      [SOURCES.new, sideBit('new')],
      [SOURCES.legacy, sideBit('legacy')],
      ...OTHER_SOURCES.map((word) => [word, sideBit('other')] as const),
    ],
    sideBit('other'),
  );

function actionBits(dialect: Dialect): string {
  const known = (['block', 'log', 'challenge', 'none'] as const).flatMap((kind) =>
    ACTIONS[kind].map((word) => {
      const stops = endsRequest(word) ? ACTION_BITS.stops : 0;
      const log = kind === 'log' ? ACTION_BITS.log : 0;
      return [word, (1 << RANKS[kind]) + stops + log] as const;
    }),
  );
  return codeOf(dialect, 'action_word', known, ACTION_BITS.unknown + (1 << RANKS.none));
}

/** The lowest bit of the side. */
function sideOf({ text }: Dialect): string {
  const [other, fresh, legacy] = [sideBit('other'), sideBit('new'), sideBit('legacy')];
  return `CASE WHEN source_code = ${other} THEN ${other}
      WHEN source_code = ${fresh} THEN CASE WHEN rule_id = ${text(SCORING_RULE)} THEN ${sideBit('newScore')} ELSE ${fresh} END
      WHEN rule_id = ${text(LEGACY_SCORE_RULE)} THEN ${sideBit('legacyScore')} ELSE ${legacy} END`;
}

/** The bit of the action's rank; a log of the new WAF counts as what its rule is configured to do. */
function intentOf({ text }: Dialect, { fallback, rules }: Intended): string {
  const rank = `(action_code & ${ACTION_BITS.ranks})`;
  const groups = Object.values(RANKS).flatMap((meant) => {
    const ids = [...rules].flatMap(([id, value]) => (value === meant ? [text(id)] : []));
    return ids.length === 0 || meant === fallback
      ? []
      : [`WHEN rule_id IN (${ids.join(', ')}) THEN ${1 << meant}`];
  });
  if (fallback === RANKS.log && groups.length === 0) return rank;
  const otherwise = String(1 << fallback);
  const meant = groups.length === 0 ? otherwise : `CASE ${groups.join(' ')} ELSE ${otherwise} END`;
  return `CASE WHEN source_code = ${sideBit('new')} AND ${hasBits('action_code', ACTION_BITS.log)} THEN ${meant} ELSE ${rank} END`;
}

const STOPS = hasBits('action_code', ACTION_BITS.stops);
const EVENT_BITS = `(side * intent + blank
    + CASE WHEN ${STOPS} AND side = ${sideBit('other')} THEN ${FACT_BITS.otherStopped} WHEN ${STOPS} AND (side = ${sideBit('new')} OR side = ${sideBit('newScore')}) THEN ${FACT_BITS.newStopped} ELSE 0 END
    + CASE WHEN sample_interval NOT IN ('', '0', '1') AND blank = 0 THEN ${FACT_BITS.sampled} ELSE 0 END
    + CASE WHEN action_code >= ${ACTION_BITS.unknown} THEN ${FACT_BITS.unknownAction} ELSE 0 END
    + CASE WHEN sided.ray <> '' THEN 0 ELSE ${FACT_BITS.withoutRay} END)`;

/** One row per request: what all of its events say. Events without a Ray ID belong to none. */
const REQUESTS = `SELECT e.request AS request, bit_or(e.bits) AS bits FROM events e
WHERE (e.bits & ${FACT_BITS.withoutRay}) = 0 GROUP BY e.request`;

/** Decides the outcome once per combination of bits, of which there are few. */
function outcomeStage({ text }: Dialect): string {
  const rank = (...sides: readonly Side[]): string => {
    const has = (value: number): string => hasBits('bits', verdictBits(sides, [value]));
    return `CASE WHEN ${has(3)} THEN 3 WHEN ${has(2)} THEN 2 WHEN ${has(1)} THEN 1 ELSE 0 END`;
  };
  return `SELECT bits, requests,
  CASE ${OUTCOME_CASES.map(([when, outcome]) => `WHEN ${when} THEN ${text(outcome)}`).join('\n    ')}
    ELSE ${text('laxer')} END AS outcome
FROM (
  SELECT bits, requests, ${rank('legacy', 'legacyScore')} AS legacy_rank, ${rank('new', 'newScore')} AS new_rank
  FROM (SELECT bits, COUNT(*) AS requests FROM requests GROUP BY bits) counted
) ranked`;
}

/** The first condition that is true decides. */
const OUTCOME_CASES: readonly (readonly [when: string, outcome: Outcome])[] = [
  [
    `legacy_rank = 0 AND new_rank = 0 AND ${hasBits('bits', FACT_BITS.otherStopped)}`,
    'stopped-before',
  ],
  ['legacy_rank = 0 AND new_rank = 0', 'neither'],
  // The new WAF runs first (spec: validation mode): the legacy WAF never sees what it ends.
  [`legacy_rank = 0 AND ${hasBits('bits', FACT_BITS.newStopped)}`, 'hidden'],
  [`legacy_rank = 0 AND ${hasBits('bits', FACT_BITS.otherStopped)}`, 'cut-short'],
  // In sampled data an absence says nothing.
  [`(legacy_rank = 0 OR new_rank = 0) AND ${hasBits('bits', FACT_BITS.sampled)}`, 'sampled'],
  ['legacy_rank = 0', 'only-new'],
  ['new_rank = 0', 'only-legacy'],
  ['legacy_rank = 1 AND new_rank = 1', 'both-log'],
  ['legacy_rank = new_rank', 'both-act'],
  ['new_rank > legacy_rank', 'stricter'],
];

const examinedStage = ({ text }: Dialect): string =>
  `SELECT r.request AS request, o.outcome AS outcome FROM requests r JOIN outcomes o ON o.bits = r.bits
WHERE o.outcome IN (${EXAMINED.map(text).join(', ')})`;
