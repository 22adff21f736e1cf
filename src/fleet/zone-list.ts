import { isUtf8 } from 'node:buffer';
import { lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CsvError, parse } from 'csv-parse/sync';
import { isZone } from '../core/identifier';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

export interface ListEntry {
  readonly text: string;
  /** The other text for the zone if `text` is its id: its name or a label. */
  readonly name?: string;
  /** The line number in the list, from 1. */
  readonly line: number;
  /** The Terraform folder of the zone, if the list names it. */
  readonly dir?: string;
}

const DELIMITERS = [',', ';', '\t'];

/** Column names of the id, the name and the Terraform folder of a zone; the first match counts. */
const IDS = ['zone_id', 'zoneid', 'id'];
const NAMES = ['zone', 'zone_name', 'domain', 'name'];
const FOLDERS = ['dir', 'folder', 'directory'];

/** About 100,000 zones; each entry that is no zone has an error. */
const MOST_BYTES = 10_000_000;

/**
 * Reads the list of zones.
 * @param path `-` is standard input
 * @throws MigrationError `FILE_UNREADABLE`, `ZONES_FILE_INVALID`, `ZONES_EMPTY`
 */
export async function readZoneList(
  path: string,
  context: { readonly cwd: string; readonly readStdin: () => AsyncIterable<Uint8Array> },
): Promise<ListEntry[]> {
  const shown = path === '-' ? 'standard input' : printable(path);
  const file = resolve(context.cwd, path);
  // a pull request could add a link to a secret, whose lines this tool would then print as unknown zones
  const isLink = attempt(() => lstatSync(file))?.isSymbolicLink() === true;
  if (path !== '-' && isLink && !file.startsWith('/dev/')) {
    throw new MigrationError('ZONES_FILE_INVALID', `${shown} is a link`, {
      hint: 'pass the file that it leads to',
    });
  }
  const bytes =
    path === '-'
      ? await buffer(context.readStdin())
      : await readFile(file).catch((cause: unknown) => {
          throw new MigrationError('FILE_UNREADABLE', `cannot read ${shown}`, { cause });
        });
  if (bytes.length > MOST_BYTES) {
    throw new MigrationError('ZONES_FILE_INVALID', `${shown} is larger than 10 MB`, {
      hint: 'check that it is a list of zones; split a longer list over several files',
    });
  }
  // the UTF-16 of spreadsheets would give wrong names
  if (!isUtf8(bytes)) throw new MigrationError('ZONES_FILE_INVALID', `${shown} is not UTF-8 text`);
  const entries = parseZoneList(bytes.toString('utf8'));
  if (entries.length === 0) throw new MigrationError('ZONES_EMPTY', `${shown} names no zone`);
  return entries;
}

/**
 * Parses a list of zones: one id or name on each line, or CSV with the delimiter of the first line. `#` starts a
 * comment. A header selects the columns with ids or names; if a line has both, they must match. Without a header, the
 * first column counts.
 * @throws MigrationError `ZONES_FILE_INVALID` for invalid CSV, and for a line with several zones and no header
 */
export function parseZoneList(text: string): ListEntry[] {
  const first = text.split(/[\r\n]+/).find((line) => /^\s*[^\s#]/.test(line)) ?? '';
  const delimiter = DELIMITERS.find((one) => first.includes(one)) ?? ',';
  const rows = parseRows(text, delimiter);
  const head = rows[0]?.fields ?? [];
  const columns = [IDS, NAMES, FOLDERS].map((known) => columnOf(head, known));
  const [idColumn, nameColumn] = columns;
  if (idColumn === -1 && nameColumn === -1) return rows.map(withoutHeader);
  const lines = text.split(/\r\n|\n|\r/);
  return rows.slice(1).map(({ fields, line }) => {
    if (fields.length < head.length) refuseHidden(lines[line - 1] ?? '', line, delimiter);
    const [id, name, dir] = columns.map((column) => fields[column] ?? '');
    return { text: id || name || '', ...(id && name && { name }), line, ...(dir && { dir }) };
  });
}

/** Refuses a line whose last columns are behind a `#`. It starts a comment only after a space. */
function refuseHidden(text: string, line: number, delimiter: string): void {
  const unquoted = text.replace(/"[^"]*"/g, '');
  const [, hidden = ''] = /\S#(.*)/.exec(unquoted) ?? [];
  if (!hidden.includes(delimiter)) return;
  throw new MigrationError('ZONES_FILE_INVALID', `"#" in line ${line} hides the columns after it`, {
    hint: 'put the cell in double quotes',
  });
}

interface Row {
  readonly fields: readonly string[];
  readonly line: number;
}

function parseRows(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  try {
    parse(text, {
      bom: true,
      comment: '#',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_records_with_empty_values: true,
      trim: true,
      delimiter,
      on_record: (fields: string[], { lines }) => {
        rows.push({ fields, line: lines });
      },
    });
  } catch (error) {
    const problem = error instanceof CsvError ? printable(error.message, 200) : String(error);
    throw new MigrationError('ZONES_FILE_INVALID', `the list is not valid CSV: ${problem}`);
  }
  return rows;
}

/** Returns -1 if the line has no such column. */
function columnOf(fields: readonly string[], known: readonly string[]): number {
  const names = fields.map((field) => field.toLowerCase().replace(/[ -]/g, '_'));
  return known.map((name) => names.indexOf(name)).find((column) => column !== -1) ?? -1;
}

/** Returns the zone of a line without a header. Two zones are an error, because one of them would be skipped. */
function withoutHeader({ fields: [text = '', ...others], line }: Row): ListEntry {
  if (!others.some(isZone)) return { text, line };
  throw new MigrationError('ZONES_FILE_INVALID', `line ${line} has several zones`, {
    hint: 'write one zone a line, or name the columns in the first line, such as zone_id,name',
  });
}
