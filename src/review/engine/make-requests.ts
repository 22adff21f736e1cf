import { type Stage } from '../sql/comparison-query';
import { type Engine } from './engine';

/** The middle of all hashes. */
const MIDDLE = 2n ** 63n;

/**
 * Makes the table of requests in two halves by the hash of the Ray ID: to group one half after the
 * other takes half of the memory, so that less is put on the disk, and a sixth less time.
 */
export async function makeRequests(engine: Engine, { name, query }: Stage): Promise<void> {
  const half = (condition: string): string => `SELECT * FROM (${query}) WHERE request ${condition}`;
  await engine.run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${half(`< ${MIDDLE}`)}`);
  await engine.run(`INSERT INTO ${name} ${half(`>= ${MIDDLE}`)}`);
}
