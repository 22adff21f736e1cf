/** Columns that text for people fits in, where it can be broken at all. */
const WIDTH = 96;

/**
 * Breaks one line of text at its spaces; a word that is too long stays whole.
 * @param indent what every line begins with
 */
export function wrapLines(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => `${indent}${one}`);
}
