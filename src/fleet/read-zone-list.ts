import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { refuseDevice } from '../actions/refuse-device';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type ListEntry, parseZoneList } from './parse-zone-list';

/** More than a hundred thousand zones with much beside them. */
const MOST_BYTES = 64 * 2 ** 20;

/** Where a relative path and standard input come from. */
interface ListContext {
  readonly cwd: string;
  readonly readStdin: () => Promise<Buffer>;
}

/**
 * Reads the list of zones that the user named.
 * @param path `-` is standard input
 * @throws MigrationError `FILE_UNREADABLE`, `ZONES_FILE_INVALID`, `ZONES_EMPTY`
 */
export async function readZoneList(path: string, context: ListContext): Promise<ListEntry[]> {
  const shown = path === '-' ? 'standard input' : printable(path);
  const bytes =
    path === '-'
      ? await context.readStdin()
      : await readWhole(resolve(context.cwd, path)).catch((cause: unknown) => {
          throw new MigrationError('FILE_UNREADABLE', `cannot read ${shown}`, { cause });
        });
  const entries = parseZoneList(decode(bytes, shown));
  if (entries.length === 0) throw new MigrationError('ZONES_EMPTY', `${shown} names no zone`);
  return entries;
}

async function readWhole(path: string): Promise<Buffer> {
  refuseDevice(path);
  return readFile(path);
}

/** A spreadsheet may save UTF-16, which would be taken for names that nobody has. */
function decode(bytes: Buffer, shown: string): string {
  if (bytes.length > MOST_BYTES) {
    throw new MigrationError(
      'ZONES_FILE_INVALID',
      `${shown} is larger than ${MOST_BYTES / 2 ** 20} MiB: no list of zones is`,
    );
  }
  const text = bytes.toString('utf8');
  if (!text.includes('\0') && !text.includes('\ufffd')) return text;
  throw new MigrationError('ZONES_FILE_INVALID', `${shown} is not UTF-8 text`);
}
