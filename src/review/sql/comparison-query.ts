import { EXAMINED, type Outcome } from '../comparison';
import { EVENT_COLUMNS, type EventColumn, FACT_BITS, type Side, verdictBit } from '../events';
import { type Intended } from '../intended-actions';
import { actStage, answerStage, examinedEventStage, hitStage, topStage } from './answer-stage';
import { bitAnd, type Dialect } from './dialect';
import { eventStage } from './event-stage';

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
