/** Columns that text for people fits in, where it can be broken at all. */
const WIDTH = 80;

/**
 * Breaks one line of text at its spaces; a word that is too long stays whole.
 * @param indent what every line begins with
 * @param hanging what all lines but the first begin with, where that is something else
 */
export function wrapLines(text: string, indent: string, hanging = indent): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const room = WIDTH - (lines.length === 0 ? indent : hanging).length;
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one, index) => `${index === 0 ? indent : hanging}${one}`);
}
