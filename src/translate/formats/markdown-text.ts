import { printable } from '../../model/printable';

/**
 * Text from outside as plain words of Markdown: every character that could begin markup, HTML, a
 * link, or another cell is escaped, addresses of the web included, which GitHub links by itself.
 * Punctuation that begins nothing stays as it is: the text is read unrendered too.
 */
export function plain(text: string): string {
  return printable(text).replace(/[!#$&()*+\-./:<>@[-`{-~]/g, '\\$&');
}

/**
 * Text from outside as code: nothing in it is read as markup or HTML. The fence is longer than any
 * run of backticks inside. A bar would end the cell of a table, and its escapes inside of code differ
 * between renderers: such text is escaped as plain words instead.
 */
export function code(text: string): string {
  const line = printable(text);
  if (line.includes('|')) return plain(line);
  if (line.trim() === '') return '';
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
