import { MigrationError } from '../../model/migration-error';
import { standardText } from '../sql/dialect';
import { type Engine, type EngineOptions } from './engine';

/** So that the whole process stays under 1.5 GB: the engine counts its buffers only. */
const MEMORY = 1000;

/**
 * Opens DuckDB in this process. It is an optional peer dependency of 70 MB that only `review` loads. It reads nothing but the folder and
 * the files, and fetches no extension.
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
    rows: async (sql, parameters = []) => {
      const answer = await connection.runAndReadAll(sql, [...parameters]);
      return answer.getRowObjects().map(plain);
    },
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
