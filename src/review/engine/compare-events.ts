import { type EventColumn } from '../event-columns';
import { type Intended } from '../intended';
import { type ResultRow, resultRowSchema } from '../result-row';
import { answerStage } from '../sql/answer-stage';
import { comparisonStages } from '../sql/comparison-query';
import { duckdb } from '../sql/dialects/duckdb';
import { type Engine } from './engine';

/**
 * Runs the comparison step by step: the same stages as in the one query for other engines, each kept
 * as a table of its own, because DuckDB would go through the events again for each answer.
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
  for (const { name, query } of comparisonStages(duckdb, input)) {
    await engine.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${query}`);
  }
  const rows = await engine.rows(answerStage(duckdb));
  return rows.map((row) => resultRowSchema.parse(row));
}
