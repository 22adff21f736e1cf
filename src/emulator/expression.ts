/** A value in an expression: a literal, a field, or a function of values. */
export type Operand =
  | { readonly kind: 'string' | 'bare'; readonly value: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

/** A parsed expression. */
export type Expression =
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or' | 'xor'; readonly parts: readonly Expression[] }
  | { readonly kind: 'is'; readonly operand: Operand }
  | {
      readonly kind: 'compare';
      readonly operator: string;
      readonly left: Operand;
      readonly right: readonly Operand[];
    };

/** Comparison operators by spelling. */
const comparisons: ReadonlyMap<string, string> = new Map([
  ...['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains', 'matches', 'wildcard'].map(
    (name): [string, string] => [name, name],
  ),
  ['==', 'eq'],
  ['!=', 'ne'],
  ['<', 'lt'],
  ['<=', 'le'],
  ['>', 'gt'],
  ['>=', 'ge'],
  ['~', 'matches'],
]);

/** `or` binds loosest, then `xor`, then `and` (public language reference). */
const connectives = [
  { kind: 'or', spellings: ['or', '||'] },
  { kind: 'xor', spellings: ['xor', '^^'] },
  { kind: 'and', spellings: ['and', '&&'] },
] as const;

/**
 * Parses the grammar of the ruleset expression language. It does not check whether a field or
 * function exists, because that list changes and depends on the plan.
 * @throws SyntaxError in the words of the Cloudflare API
 */
export function parseExpression(text: string): Expression {
  const parser = new Parser(text);
  const expression = parser.connective(0);
  parser.end();
  return expression;
}

class Parser {
  private readonly tokens: readonly Token[];
  private next = 0;

  constructor(private readonly text: string) {
    this.tokens = tokenise(text);
  }

  connective(level: number): Expression {
    const one = connectives[level];
    if (one === undefined) return this.negation();
    const first = this.connective(level + 1);
    const parts = [first];
    while (this.accepts(...one.spellings)) parts.push(this.connective(level + 1));
    return parts.length === 1 ? first : { kind: one.kind, parts };
  }

  end(): void {
    if (this.next < this.tokens.length) throw this.unexpected('unrecognised input');
  }

  private negation(): Expression {
    if (this.accepts('not', '!')) return { kind: 'not', of: this.negation() };
    if (!this.accepts('(')) return this.comparison();
    const inner = this.connective(0);
    this.expects(')');
    return inner;
  }

  private comparison(): Expression {
    const left = this.operand();
    if (this.accepts('in')) {
      return { kind: 'compare', operator: 'in', left, right: this.list() };
    }
    if (this.accepts('strict')) {
      this.expects('wildcard');
      return { kind: 'compare', operator: 'strict wildcard', left, right: [this.operand()] };
    }
    const token = this.tokens[this.next];
    const operator = token?.kind === 'string' ? undefined : comparisons.get(token?.text ?? '');
    if (operator === undefined) return { kind: 'is', operand: left };
    this.next += 1;
    return { kind: 'compare', operator, left, right: [this.operand()] };
  }

  private list(): Operand[] {
    if (!this.accepts('{')) return [this.operand()];
    const items: Operand[] = [];
    do {
      items.push(this.operand());
      if (this.accepts('..')) items.push(this.operand());
    } while (!this.accepts('}'));
    return items;
  }

  private operand(): Operand {
    const token = this.tokens[this.next];
    if (token === undefined || token.kind === 'symbol') throw this.unexpected('expected a value');
    this.next += 1;
    if (token.kind === 'string') return { kind: 'string', value: token.text };
    const args = this.accepts('(') ? this.args() : undefined;
    while (this.accepts('[')) {
      if (!this.accepts('*')) this.operand();
      this.expects(']');
    }
    return args === undefined
      ? { kind: 'bare', value: token.text }
      : { kind: 'call', name: token.text, args };
  }

  /** An argument can be a comparison: `any(http.request.headers["x"][*] == "1")`. */
  private args(): Expression[] {
    const args: Expression[] = [];
    if (this.accepts(')')) return args;
    do args.push(this.connective(0));
    while (this.accepts(','));
    this.expects(')');
    return args;
  }

  private accepts(...spellings: readonly string[]): boolean {
    const token = this.tokens[this.next];
    if (token === undefined || token.kind === 'string') return false;
    if (!spellings.includes(token.text)) return false;
    this.next += 1;
    return true;
  }

  private expects(spelling: string): void {
    if (!this.accepts(spelling)) throw this.unexpected(`expected ${spelling}`);
  }

  private unexpected(message: string): SyntaxError {
    return parsingError(this.text, this.tokens[this.next]?.at ?? this.text.length, message);
  }
}

function parsingError(text: string, at: number, message: string): SyntaxError {
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return new SyntaxError(`Filter parsing error (${before.length}:${column}): ${message}`);
}

/** A token of the ruleset expression language; `at` is its offset in the text. */
interface Token {
  readonly kind: 'string' | 'bare' | 'symbol';
  /** The text of a symbol or bare word, the value of a string. */
  readonly text: string;
  readonly at: number;
}

/**
 * One token, or white space. Bare words are names, numbers, addresses with prefixes and list names;
 * their position decides which. Two dots end a bare word, because they mean a range.
 */
const TOKEN = new RegExp(
  [
    String.raw`(?<space>[ \t\r\n]+)`,
    String.raw`r(?<marks>#*)"(?<raw>[^]*?)"\k<marks>`,
    String.raw`"(?<string>(?:[^"\\]|\\[^])*)"`,
    String.raw`(?<bare>(?:-?\d|[A-Za-z_$]|::)(?:[A-Za-z0-9_:/-]|\.(?!\.))*)`,
    String.raw`(?<symbol>==|!=|<=|>=|&&|\|\||\^\^|\.\.|[(){}[\],<>!~*])`,
  ].join('|'),
  'y',
);

/** The tokens of an expression. @throws SyntaxError if a character cannot start a token */
function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) {
      const message = text[at] === '"' ? 'missing ending quote' : 'unrecognised input';
      throw parsingError(text, at, message);
    }
    const { raw, string, bare, symbol } = groups;
    const value = raw ?? string?.replace(/\\(["\\])/g, '$1');
    if (value !== undefined) tokens.push({ kind: 'string', text: value, at });
    if (bare !== undefined) tokens.push({ kind: 'bare', text: bare, at });
    if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, at });
  }
  return tokens;
}
