/** A token of the ruleset expression language; `at` is its offset in the text. */
export interface Token {
  readonly kind: 'string' | 'bare' | 'symbol';
  /** The text of a symbol or bare word, the value of a string. */
  readonly text: string;
  readonly at: number;
}

/** Text that is no expression. `at` is the offset of what is wrong. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const SPACE = /[ \t\r\n]+/y;
/** Names, numbers, addresses with prefixes, list names: told apart by where they stand. Two dots end one: a range. */
const BARE = /(?:-?\d|[A-Za-z_$]|::)(?:[A-Za-z0-9_:/-]|\.(?!\.))*/y;
const SYMBOL = /==|!=|<=|>=|&&|\|\||\^\^|\.\.|[(){}[\],<>!~*]/y;
const STRING = /"(?:[^"\\]|\\[^])*"/y;
const RAW = /r(#*)"[^]*?"\1/y;

/** The tokens of an expression. @throws ExpressionError where a character begins none */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const space = take(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const found = readToken(take, text, at);
    tokens.push(found.token);
    at += found.length;
  }
  return tokens;
}

function readToken(
  take: (pattern: RegExp) => string | undefined,
  text: string,
  at: number,
): { token: Token; length: number } {
  const raw = take(RAW);
  if (raw !== undefined) {
    const marks = raw.indexOf('"');
    const value = raw.slice(marks + 1, raw.length - marks);
    return { token: { kind: 'string', text: value, at }, length: raw.length };
  }
  const string = take(STRING);
  if (string !== undefined) {
    const value = string.slice(1, -1).replace(/\\(x[0-9a-fA-F]{2}|[^])/g, unescape);
    return { token: { kind: 'string', text: value, at }, length: string.length };
  }
  const bare = take(BARE);
  if (bare !== undefined) {
    return { token: { kind: 'bare', text: bare, at }, length: bare.length };
  }
  const symbol = take(SYMBOL);
  if (symbol !== undefined)
    return { token: { kind: 'symbol', text: symbol, at }, length: symbol.length };
  throw new ExpressionError(text[at] === '"' ? 'missing ending quote' : 'unrecognised input', at);
}

/** `\"` and `\\` lose their backslash, `\xNN` is a byte; any other escape is kept as it stands. */
function unescape(whole: string, escaped: string): string {
  if (escaped === '"' || escaped === '\\') return escaped;
  if (escaped.length === 3) return String.fromCharCode(parseInt(escaped.slice(1), 16));
  return whole;
}
