import { type EventColumn } from '../event-columns';
import { type Intended } from '../intended';
import { type ResultRow, resultRowSchema } from '../result-row';
import { answerStage } from '../sql/answer-stage';
import { comparisonStages } from '../sql/comparison-query';
import { duckdb } from '../sql/dialects/duckdb';
import { type Engine } from './engine';
import { FIELD_STAGE } from './field-facts';

/** Tables that are needed no more once a step is made: memory for those that follow. */
const done: Readonly<Record<string, readonly string[]>> = {
  examined: ['requests'],
  hits: ['events', 'examined'],
};

/**
 * Runs the comparison step by step: the same stages as in the one query for other engines, each kept
 * as a table of its own, because DuckDB would go through the events again for each answer. Leaves the
 * table of field-facts.ts behind.
 *
 * @param table an event table or a table function, as it stands in a FROM clause
 */
export async function compareEvents(
  engine: Engine,
  input: {
    readonly table: string;
    readonly present: readonly EventColumn[];
    readonly intended: Intended;
  },
): Promise<ResultRow[]> {
  const [events, ...stages] = comparisonStages(duckdb, input);
  for (const { name, query } of [events, FIELD_STAGE, ...stages]) {
    await engine.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${query}`);
    for (const spent of done[name] ?? []) await engine.run(`DROP TABLE ${spent}`);
  }
  const rows = await engine.rows(answerStage(duckdb));
  return rows.map((row) => resultRowSchema.parse(row));
}
