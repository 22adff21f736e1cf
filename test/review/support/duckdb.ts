import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Intended } from '../../../src/review/query/comparison-query';
import { compareFiles } from '../../../src/review/query/duckdb';
import { type ResultRow } from '../../../src/review/query/events';
import { temporaryFolder } from '../../support/temporary-folder';
import { lines } from './event-files';
import { type RawEvent } from './reference';

/** The rows that the comparison of these events gives. */
export async function compareEvents(
  events: readonly RawEvent[],
  intended: Intended,
  folder = temporaryFolder(),
): Promise<readonly ResultRow[]> {
  const path = join(folder, 'events.ndjson');
  writeFileSync(path, lines(events) || '\n');
  return (await compareFiles([path], { folder, intended })).rows;
}

/** Runs statements in a DuckDB of its own, to write files for a test. */
export async function runDuckDb(...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}
