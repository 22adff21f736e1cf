import { MigrationError } from '../../core/migration-error';
import { type EventFile } from '../event-files';
import { comparisonStages, type Intended, RESULT_QUERY } from './comparison-query';
import { EVENT_COLUMNS, type ResultRow, resultRowSchema } from './events';

/** So that the whole process stays under 1.5 GB: DuckDB counts its buffers only. */
const MEMORY_MEGABYTES = 1000;
/** The longest line that is read; DuckDB reserves memory for it. */
const LONGEST_LINE_MEBIBYTES = 16;

/**
 * Compares the events of files with DuckDB: an optional peer dependency of 70 MB that only `review` loads. It
 * reads only the files, and fetches no extension. Each stage is a table: as one query, DuckDB would read
 * the events again for each answer.
 *
 * @param folder what does not fit into memory goes there
 * @throws MigrationError `REVIEW_ENGINE_MISSING`, `EVENTS_INVALID`
 */
export async function compareFiles(
  files: readonly EventFile[],
  { folder, intended }: { readonly folder: string; readonly intended: Intended },
): Promise<readonly ResultRow[]> {
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
    return answer.getRowObjects().map((row) => resultRowSchema.parse(row));
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
