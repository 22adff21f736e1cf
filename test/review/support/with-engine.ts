import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareEvents, type Engine, openDuckDb } from '../../../src/review/query/duckdb';
import { EVENT_COLUMNS } from '../../../src/review/query/events';
import { type Intended } from '../../../src/review/managed-rules';
import { type ResultRow } from '../../../src/review/query/result-table';
import { temporaryFolder } from '../../support/temporary-folder';
import { type RawEvent } from './reference';

/** One engine for the tests of a file. */
export class EngineUnderTest {
  private constructor(
    readonly folder: string,
    readonly engine: Engine,
  ) {}

  static async open(): Promise<EngineUnderTest> {
    const folder = temporaryFolder();
    return new EngineUnderTest(folder, await openDuckDb({ folder, memory: 300 }));
  }

  close(): void {
    this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The comparison of events, through a file of lines. */
  async compare(events: readonly RawEvent[], intended: Intended): Promise<ResultRow[]> {
    const file = join(this.folder, 'events.ndjson');
    writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const columns = EVENT_COLUMNS.map((column) => `${column}: 'VARCHAR'`).join(', ');
    const table = `read_json('${file}', format = 'newline_delimited', columns = {${columns}})`;
    return compareEvents(this.engine, { table, present: EVENT_COLUMNS, intended });
  }
}
