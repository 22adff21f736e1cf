import { duckdb } from '../sql/dialects/duckdb';
import { actStage, hitStage } from '../sql/hit-stage';
import { type Engine } from './engine';

const KEY = 'hash(request, side, rule_id)';
const REPEATED = `${KEY} IN (SELECT act FROM repeats)`;

/**
 * Makes the table of hits: most events are there once, and only those that are there more often are
 * put together. To group all of them takes a third longer. Two that merely have the same hash are
 * grouped in vain, and stay two.
 */
export async function makeHits(engine: Engine): Promise<void> {
  for (const statement of [
    `CREATE OR REPLACE TEMP TABLE hits AS ${actStage(duckdb)}`,
    `CREATE OR REPLACE TEMP TABLE repeats AS SELECT ${KEY} AS act FROM hits GROUP BY act HAVING count(*) > 1`,
    `CREATE OR REPLACE TEMP TABLE merged AS ${hitStage(`(SELECT * FROM hits WHERE ${REPEATED}) acts`)}`,
    `DELETE FROM hits WHERE ${REPEATED}`,
    'INSERT INTO hits BY NAME SELECT * FROM merged',
    'DROP TABLE merged',
  ]) {
    await engine.run(statement);
  }
}
