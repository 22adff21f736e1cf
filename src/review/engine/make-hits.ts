import { duckdb } from '../sql/dialects/duckdb';
import { actStage, hitStage, severalStage } from '../sql/hit-stage';
import { type Engine } from './engine';

const REPEATED = '(request, side) IN (SELECT request, side FROM several)';

/**
 * Makes the tables of hits and of `several`: most requests have one hit of a side, and only those that
 * have more are put together. To group all of them takes a third longer.
 */
export async function makeHits(engine: Engine): Promise<void> {
  for (const statement of [
    `CREATE OR REPLACE TEMP TABLE hits AS ${actStage(duckdb)}`,
    `CREATE OR REPLACE TEMP TABLE several AS ${severalStage()}`,
    `CREATE OR REPLACE TEMP TABLE merged AS ${hitStage(`(SELECT * FROM hits WHERE ${REPEATED}) acts`)}`,
    `DELETE FROM hits WHERE ${REPEATED}`,
    'INSERT INTO hits BY NAME SELECT * FROM merged',
    'DROP TABLE merged',
  ]) {
    await engine.run(statement);
  }
}
