/**
 * Characters that could drive a terminal, reorder a line or hide: controls, bidirectional marks,
 * zero-width and other format characters, line and paragraph separators, lone surrogates.
 */
const HOSTILE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside (service, state, files), made safe for one line of a terminal, a log or a
 * comment: hostile characters become `\u{…}`.
 * @param limit the most characters to keep; what is cut off is marked with an ellipsis
 */
export function printable(text: string, limit = Infinity): string {
  const kept = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return kept.replace(
    HOSTILE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** A value as JSON that nothing drives a terminal with, or parts a line: hostile characters are written as JSON escapes. */
export function printableJson(value: unknown, indent?: number): string {
  return printableDocument(JSON.stringify(value, null, indent));
}

/**
 * A whole document on its way to a terminal: line ends and tabs stay, hostile characters become
 * `\uXXXX`, which mean the same inside JSON.
 */
export function printableDocument(text: string): string {
  return text.replace(HOSTILE, (character, at: number) => {
    const isLineEnd = character === '\n' || (character === '\r' && text[at + 1] === '\n');
    if (isLineEnd || character === '\t') return character;
    const units = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

/** The first line of a text, for a place that has room for one. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** A count with its groups of three: `12,345`. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/**
 * A number and what it counts, in English: `1 zone`, `3,000 zones`.
 * @param what in the singular, of which the plural has an s
 */
export function counted(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
}
