import { type EventColumn } from '../events';
import { type Intended } from '../intended-actions';
import { type ResultRow, resultRowSchema } from '../result-row';
import { answerStage } from '../sql/answer-stage';
import { comparisonStages } from '../sql/comparison-query';
import { duckdb } from '../sql/dialect';
import { type Engine } from './open-duckdb';

/** Tables that no later stage reads: dropped to free memory. */
const dropAfter: Readonly<Record<string, readonly string[]>> = {
  examined: ['requests'],
  hits: ['examined'],
};

/**
 * Runs the comparison stage by stage, each as a table: as one query, DuckDB would read the events again
 * for each answer. Keeps the table `events` for read-events.ts.
 *
 * @param input.table an event table or a table function, as written in a FROM clause
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
    // read once, and as wide as the events
    const kind = name === 'examined_events' ? 'VIEW' : 'TABLE';
    await engine.run(`CREATE OR REPLACE TEMP ${kind} ${name} AS ${query}`);
    for (const spent of dropAfter[name] ?? []) await engine.run(`DROP TABLE ${spent}`);
  }
  const rows = await engine.rows(answerStage(duckdb));
  return rows.map((row) => resultRowSchema.parse(row));
}
