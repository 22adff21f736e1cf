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
