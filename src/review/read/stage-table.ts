import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { linkFile } from './link-file';
import { sniffFile } from './sniff-file';

/** A table as the engine is given it. */
export interface StagedTable {
  readonly path: string;
  readonly target: string;
  readonly format: 'csv' | 'lines' | 'parquet';
  readonly compression: 'uncompressed' | 'gzip' | 'zstd';
}

/**
 * Puts a result table where the engine may read it, under a name of this tool's.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function stageTable(name: string, folder: string): Promise<StagedTable> {
  const { format, compression, first = '' } = await sniffFile(name);
  const path = join(folder, 'result');
  const target = await realpath(name);
  await linkFile(target, path);
  const kind = format === 'parquet' ? 'parquet' : first === '{' ? 'lines' : 'csv';
  return { path, target, format: kind, compression };
}
