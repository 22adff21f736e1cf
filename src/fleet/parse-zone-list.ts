import { isIdentifier } from '../model/identifier';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { listRecords } from './list-records';

/** One zone of a list, as somebody wrote it: an id or a name. */
export interface ListEntry {
  readonly text: string;
  /** What the list calls the zone, where `text` is its id: its name, or a label of somebody's. */
  readonly name?: string;
  /** Where it stands, from 1. */
  readonly line: number;
  /** The Terraform folder that has its state, where the list says so. */
  readonly dir?: string;
}

const MOST_LINES = 100_000;

/** What a header calls the columns of the id, the name and the Terraform folder of a zone, the plainest first. */
const IDS = ['zone_id', 'zoneid', 'id'];
const NAMES = ['zone', 'zone_name', 'domain', 'name'];
const FOLDERS = ['dir', 'folder', 'directory'];
/** At least two labels, the last of them with a letter: neither a number nor the name of a plan. */
const DOMAIN =
  /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*\.[\p{N}_-]*\p{L}[\p{L}\p{M}\p{N}_-]*\.?$/u;

/**
 * Reads a list of zones: ids or names, one a line, or CSV. `#` begins a comment, at the start of a
 * line or after white space, and not in quotes. Of CSV the columns count that a header names: an id, else a name; where
 * both are there they must be of one zone, unless the name is no domain. Without a header the first one counts. A header can name a column with the
 * Terraform folder as well, and what stands between its columns does so in every line.
 * @throws MigrationError `ZONES_FILE_INVALID` for a line with several zones, where no header says which, or
 *   that is too long, and for a list of more than 100,000 lines
 */
export function parseZoneList(text: string): ListEntry[] {
  if (text.split(/[\r\n]+/, MOST_LINES + 2).length > MOST_LINES + 1) {
    const most = MOST_LINES.toLocaleString('en-GB');
    throw new MigrationError('ZONES_FILE_INVALID', `the list has more than ${most} lines`, {
      hint: 'split the list, and run the command for each part',
    });
  }
  const lines = listRecords(text.replace(/^\ufeff/, '')).filter((line) =>
    fieldsOf(line.text).some((field) => field !== ''),
  );
  const [first = ''] = lines.map((line) => line.text);
  const delimiter = [',', ';', '\t'].find(
    (one) => first.includes(one) && columnOf(fieldsOf(first, one), [...IDS, ...NAMES]) !== -1,
  );
  const head = fieldsOf(first, delimiter);
  const [ids, names, folders] = [IDS, NAMES, FOLDERS].map((known) => columnOf(head, known));
  if (ids === -1 && names === -1) {
    return lines.map(({ text: row, line }) => withoutHeader(fieldsOf(row), line));
  }
  const fieldOf = (fields: readonly string[], column = -1): string => fields[column] ?? '';
  return lines.slice(1).map(({ text: row, line }) => {
    const fields = fieldsOf(row, delimiter);
    const [id, name] = [fieldOf(fields, ids), fieldOf(fields, names)];
    const dir = fieldOf(fields, folders);
    return { ...entryOf(id, name, line), ...(dir === '' ? {} : { dir }) };
  });
}

function entryOf(id: string, name: string, line: number): ListEntry {
  return id === '' || name === '' ? { text: id || name, line } : { text: id, name, line };
}

/** Whether a text can be the id or the name of a zone, and is no label of somebody's. */
export function isZone(field: string): boolean {
  return isId(field) || DOMAIN.test(field);
}

function isId(field: string): boolean {
  return isIdentifier(field.toLowerCase());
}

/** The zone of a line that no header explains: an id and its name are one zone, two names are two. */
function withoutHeader([text = '', ...others]: readonly string[], line: number): ListEntry {
  const [other, ...more] = others.filter(isZone);
  if (other === undefined) return { text, line };
  if (isId(text) && !isId(other) && more.length === 0) return entryOf(text, other, line);
  const [one, two] = [text, other].map((field) => `"${printable(field, 100)}"`);
  throw new MigrationError(
    'ZONES_FILE_INVALID',
    `line ${line} has ${one} and ${two}: which counts?`,
    {
      hint: 'write one zone a line, or a first line that names the columns, such as zone_id,name',
    },
  );
}

/** Commas, semicolons (spreadsheets of half of Europe) and tabs; a field may stand in quotes. */
function fieldsOf(line: string, delimiters = ',;\t'): string[] {
  const [any, other] = [`[${delimiters}]`, `[^${delimiters}]`];
  const field = new RegExp(`(?:"(?:[^"]|"")*"|${other})+|(?<=${any}|^)(?=${any}|$)`, 'g');
  return (line.match(field) ?? []).map((text) => {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*$/.exec(text)?.[1];
    return (quoted?.replaceAll('""', '"') ?? text).trim();
  });
}

/** -1 for a line that names no such column. */
function columnOf(fields: readonly string[], known: readonly string[]): number {
  const names = fields.map((field) => field.toLowerCase().replace(/[ -]/g, '_'));
  return known.map((name) => names.indexOf(name)).find((column) => column !== -1) ?? -1;
}
