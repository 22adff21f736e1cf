import { type JsonMember, type JsonNode } from './json-tree';

/** Deeper than any configuration, and far from the end of the call stack. */
const DEEPEST = 256;

const blank = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// eslint-disable-next-line no-control-regex -- JSON forbids exactly these inside of a string
const string = /"(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const word = /true|false|null/y;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Reports a place that is not JSON; does not return. */
export type FailJson = (offset: number, what: string) => never;

/**
 * Reads strict JSON with the place of every value: `JSON.parse` keeps none, and drops all but the
 * last of two properties with one name, which Terraform both reads (1.11.4, measured).
 */
export function parseJsonTree(text: string, fail: FailJson): JsonNode {
  return parseValue({ text, at: 0, fail }, 0);
}

interface Reader {
  readonly text: string;
  readonly fail: FailJson;
  at: number;
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

/** The next character that is no blank, which stays. */
function peek(reader: Reader): string {
  take(reader, blank);
  return reader.text[reader.at] ?? '';
}

function expect(reader: Reader, character: string): void {
  if (peek(reader) !== character) reader.fail(reader.at, `expected ${character}`);
  reader.at += 1;
}

function parseValue(reader: Reader, depth: number): JsonNode {
  if (depth > DEEPEST) return reader.fail(reader.at, `nested more than ${DEEPEST} deep`);
  const first = peek(reader);
  const start = reader.at;
  const node = ((): JsonNode => {
    if (first === '{')
      return { kind: 'object', start, members: members(reader, depth), end: reader.at };
    if (first === '[') return { kind: 'array', start, items: items(reader, depth), end: reader.at };
    if (first === '"') return { kind: 'string', start, value: parseString(reader), end: reader.at };
    const name = take(reader, word);
    const value = name === undefined ? Number(take(reader, number)) : (words[name] ?? null);
    if (reader.at === start) return reader.fail(start, 'expected a JSON value');
    return { kind: 'scalar', start, value, end: reader.at };
  })();
  if (depth === 0 && peek(reader) !== '') reader.fail(reader.at, 'text behind the JSON value');
  return node;
}

function parseString(reader: Reader): string {
  const start = reader.at;
  const literal = take(reader, string);
  if (literal === undefined) return reader.fail(start, 'expected a JSON string');
  const value: unknown = JSON.parse(literal);
  return typeof value === 'string' ? value : reader.fail(start, 'expected a JSON string');
}

function members(reader: Reader, depth: number): JsonMember[] {
  const found: JsonMember[] = [];
  list(reader, '}', () => {
    if (peek(reader) !== '"') reader.fail(reader.at, 'expected a property name');
    const start = reader.at;
    const name = parseString(reader);
    expect(reader, ':');
    const value = parseValue(reader, depth + 1);
    found.push({ name, value, start, end: value.end });
  });
  return found;
}

function items(reader: Reader, depth: number): JsonNode[] {
  const found: JsonNode[] = [];
  list(reader, ']', () => {
    found.push(parseValue(reader, depth + 1));
  });
  return found;
}

/** The elements between two brackets; leaves the reader behind the closing one. */
function list(reader: Reader, close: string, element: () => void): void {
  reader.at += 1;
  if (peek(reader) !== close) {
    do element();
    while (peek(reader) === ',' && (reader.at += 1) > 0);
  }
  expect(reader, close);
}
