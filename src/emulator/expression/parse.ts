/** A value in an expression: a literal, a field, or a function of values. */
export type Operand =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'bare'; readonly value: string }
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

/** The maximum nesting depth of parentheses, brackets and negations. */
const DEEPEST = 200;

/**
 * Parses the grammar of the ruleset expression language. It does not check whether a field or
 * function exists, because that list changes and depends on the plan.
 * @throws ExpressionError
 */
export function parseExpression(text: string): Expression {
  const parser = new Parser(tokenise(text), text.length);
  const expression = parser.connective(0);
  parser.end();
  return expression;
}

class Parser {
  private next = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly length: number,
  ) {}

  connective(level: number): Expression {
    const one = connectives[level];
    if (one === undefined) return this.nested(() => this.negation());
    const first = this.connective(level + 1);
    const parts = [first];
    while (this.accepts(...one.spellings)) parts.push(this.connective(level + 1));
    return parts.length === 1 ? first : { kind: one.kind, parts };
  }

  end(): void {
    if (this.next < this.tokens.length) throw this.unexpected('unrecognised input');
  }

  private negation(): Expression {
    if (this.accepts('not', '!')) {
      return { kind: 'not', of: this.nested(() => this.negation()) };
    }
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
    const operator =
      token === undefined || token.kind === 'string' ? undefined : comparisons.get(token.text);
    if (operator === undefined) return { kind: 'is', operand: left };
    this.next += 1;
    return { kind: 'compare', operator, left, right: [this.operand()] };
  }

  private list(): Operand[] {
    if (!this.accepts('{')) return [this.operand()];
    const items: Operand[] = [];
    while (!this.accepts('}')) {
      items.push(this.operand());
      if (this.accepts('..')) items.push({ kind: 'bare', value: '..' }, this.operand());
    }
    if (items.length === 0) throw this.unexpected('expected at least one value');
    return items;
  }

  private operand(): Operand {
    const token = this.tokens[this.next];
    if (token === undefined || token.kind === 'symbol') throw this.unexpected('expected a value');
    this.next += 1;
    if (token.kind === 'string') return { kind: 'string', value: token.text };
    if (this.accepts('(')) {
      const args = this.args();
      this.index();
      return { kind: 'call', name: token.text, args };
    }
    this.index();
    return { kind: 'bare', value: token.text };
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

  private index(): void {
    while (this.accepts('[')) {
      if (!this.accepts('*')) this.nested(() => this.operand());
      this.expects(']');
    }
  }

  private nested<T>(parse: () => T): T {
    this.depth += 1;
    if (this.depth > DEEPEST) throw this.unexpected('nested too deeply');
    const parsed = parse();
    this.depth -= 1;
    return parsed;
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

  private unexpected(message: string): ExpressionError {
    return new ExpressionError(message, this.tokens[this.next]?.at ?? this.length);
  }
}

/** The error of an expression, in the words of the Cloudflare API; `undefined` if it is valid. */
export function checkExpression(text: string): string | undefined {
  try {
    parseExpression(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const before = text.slice(0, error.at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    return `Filter parsing error (${before.length}:${column}): ${error.message}`;
  }
}

/** A token of the ruleset expression language; `at` is its offset in the text. */
interface Token {
  readonly kind: 'string' | 'bare' | 'symbol';
  /** The text of a symbol or bare word, the value of a string. */
  readonly text: string;
  readonly at: number;
}

/** An invalid expression. `at` is the offset of the error. */
class ExpressionError extends Error {
  override readonly name = 'ExpressionError';

  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
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

/** The tokens of an expression. @throws ExpressionError if a character cannot start a token */
function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) {
      throw new ExpressionError(
        text[at] === '"' ? 'missing ending quote' : 'unrecognised input',
        at,
      );
    }
    const { raw, string, bare, symbol } = groups;
    if (raw !== undefined) tokens.push({ kind: 'string', text: raw, at });
    if (string !== undefined) {
      const value = string.replace(/\\(x[0-9a-fA-F]{2}|[^])/g, unescape);
      tokens.push({ kind: 'string', text: value, at });
    }
    if (bare !== undefined) tokens.push({ kind: 'bare', text: bare, at });
    if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, at });
  }
  return tokens;
}

/** `\"` and `\\` lose their backslash, `\xNN` is a byte; any other escape is unchanged. */
function unescape(whole: string, escaped: string): string {
  if (escaped === '"' || escaped === '\\') return escaped;
  if (escaped.length === 3) return String.fromCharCode(parseInt(escaped.slice(1), 16));
  return whole;
}
