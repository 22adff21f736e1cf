import { quoteTypeScript } from './quote';

/** Prettier's default line length, in columns. */
const WIDTH = 80;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const COMBINING = /\p{M}/u;

/** Prints a value that begins at the given indentation: its lines, the first one without it. */
export type Printer = (indent: string) => string[];

/**
 * `name: value,` on one line, or as prettier breaks it: a string that does not fit goes on a line
 * of its own, a list or object breaks inside.
 */
export function property(name: string, value: Printer, indent: string): string[] {
  const [first = '', ...rest] = value(indent);
  const isString = rest.length === 0 && /^["']/.test(first);
  const line = `${indent}${name}: ${first}`;
  if (isString && width(line) + 1 > WIDTH) return [`${indent}${name}:`, `${indent}  ${first},`];
  if (rest.length === 0 && first.startsWith('[') && first !== '[]' && width(line) + 1 > WIDTH) {
    return property(name, (inside) => breakArray(first, inside), indent);
  }
  return terminate([line, ...rest]);
}

/** An array: scalars on one line (the property breaks it when it is too long), objects broken. */
export function printArray(items: readonly (readonly string[])[], indent: string): string[] {
  if (items.every((item) => item.length === 1 && item[0] !== '{}')) {
    return [`[${items.map(([only]) => only).join(', ')}]`];
  }
  return [
    '[',
    ...items.flatMap((item) => terminate([`${indent}  ${item[0] ?? ''}`, ...item.slice(1)])),
    `${indent}]`,
  ];
}

/** An object, one property a line; only those keys quoted that must be. */
export function printObject(
  entries: readonly { name: string; value: Printer }[],
  indent: string,
): string[] {
  if (entries.length === 0) return ['{}'];
  const key = (name: string): string =>
    /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteTypeScript(name);
  return [
    '{',
    ...entries.flatMap(({ name, value }) => property(key(name), value, `${indent}  `)),
    `${indent}}`,
  ];
}

function breakArray(oneLine: string, indent: string): string[] {
  const items = oneLine.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,\s]+/g) ?? [];
  return ['[', ...items.map((item) => `${indent}  ${item},`), `${indent}]`];
}

function terminate(printed: readonly string[]): string[] {
  return printed.map((line, index) => (index === printed.length - 1 ? `${line},` : line));
}

/** Columns that a text takes, as prettier counts them. */
function width(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += COMBINING.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}
