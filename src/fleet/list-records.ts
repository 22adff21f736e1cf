import { MigrationError } from '../model/migration-error';

/** A line of a list, without its comment. A cell in quotes may hold line breaks: then it is several lines. */
export interface ListRecord {
  readonly text: string;
  /** Where it begins, from 1. */
  readonly line: number;
}

/** In characters: to take much more apart is more than the stack of V8 holds. */
const LONGEST_LINE = 100_000;
const GAP = '[^\\S\\r\\n]';
/** What decides where a record ends: cells that are all in quotes (RFC 4180), comments and line breaks. */
const MARKS = new RegExp(
  [
    // what stands before it is looked at behind the quote alone: elsewhere that takes the square of a gap
    `"(?<=(?:^|[,;\\t\\r\\n])${GAP}*")(?:[^"]|""){0,${LONGEST_LINE}}"(?=${GAP}*(?:[,;\\t\\r\\n]|$)|${GAP}+#)`,
    '(?<!\\S)#[^\\r\\n]*',
    '\\r\\n|[\\r\\n]',
  ].join('|'),
  'g',
);

/**
 * Takes a list apart into its records. Neither a `#` nor a line break within the quotes of a cell is one: a
 * note that names a zone on a line of its own does not put that zone on the list. Pure.
 * @throws MigrationError `ZONES_FILE_INVALID` for a record that is too long to be taken apart
 */
export function listRecords(text: string): ListRecord[] {
  const records: ListRecord[] = [];
  let line = 1;
  let open = { text: '', line };
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    open.text += text.slice(from, index);
    from = index + mark.length;
    if (mark.startsWith('"')) {
      open.text += mark;
      line += mark.split(/\r\n|[\r\n]/).length - 1;
    } else if (!mark.startsWith('#')) {
      records.push(open);
      line += 1;
      open = { text: '', line };
    }
  }
  records.push({ ...open, text: open.text + text.slice(from) });
  for (const record of records) requireShort(record);
  return records;
}

function requireShort({ text, line }: ListRecord): void {
  if (text.length <= LONGEST_LINE) return;
  const longest = LONGEST_LINE.toLocaleString('en-GB');
  throw new MigrationError(
    'ZONES_FILE_INVALID',
    `line ${line} is longer than ${longest} characters`,
  );
}
