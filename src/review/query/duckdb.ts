import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { mapConcurrently } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { comparisonStages, type Intended, RESULT_QUERY } from './comparison-query';
import { EVENT_COLUMNS, type ResultRow, resultRowSchema } from './events';

/** So that the whole process stays under 1.5 GB: DuckDB counts its buffers only. */
const MEMORY_MEGABYTES = 1000;
/** The longest line that is read; DuckDB reserves memory for it. */
const LONGEST_LINE_MEBIBYTES = 16;
/** Each check holds an open file and a megabyte, and a month of Logpush has thousands of files. */
const CHECKED_AT_ONCE = 4;

interface EventFile {
  readonly path: string;
  readonly compression: 'uncompressed' | 'gzip';
}

/**
 * Compares the events of files with DuckDB: an optional peer dependency of 70 MB that only `review` loads. It
 * reads only the files, and fetches no extension. Each stage is a table: as one query, DuckDB would read
 * the events again for each answer.
 * @param folder what does not fit into memory goes there
 * @returns also the number of files that are not empty
 */
export async function compareFiles(
  paths: readonly string[],
  { folder, intended }: { readonly folder: string; readonly intended: Intended },
): Promise<{ readonly rows: readonly ResultRow[]; readonly files: number }> {
  const checked = await mapConcurrently(paths, CHECKED_AT_ONCE, checkEventFile);
  const files = checked.filter((file) => file !== undefined);
  if (files.length === 0) {
    throw new MigrationError('EVENTS_INVALID', 'the files of events are empty');
  }
  const instance = await createInstance(folder);
  const connection = await instance.connect();
  try {
    await connection.run(`SET allowed_directories = [${literal(folder)}]`);
    await connection.run(`SET allowed_paths = [${literals(files)}]`);
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    const input = { table: eventTable(files), sampled: "SampleInterval > '1'", intended };
    for (const { name, query } of comparisonStages('duckdb', input)) {
      await connection.run(`CREATE TEMP TABLE ${name} AS ${query}`);
    }
    // the largest table, which the result does not read
    await connection.run('DROP TABLE events');
    const answer = await connection.runAndReadAll(RESULT_QUERY);
    const rows = answer.getRowObjects().map((row) => resultRowSchema.parse(row));
    return { rows, files: files.length };
  } catch (cause) {
    const message = String(cause).includes('"maximum_object_size"')
      ? `a line of the events is longer than ${LONGEST_LINE_MEBIBYTES} MiB`
      : 'the events cannot be read';
    throw new MigrationError('EVENTS_INVALID', message, { cause });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function createInstance(folder: string) {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch((cause: unknown) => {
    const message = '`review` needs DuckDB, and the package @duckdb/node-api cannot be loaded';
    throw new MigrationError('REVIEW_ENGINE_MISSING', message, { cause });
  });
  return DuckDBInstance.create(':memory:', {
    memory_limit: `${MEMORY_MEGABYTES}MB`,
    temp_directory: folder,
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
}

const GZIP = 0x1f8b;

/**
 * Checks that DuckDB can read a file, and finds its compression by its first bytes: its name says little.
 * @returns undefined if the file is empty
 */
async function checkEventFile(path: string): Promise<EventFile | undefined> {
  const refuse = (what: string, hint: string): never => {
    const message = `${printable(path, 200)} ${what}`;
    throw new MigrationError('EVENTS_INVALID', message, { hint });
  };
  if (/[*?[]/.test(path)) refuse('is a pattern for DuckDB', 'rename the file: without *, ? and [');
  const head = await buffer(createReadStream(path, { end: 1 })).catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  if (head.length === 0) return undefined;
  const isGzip = head.length === 2 && head.readUInt16BE(0) === GZIP;
  if (isGzip && (await isCut(path))) refuse('is truncated or damaged', 'fetch the file again');
  return { path, compression: isGzip ? 'gzip' : 'uncompressed' };
}

/** Whether a gzip file is truncated or damaged: DuckDB 1.5.5 reads its beginning without an error. */
async function isCut(path: string): Promise<boolean> {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  return pipeline(file, createGunzip(), new PassThrough().resume()).then(
    () => false,
    () => true,
  );
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const literals = (files: readonly EventFile[]): string =>
  files.map(({ path }) => literal(path)).join(', ');

/** All files as one table of text columns, as written in a FROM clause. */
function eventTable(files: readonly EventFile[]): string {
  const columns = [...Object.keys(EVENT_COLUMNS), 'SampleInterval'];
  const types = columns.map((column) => `${column}: 'VARCHAR'`).join(', ');
  const tables = (['uncompressed', 'gzip'] as const).flatMap((compression) => {
    const own = files.filter((one) => one.compression === compression);
    // a line with an error becomes a row without any field, which is counted
    const options = `format = 'newline_delimited', columns = {${types}}, compression = '${compression}', ignore_errors = true, maximum_object_size = ${LONGEST_LINE_MEBIBYTES * 2 ** 20}`;
    return own.length === 0 ? [] : [`SELECT * FROM read_json([${literals(own)}], ${options})`];
  });
  return `(${tables.join(' UNION ALL ')}) files`;
}
