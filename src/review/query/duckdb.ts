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
  /** Events of requests that differ with a time that is not understood. */
  readonly unknownTimes: number;
  /** Fields that no event of the requests that differ has. */
  readonly missing: readonly string[];
  /** The last two labels of the hosts of requests that differ, most frequent first. */
  readonly domains: readonly string[];
  /** Names of gzip files that end too early or are damaged. */
  readonly cut: readonly string[];
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
 * @param zoneName only events of this host and of its subdomains
 * @throws MigrationError `REVIEW_ENGINE_MISSING`, `EVENTS_INVALID`
 */
export async function compareFiles(
  input: EventInput,
  {
    folder,
    intended,
    zoneName,
  }: {
    readonly folder: string;
    readonly intended: Intended;
    readonly zoneName: string | undefined;
  },
): Promise<{ readonly rows: readonly ResultRow[]; readonly intake: Intake }> {
  const engine = await openDuckDb(folder, input.targets);
  try {
    const table = eventTable(input.files, zoneName);
    for (const { name, query } of comparisonStages(dialects.duckdb, { table, intended })) {
      // read once, and as wide as the events
      const kind = name === 'examined_events' ? 'VIEW' : 'TABLE';
      await engine.run(`CREATE TEMP ${kind} ${name} AS ${query}`);
      for (const table of DROP_AFTER[name] ?? []) await engine.run(`DROP TABLE ${table}`);
    }
    const answer = await engine.rows(resultQuery(dialects.duckdb));
    const rows = answer.map((row) => resultRowSchema.parse(row));
    return { rows, intake: await readIntake(engine, input, rows) };
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
  // otherwise a time with a zone becomes text in the zone of the machine, which counts as no time
  await run("SET TimeZone = 'UTC'");
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
function eventTable(files: readonly EventFile[], zoneName: string | undefined): string {
  const parts = files.filter(({ format }) => format === 'parquet').map(parquetTable);
  for (const compression of ['uncompressed', 'gzip'] as const) {
    const own = files.filter((one) => one.format === 'lines' && one.compression === compression);
    if (own.length > 0) parts.push(lineTable(own, compression));
  }
  const all = `(${parts.map((part) => `SELECT * FROM ${part}`).join(' UNION ALL ')})`;
  if (zoneName === undefined) return all;
  const host = zoneName.toLowerCase().replace(/\.$/, '');
  // an event without a host may be of the zone
  return `(SELECT * FROM ${all} WHERE ClientRequestHost IS NULL OR lower(ClientRequestHost) = ${standardText(host)} OR ends_with(lower(ClientRequestHost), ${standardText(`.${host}`)}))`;
}

function lineTable(files: readonly EventFile[], compression: EventFile['compression']): string {
  const paths = files.map(({ path }) => standardText(path)).join(', ');
  const columns = EVENT_COLUMNS.map((column) => `${column}: 'VARCHAR'`).join(', ');
  // a line with an error becomes a row without any field, which is counted
  return `read_json([${paths}], format = 'newline_delimited', columns = {${columns}}, compression = '${compression}', ignore_errors = true, maximum_object_size = ${LONGEST_LINE_MEBIBYTES * 2 ** 20})`;
}

/** The columns of a Parquet file as text, whatever their case and type; a column that it lacks is null. */
function parquetTable({ path }: EventFile): string {
  const none = EVENT_COLUMNS.map((column) => `CAST(NULL AS VARCHAR) AS ${column}`).join(', ');
  return `(SELECT ${EVENT_COLUMNS.join(', ')} FROM (SELECT ${none} WHERE false
    UNION ALL BY NAME SELECT * FROM read_parquet(${standardText(path)}, binary_as_string = true)))`;
}

/** The columns of the table `hits`, with the fields that a finding names when no hit has them. */
const FIELDS = {
  rule_id: 'RuleID',
  client: 'ClientIP',
  host: 'ClientRequestHost',
  path: 'ClientRequestPath',
  method: 'ClientRequestMethod',
  query_string: 'ClientRequestQuery',
  time_text: 'Datetime',
} as const;

const UNKNOWN_TIME = "seen IS NULL AND time_text <> '' AND time_text NOT LIKE '____-__-%'";

async function readIntake(
  engine: Engine,
  { files, cut }: EventInput,
  rows: readonly ResultRow[],
): Promise<Intake> {
  const kinds = rows.filter(({ section }) => section === 'event');
  const sum = (matches: (bits: number) => boolean): number =>
    kinds.reduce((total, { verdict, requests }) => total + (matches(verdict) ? requests : 0), 0);
  const isBlank = (bits: number): boolean => (bits & FACT_BITS.blank) !== 0;
  const having = (bit: number): number => sum((bits) => !isBlank(bits) && (bits & bit) !== 0);
  // a request without a query has an empty one
  const counts = Object.keys(FIELDS).map((column) =>
    column === 'query_string'
      ? `count(${column}) AS ${column}`
      : `count(nullif(${column}, '')) AS ${column}`,
  );
  const [fields = {}] = await engine.rows(
    `SELECT count(*) AS hits, count(*) FILTER (${UNKNOWN_TIME}) AS unknown, ${counts.join(', ')} FROM hits`,
  );
  const domains = await engine.rows(
    `SELECT regexp_extract(lower(host), '[^.]+(\\.[^.]+)?$') AS domain
     FROM hits WHERE host <> '' GROUP BY domain HAVING domain <> '' ORDER BY count(*) DESC, domain LIMIT 5`,
  );
  return {
    files: files.length,
    events: sum((bits) => !isBlank(bits)),
    unreadable: sum(isBlank),
    withoutRay: having(FACT_BITS.withoutRay),
    unknownActions: having(FACT_BITS.unknownAction),
    unknownTimes: Number(fields['unknown']),
    missing: Object.entries(FIELDS).flatMap(([column, name]) =>
      fields['hits'] !== 0 && fields[column] === 0 ? [name] : [],
    ),
    domains: domains.map(({ domain }) => String(domain)),
    cut,
  };
}
