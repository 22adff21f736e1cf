/**
 * Characters that could control a terminal, reorder a line or be invisible: controls, bidirectional marks,
 * zero-width and other format characters, line and paragraph separators, lone surrogates. Also commands to a CI runner,
 * such as `##[…]` and `##vso[…]`.
 */
const HOSTILE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|#(?=#(?:vso|teamcity)?\[)/gu;

/**
 * Makes external text (API, state, files) safe for one line of a terminal, a log or a comment: hostile
 * characters become `\u{…}`.
 * @param limit maximum number of characters; an ellipsis marks a cut
 */
export function printable(text: string, limit = Infinity): string {
  const kept = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return kept.replace(
    HOSTILE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** A value as JSON that is safe for a terminal: hostile characters are written as JSON escapes. */
export function printableJson(value: unknown, indent?: number): string {
  return printableDocument(JSON.stringify(value, null, indent));
}

/**
 * Makes a whole document safe for a terminal: line ends and tabs stay, and hostile characters become
 * `\uXXXX`, which has the same meaning inside JSON.
 */
export function printableDocument(text: string): string {
  return text.replace(HOSTILE, (character, at: number) => {
    const isLineEnd = character === '\n' || (character === '\r' && text[at + 1] === '\n');
    if (isLineEnd || character === '\t') return character;
    const units = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** Breaks each line that is a command to a GitHub runner, such as `::add-path::…`. */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n\r\u2028\u2029]*):(?=:.*::)/gm, '$1\\u{3a}');
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Formats a count with thousands separators: `12,345`. `toLocaleString` takes 10 ms to load. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/**
 * Formats a number with its noun in English: `1 zone`, `3,000 zones`.
 * @param what a singular noun with a regular plural
 */
export function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** Rows as lines with aligned columns; the first row has all columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Rows, one a line, for a spreadsheet (RFC 4180). */
export function csvTable<Row>(
  columns: Readonly<Record<string, (row: Row) => string>>,
  rows: readonly Row[],
): string {
  const lines = rows.map((row) => Object.values(columns).map((of) => of(row)));
  return [Object.keys(columns), ...lines]
    .map((line) => `${line.map(csvField).join(',')}\r\n`)
    .join('');
}

/**
 * Hostile text in a file that is also shown on a terminal: characters that drive one are escaped, and what
 * a spreadsheet would take for a formula gets an apostrophe (OWASP: CSV injection). After a semicolon too,
 * where it may split cells: it would not see quotes in the middle of such a cell.
 */
function csvField(value: string): string {
  const text = printable(value).replace(/(^|;)(?=["']*[=+\-@])/g, "$1'");
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
