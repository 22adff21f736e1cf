const CONNECTIVES = ['or', '||', 'xor', '^^', 'and', '&&'];
const COMPARISONS = [
  ...['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains', 'matches', 'wildcard'],
  ...['==', '!=', '<', '<=', '>', '>=', '~'],
];

/**
 * Checks the grammar of the ruleset expression language. It does not check whether a field or
 * function exists, because that list changes and depends on the plan.
 * @throws SyntaxError in the words of the Cloudflare API
 */
export function checkExpression(text: string): void {
  const parser = new Parser(text);
  parser.expression();
  parser.end();
}

class Parser {
  private readonly tokens: readonly Token[];
  private next = 0;

  constructor(private readonly text: string) {
    this.tokens = tokenise(text);
  }

  expression(): void {
    do this.negation();
    while (this.accepts(...CONNECTIVES));
  }

  end(): void {
    if (this.next < this.tokens.length) throw this.unexpected('unrecognised input');
  }

  private negation(): void {
    while (this.accepts('not', '!'));
    if (!this.accepts('(')) {
      this.comparison();
      return;
    }
    this.expression();
    this.expects(')');
  }

  private comparison(): void {
    this.operand();
    if (this.accepts('in')) {
      this.list();
    } else if (this.accepts('strict')) {
      this.expects('wildcard');
      this.operand();
    } else if (this.accepts(...COMPARISONS)) {
      this.operand();
    }
  }

  private list(): void {
    if (!this.accepts('{')) {
      this.operand();
      return;
    }
    do {
      this.operand();
      if (this.accepts('..')) this.operand();
    } while (!this.accepts('}'));
  }

  private operand(): void {
    const token = this.tokens[this.next];
    if (token === undefined || token.kind === 'symbol') throw this.unexpected('expected a value');
    this.next += 1;
    if (token.kind === 'string') return;
    if (this.accepts('(')) this.args();
    while (this.accepts('[')) {
      if (!this.accepts('*')) this.operand();
      this.expects(']');
    }
  }

  /** An argument can be a comparison: `any(http.request.headers["x"][*] == "1")`. */
  private args(): void {
    if (this.accepts(')')) return;
    do this.expression();
    while (this.accepts(','));
    this.expects(')');
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
    const { space, bare, symbol, string = groups['raw'] ?? '' } = groups;
    const kind = bare !== undefined ? 'bare' : symbol !== undefined ? 'symbol' : 'string';
    if (space === undefined) tokens.push({ kind, text: bare ?? symbol ?? string, at });
  }
  return tokens;
}
