import { MigrationError } from '../../core/migration-error';
import { standardText } from '../sql/dialect';

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
