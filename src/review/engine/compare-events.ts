import { type EventColumn } from '../event-columns';
import { type Intended } from '../intended';
import { type ResultRow, resultRowSchema } from '../result-row';
import { answerStage } from '../sql/answer-stage';
import { comparisonStages, type Stage } from '../sql/comparison-query';
import { duckdb } from '../sql/dialects/duckdb';
import { type Engine } from './engine';
import { FIELD_STAGE, FORM } from './field-facts';
import { makeHits } from './make-hits';
import { makeRequests } from './make-requests';
import { NARROW_EVENTS, packedStage, UNPACKED_EVENTS } from './packed-events';

/** Tables that are needed no more once a step is made: memory for those that follow. */
const done: Readonly<Record<string, readonly string[]>> = {
  examined: ['requests'],
  hits: ['packed_events', 'examined'],
};

/**
 * Runs the comparison step by step: the same stages as in the one query for other engines, each kept
 * as a table of its own, because DuckDB would go through the events again for each answer. Only how
 * events and hits are kept is its own. Leaves the table of field-facts.ts behind.
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
  const table = ({ name, query }: Stage): Promise<void> =>
    engine.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${query}`);
  const view = (name: string, query: string): Promise<void> =>
    engine.run(`CREATE OR REPLACE TEMP VIEW ${name} AS ${query}`);
  const own: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
    requests: (stage) => makeRequests(engine, stage),
    examined_events: ({ name }) => view(name, UNPACKED_EVENTS),
    hits: () => makeHits(engine),
    several: async () => {}, // made with the hits
  };
  const [events, ...stages] = comparisonStages(duckdb, input);
  await table(packedStage(events, FORM));
  await table(FIELD_STAGE);
  await view(events.name, NARROW_EVENTS);
  for (const stage of stages) {
    await (own[stage.name] ?? table)(stage);
    for (const spent of done[stage.name] ?? []) await engine.run(`DROP TABLE ${spent}`);
  }
  const rows = await engine.rows(answerStage(duckdb));
  return rows.map((row) => resultRowSchema.parse(row));
}
