/** Where a text stops being JSON. */
export interface JsonFault {
  /** Counted from 1. */
  readonly line: number;
  /** In UTF-16 code units, counted from 1. */
  readonly column: number;
  /** The text is right as far as it goes, but ends too early. */
  readonly truncated: boolean;
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or close' | 'end';

const blank = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What begins a number and is none. */
const cutNumber = /-?(?:(?:0|[1-9]\d*)(?:(?:\.\d+)?[eE][+-]?|\.))?/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const cutEscape = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
const words = ['true', 'false', 'null'];

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The offset behind the string that begins at `start`; the fault's offset, negated, if broken. */
function skipString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return -at;
    const next = code === 0x5c ? endOf(escape, text, at) : at + 1;
    if (next === at) return cutEscape.test(text.slice(at, at + 7)) ? -text.length : -at;
    at = next;
  }
  return -text.length;
}

/** As {@link skipString}, for a number, `true`, `false` or `null`. */
function skipScalar(text: string, start: number): number {
  const rest = text.slice(start, start + 5);
  const word = words.find((one) => rest.startsWith(one));
  if (word !== undefined) return start + word.length;
  // shorter than a word, so the text ends
  if (words.some((one) => one.startsWith(rest))) return -text.length;
  const end = endOf(number, text, start);
  const cut = endOf(cutNumber, text, start);
  if (cut === text.length) return -cut;
  return end === start ? -start : end;
}

function faultAt(text: string, offset: number): JsonFault {
  const before = text.lastIndexOf('\n', offset - 1);
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return { line, column: offset - before, truncated: offset >= text.length };
}

/**
 * Finds the first place where a text is not JSON. `JSON.parse` is no help: its messages quote
 * what they found, which can be a secret, and name no position on newer Node.
 *
 * @returns undefined when the text is JSON
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ('}' | ']')[] = [];
  let expected: Expected = 'value';
  let at = endOf(blank, text, 0);
  for (; at < text.length; at = endOf(blank, text, at)) {
    const character = text.charAt(at);
    const close = open.at(-1);
    const afterValue: Expected = open.length === 0 ? 'end' : 'comma or close';
    let end = at + 1;
    if (character === close && (expected.endsWith(close) || expected === 'comma or close')) {
      open.pop();
      expected = open.length === 0 ? 'end' : 'comma or close';
    } else if (expected === 'comma or close' && character === ',') {
      expected = close === '}' ? 'key' : 'value';
    } else if (expected === 'colon' && character === ':') expected = 'value';
    else if (expected.startsWith('key') && character === '"') {
      end = skipString(text, at);
      expected = 'colon';
    } else if (!expected.startsWith('value')) end = -at;
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      expected = character === '{' ? 'key or }' : 'value or ]';
    } else {
      end = character === '"' ? skipString(text, at) : skipScalar(text, at);
      expected = afterValue;
    }
    if (end <= 0) return faultAt(text, -end);
    at = end;
  }
  return expected === 'end' ? undefined : faultAt(text, text.length);
}
