/** One zone of a list, as somebody wrote it: an id or a name. */
export interface ListEntry {
  readonly text: string;
  /** Where it stands, from 1. */
  readonly line: number;
  /** The Terraform folder that has its state, where the list says so. */
  readonly dir?: string;
}

/** Names of columns that hold an id, and of those that hold a name; an id says more. */
const COLUMNS = [
  ['zone_id', 'zoneid', 'id'],
  ['zone', 'zone_name', 'name', 'domain'],
];
/** Names of the column that holds the Terraform folder. */
const FOLDERS = [['dir', 'folder', 'directory']];

/**
 * Reads a list of zones: ids or names, one a line, or CSV. `#` begins a comment, at the start of a
 * line or after white space. Of CSV the column counts that a header names (an id before a name),
 * without a header the first one; a header can name a column with the Terraform folder as well, and
 * what stands between its columns does so in every line.
 */
export function parseZoneList(text: string): ListEntry[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\n\r]/)
    .map((line, index) => ({ text: withoutComment(line), line: index + 1 }))
    .filter((line) => fieldsOf(line.text).some((field) => field !== ''));
  const [first = ''] = lines.map((line) => line.text);
  const delimiter = [',', ';', '\t'].find(
    (one) => first.includes(one) && columnOf(fieldsOf(first, one), COLUMNS) !== -1,
  );
  const head = fieldsOf(first, delimiter);
  const header = columnOf(head, COLUMNS);
  const column = header === -1 ? 0 : header;
  const folder = header === -1 ? -1 : columnOf(head, FOLDERS);
  return lines.slice(header === -1 ? 0 : 1).map(({ text: row, line }) => {
    const fields = fieldsOf(row, delimiter);
    const dir = fields[folder] ?? '';
    return { text: fields[column] ?? '', line, ...(dir === '' ? {} : { dir }) };
  });
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s)#.*$/, '');
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
function columnOf(fields: readonly string[], wanted: readonly (readonly string[])[]): number {
  const names = fields.map((field) => field.toLowerCase().replace(/[ -]/g, '_'));
  for (const known of wanted) {
    const column = names.findIndex((name) => known.some((one) => one === name));
    if (column !== -1) return column;
  }
  return -1;
}
