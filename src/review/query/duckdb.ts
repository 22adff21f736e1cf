import { MigrationError } from '../../core/migration-error';
import { type Intended } from '../managed-rules';
import { comparisonStages } from './comparison-query';
import { duckdb, standardText } from './dialect';
import { EVENT_COLUMNS, type EventColumn, FACT_BITS, SIDES } from './events';
import { answerStage, type ResultRow, resultRowSchema } from './result-table';
import { type EventFile, type EventInput, type Intake } from '../read/event-files';

/** The embedded engine, as the review uses it. */
export interface Engine {
  /** Runs a statement without an answer. */
  readonly run: (sql: string) => Promise<void>;
  /** The rows of an answer; integers are numbers. */
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly close: () => void;
}

/** What the engine may use. */
interface EngineOptions {
  /** The folder that it may read from and write to. */
  readonly folder: string;
  /** Real paths of further files that it may read: links in the folder lead to them. */
  readonly files?: readonly string[];
  /** In megabytes: what does not fit goes to the folder. */
  readonly memory?: number;
}

/** So that the whole process stays under 1.5 GB: the engine counts its buffers only. */
const MEMORY = 1000;

/**
 * Opens DuckDB in this process: an optional peer dependency of 70 MB that only `review` loads. It reads
 * only the folder and the files, and fetches no extension.
 *
 * @throws MigrationError `REVIEW_ENGINE_MISSING` where it is not installed or not made for this machine
 */
export async function openDuckDb({
  folder,
  files = [],
  memory = MEMORY,
}: EngineOptions): Promise<Engine> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((cause: unknown) => {
    throw new MigrationError(
      'REVIEW_ENGINE_MISSING',
      '`review` needs DuckDB, and the package @duckdb/node-api cannot be loaded',
      { cause },
    );
  });
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${memory}MB`,
    temp_directory: folder,
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  for (const setting of [
    `SET allowed_directories = [${standardText(folder)}]`,
    `SET allowed_paths = [${files.map(standardText).join(', ')}]`,
    // a time with a zone becomes text in that of the machine otherwise, which is read as no time
    "SET TimeZone = 'UTC'",
    'SET enable_external_access = false',
    'SET lock_configuration = true',
  ]) {
    await connection.run(setting);
  }
  return {
    run: async (sql) => {
      await connection.run(sql);
    },
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRowObjects().map(plain),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Counts come as bigint. */
function plain(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : value,
    ]),
  );
}

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

/** The longest line that is read; the engine reserves memory for it. */
export const LONGEST_LINE_MEBIBYTES = 16;

/**
 * All files as one table of text columns, as written in a FROM clause.
 * @param zoneName only events of this host and of its subdomains
 */
export function eventTable(files: readonly EventFile[], zoneName?: string): string {
  const parts = files.filter(({ format }) => format === 'parquet').map(parquetOf);
  for (const compression of ['uncompressed', 'gzip'] as const) {
    const own = files.filter((one) => one.format === 'lines' && one.compression === compression);
    if (own.length > 0) parts.push(linesOf(own, compression));
  }
  const all = `(${parts.map((part) => `SELECT * FROM ${part}`).join(' UNION ALL ')})`;
  return zoneName === undefined ? all : `(SELECT * FROM ${all} WHERE ${ofZone(zoneName)})`;
}

/** Whether an event is of a zone; one without a host may be. */
function ofZone(zoneName: string): string {
  const host = zoneName.toLowerCase().replace(/\.$/, '');
  const [name, below] = [standardText(host), standardText(`.${host}`)];
  return `(ClientRequestHost IS NULL OR lower(ClientRequestHost) = ${name} OR ends_with(lower(ClientRequestHost), ${below}))`;
}

function linesOf(files: readonly EventFile[], compression: EventFile['compression']): string {
  const paths = files.map(({ path }) => standardText(path)).join(', ');
  const columns = EVENT_COLUMNS.map((column) => `${column}: 'VARCHAR'`).join(', ');
  // a line with an error becomes a row without any field, which is counted
  return `read_json([${paths}], format = 'newline_delimited', columns = {${columns}}, compression = '${compression}', ignore_errors = true, maximum_object_size = ${LONGEST_LINE_MEBIBYTES * 2 ** 20})`;
}

/** The columns of a Parquet file as text, whatever their case and type; a column that it lacks is null. */
function parquetOf({ path }: EventFile): string {
  const none = EVENT_COLUMNS.map((column) => `CAST(NULL AS VARCHAR) AS ${column}`).join(', ');
  return `(SELECT ${EVENT_COLUMNS.join(', ')} FROM (SELECT ${none} WHERE false
    UNION ALL BY NAME SELECT * FROM read_parquet(${standardText(path)}, binary_as_string = true)))`;
}

/** What the numbers are based on, once the events were compared. */
export async function takeIn(
  engine: Engine,
  { files, cut }: EventInput,
  rows: readonly ResultRow[],
): Promise<Intake> {
  const counts = rows.filter(({ section }) => section === 'event');
  const isBlank = ({ verdict }: ResultRow): boolean => (verdict & FACT_BITS.blank) !== 0;
  const read = counts.filter((row) => !isBlank(row));
  const having = (bit: number): number => sum(read.filter(({ verdict }) => (verdict & bit) !== 0));
  return {
    files: files.length,
    events: sum(read),
    unreadable: sum(counts.filter(isBlank)),
    withoutRay: having(FACT_BITS.withoutRay),
    sampled: having(FACT_BITS.sampled),
    unknownActions: having(FACT_BITS.unknownAction),
    ...(await fieldFacts(engine)),
    cut,
  };
}

const sum = (rows: readonly ResultRow[]): number =>
  rows.reduce((total, { requests }) => total + requests, 0);

/** The fields that a finding names when no event of either WAF has them. */
const FIELDS = {
  rule_id: 'RuleID',
  client: 'ClientIP',
  host: 'ClientRequestHost',
  path: 'ClientRequestPath',
  method: 'ClientRequestMethod',
  query_string: 'ClientRequestQuery',
  seen: 'Datetime',
} as const;

/** Events of either WAF: the verdict bits of all sides but `other`. */
const OF_WAF = `(bits & ${0xfffff & ~(0xf << (SIDES.other * 4))}) <> 0`;

const UNKNOWN_TIME = `seen <> '' AND seen NOT LIKE '____-__-%'
  AND NOT (length(seen) IN (10, 13, 16, 19) AND coalesce(TRY_CAST(seen AS BIGINT) >= 0, false))`;

/** What the events of the two WAFs have, from the table `events` of the comparison. */
async function fieldFacts(
  engine: Engine,
): Promise<Pick<Intake, 'unknownTimes' | 'missing' | 'domains'>> {
  // a request without a query has an empty one
  const counts = Object.keys(FIELDS).map((column) =>
    column === 'query_string'
      ? `count(${column}) AS ${column}`
      : `count(nullif(${column}, '')) AS ${column}`,
  );
  const [facts = {}] = await engine.rows(
    `SELECT count(*) AS events, count(*) FILTER (${UNKNOWN_TIME}) AS unknown, ${counts.join(', ')}
     FROM events WHERE ${OF_WAF}`,
  );
  const missing = Object.entries(FIELDS).flatMap(([column, name]) =>
    facts['events'] !== 0 && facts[column] === 0 ? [name] : [],
  );
  const domains = await engine.rows(
    `SELECT regexp_extract(lower(host), '[^.]+(\\.[^.]+)?$') AS domain, sum(events) AS events
     FROM (SELECT host, count(*) AS events FROM events WHERE ${OF_WAF} AND host <> '' GROUP BY host)
     GROUP BY domain HAVING domain <> '' ORDER BY events DESC, domain LIMIT 5`,
  );
  return {
    unknownTimes: Number(facts['unknown']),
    missing,
    domains: domains.map(({ domain }) => String(domain)),
  };
}
