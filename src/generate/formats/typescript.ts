import { columnWidth } from './column-width';
import { isIdentifierName } from './identifier-name';
import { quoteTypeScript } from './quote';

/** Prettier's default line length, in columns. */
const WIDTH = 80;
/** A string stays beside a key that is shorter than this, however long it is. */
const SHORT_KEY = 5;

/** An expression of TypeScript: the text of a literal, a list, or an object. */
export type Code =
  string | { readonly items: readonly Code[] } | { readonly properties: Properties };
/** Keys as they are, unquoted, with their values. */
export type Properties = readonly (readonly [key: string, value: Code])[];

/**
 * `name: value,` on one line, or as prettier breaks it: a string that does not fit goes on a line
 * of its own, a list or object breaks inside.
 */
export function printProperty(name: string, value: Code, indent: string): string[] {
  const key = printKey(name);
  const head = `${indent}${key}: `;
  if (
    typeof value === 'string' &&
    /^["']/.test(value) &&
    columnWidth(key) >= SHORT_KEY &&
    !fits(`${head}${value},`)
  ) {
    return [`${indent}${key}:`, `${indent}  ${value},`];
  }
  return printCode(value, head, ',', indent);
}

/** Without quotes where it is a name as it stands; a character that is spelt as an escape is none. */
function printKey(name: string): string {
  const quoted = quoteTypeScript(name);
  return isIdentifierName(name) && quoted.slice(1, -1) === name ? name : quoted;
}

/** A call as a statement: its arguments on one line, or the last one broken, or all. */
export function printCall(head: string, args: readonly Code[], indent: string): string[] {
  const texts = args.map(flat);
  const last = args.at(-1) ?? '';
  const before = texts.slice(0, -1).map((text) => `${text ?? ''}, `);
  const start = `${indent}${head}(${before.join('')}`;
  const oneLine = texts.includes(undefined) ? undefined : `${indent}${head}(${texts.join(', ')});`;
  if (oneLine !== undefined && fits(oneLine)) return [oneLine];
  if (typeof last !== 'string' && fits(`${start}[`)) return printCode(last, start, ');', indent);
  return [
    `${indent}${head}(`,
    ...args.flatMap((arg) => printCode(arg, `${indent}  `, ',', `${indent}  `)),
    `${indent});`,
  ];
}

/** The value behind a head and before a tail, on one line or broken inside. */
function printCode(value: Code, head: string, tail: string, indent: string): string[] {
  if (typeof value === 'string') return [head + value + tail];
  const text = flat(value);
  if (text !== undefined && fits(head + text + tail)) return [head + text + tail];
  const inside = `${indent}  `;
  if ('items' in value) {
    return [`${head}[`, ...printItems(value.items, inside), `${indent}]${tail}`];
  }
  return [
    `${head}{`,
    ...value.properties.flatMap(([key, inner]) => printProperty(key, inner, inside)),
    `${indent}}${tail}`,
  ];
}

/** One item a line; numbers as many as fit. */
function printItems(items: readonly Code[], indent: string): string[] {
  const numbers = items.filter(
    (item): item is string => typeof item === 'string' && /^-?\d/.test(item),
  );
  if (numbers.length < items.length) {
    return items.flatMap((item) => printCode(item, indent, ',', indent));
  }
  const lines: string[] = [];
  for (const number of numbers) {
    const line = lines.at(-1);
    const longer = line === undefined ? undefined : `${line} ${number},`;
    if (longer !== undefined && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${number},`);
  }
  return lines;
}

/** The value on one line; undefined where it holds an object, which is always broken. */
function flat(value: Code): string | undefined {
  if (typeof value === 'string') return value;
  if ('properties' in value) return value.properties.length === 0 ? '{}' : undefined;
  const items = value.items.map(flat);
  return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
}

function fits(line: string): boolean {
  return columnWidth(line) <= WIDTH;
}
