import { compareTexts } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { type EventFile, type EventInput } from '../read/event-files';
import { comparisonStages, type Intended } from './comparison-query';
import { dialects, standardText } from './dialect';
import { EVENT_COLUMNS, FACT_BITS } from './events';
import { resultQuery, type ResultRow, resultRowSchema } from './result-table';

/** What the answers are based on. */
export interface Intake {
  readonly files: number;
  /** Events of either WAF and of other products. */
  readonly events: number;
  /** Lines that are no event: no JSON, or none of the fields. */
  readonly unreadable: number;
  readonly withoutRay: number;
  readonly unknownActions: number;
  /** The last two labels of hosts of requests that differ; the first five by name. */
  readonly domains: readonly string[];
}

/** So that the whole process stays under 1.5 GB: DuckDB counts its buffers only. */
const MEMORY_MEGABYTES = 1000;
/** The longest line that is read; DuckDB reserves memory for it. */
const LONGEST_LINE_MEBIBYTES = 16;

/** Tables that no later stage reads: dropped to free memory. */
const DROP_AFTER: Readonly<Record<string, readonly string[]>> = {
  examined: ['requests'],
  hits: ['examined', 'events'],
};

/**
 * Compares the events of files with DuckDB, stage by stage, each as a table: as one query, DuckDB would read
 * the events again for each answer.
 *
 * @param folder what does not fit into memory goes there
 * @throws MigrationError `REVIEW_ENGINE_MISSING`, `EVENTS_INVALID`
 */
export async function compareFiles(
  input: EventInput,
  { folder, intended }: { readonly folder: string; readonly intended: Intended },
): Promise<{ readonly rows: readonly ResultRow[]; readonly intake: Intake }> {
  const engine = await openDuckDb(folder, input.targets);
  try {
    const table = eventTable(input.files);
    for (const { name, query } of comparisonStages(dialects.duckdb, { table, intended })) {
      // read once, and as wide as the events
      const kind = name === 'examined_events' ? 'VIEW' : 'TABLE';
      await engine.run(`CREATE TEMP ${kind} ${name} AS ${query}`);
      for (const table of DROP_AFTER[name] ?? []) await engine.run(`DROP TABLE ${table}`);
    }
    const answer = await engine.rows(resultQuery(dialects.duckdb));
    const rows = answer.map((row) => resultRowSchema.parse(row));
    return { rows, intake: intakeOf(rows, input) };
  } catch (cause) {
    // DuckDB names the links in the folder, not the files
    const message = String(cause).includes('"maximum_object_size"')
      ? `a line of the events is longer than ${LONGEST_LINE_MEBIBYTES} MiB`
      : 'the events cannot be read';
    throw new MigrationError('EVENTS_INVALID', message, { cause });
  } finally {
    engine.close();
  }
}

/** DuckDB, as the review uses it. */
interface Engine {
  readonly run: (sql: string) => Promise<void>;
  /** The rows of an answer; integers are numbers. */
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly close: () => void;
}

/**
 * Opens DuckDB in this process: an optional peer dependency of 70 MB that only `review` loads. It reads
 * only the folder and the files, and fetches no extension.
 *
 * @param files real paths: links in the folder lead to them
 */
async function openDuckDb(folder: string, files: readonly string[]): Promise<Engine> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((cause: unknown) => {
    throw new MigrationError(
      'REVIEW_ENGINE_MISSING',
      '`review` needs DuckDB, and the package @duckdb/node-api cannot be loaded',
      { cause },
    );
  });
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${MEMORY_MEGABYTES}MB`,
    temp_directory: folder,
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  const run = async (sql: string): Promise<void> => {
    await connection.run(sql);
  };
  await run(`SET allowed_directories = [${standardText(folder)}]`);
  await run(`SET allowed_paths = [${files.map(standardText).join(', ')}]`);
  await run('SET enable_external_access = false');
  await run('SET lock_configuration = true');
  return {
    run,
    rows: async (sql) => {
      const answer = await connection.runAndReadAll(sql);
      return answer.getRowObjects().map((row) =>
        Object.fromEntries(
          // counts come as bigint
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === 'bigint' ? Number(value) : value,
          ]),
        ),
      );
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** All files as one table of text columns, as written in a FROM clause. */
function eventTable(files: readonly EventFile[]): string {
  const tables = (['uncompressed', 'gzip'] as const).flatMap((compression) => {
    const own = files.filter((one) => one.compression === compression);
    return own.length === 0 ? [] : [`SELECT * FROM ${lineTable(own, compression)}`];
  });
  return `(${tables.join(' UNION ALL ')})`;
}

function lineTable(files: readonly EventFile[], compression: EventFile['compression']): string {
  const paths = files.map(({ path }) => standardText(path)).join(', ');
  const columns = EVENT_COLUMNS.map((column) => `${column}: 'VARCHAR'`).join(', ');
  // a line with an error becomes a row without any field, which is counted
  return `read_json([${paths}], format = 'newline_delimited', columns = {${columns}}, compression = '${compression}', ignore_errors = true, maximum_object_size = ${LONGEST_LINE_MEBIBYTES * 2 ** 20})`;
}

function intakeOf(rows: readonly ResultRow[], { files }: EventInput): Intake {
  const kinds = rows.filter(({ section }) => section === 'event');
  const sum = (matches: (bits: number) => boolean): number =>
    kinds.reduce((total, { verdict, requests }) => total + (matches(verdict) ? requests : 0), 0);
  const isBlank = (bits: number): boolean => (bits & FACT_BITS.blank) !== 0;
  const having = (bit: number): number => sum((bits) => !isBlank(bits) && (bits & bit) !== 0);
  const domains = rows.flatMap(({ section, item }) =>
    section === 'host' ? (/[^.]+(?:\.[^.]+)?$/.exec(item.toLowerCase())?.[0] ?? []) : [],
  );
  return {
    files: files.length,
    events: sum((bits) => !isBlank(bits)),
    unreadable: sum(isBlank),
    withoutRay: having(FACT_BITS.withoutRay),
    unknownActions: having(FACT_BITS.unknownAction),
    domains: [...new Set(domains)].sort(compareTexts).slice(0, 5),
  };
}
