import { EVENT_COLUMNS, type EventColumn } from '../event-columns';
import { type Intended } from '../intended';
import { answerStage, topStage } from './answer-stage';
import { type Dialect } from './dialect';
import { eventStage } from './event-stage';
import { actStage, examinedEventStage, hitStage } from './hit-stage';
import { examinedStage, outcomeStage, requestStage } from './request-stage';
import { sourceStage } from './source-stage';

/** What is compared. */
export interface ComparisonInput {
  /** The event table as it stands in a FROM clause. */
  readonly table: string;
  /** The columns that it has; all by default. */
  readonly present?: readonly EventColumn[];
  readonly intended: Intended;
}

/** One step of the comparison: a name and the query that makes it from those before. */
export interface Stage {
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
