import { type ModelRequest } from './old-matcher';

/**
 * A model of the ruleset language, written apart from the code and from its public reference: values,
 * precedence, strings and operators, as far as translated expressions use them. Anything else throws.
 */
export function expressionMatches(expression: string, request: ModelRequest): boolean {
  const reader = new Reader(expression, request);
  const result = reader.or();
  reader.end();
  return result;
}

class Reader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly request: ModelRequest,
  ) {}

  or(): boolean {
    let result = this.and();
    while (this.word('or')) result = this.and() || result;
    return result;
  }

  end(): void {
    this.space();
    if (this.at !== this.text.length) throw this.unexpected();
  }

  private and(): boolean {
    let result = this.not();
    while (this.word('and')) result = this.not() && result;
    return result;
  }

  private not(): boolean {
    if (this.word('not')) return !this.not();
    if (this.symbol('(')) {
      const result = this.or();
      if (!this.symbol(')')) throw this.unexpected();
      return result;
    }
    return this.comparison();
  }

  private comparison(): boolean {
    if (this.word('true')) return true;
    if (this.word('ssl')) return this.request.ssl;
    for (const name of ['starts_with', 'ends_with'] as const) {
      if (!this.word(name)) continue;
      this.need('(');
      const value = this.value();
      this.need(',');
      const part = this.string();
      this.need(')');
      return name === 'starts_with' ? value.startsWith(part) : value.endsWith(part);
    }
    const value = this.value();
    if (this.word('eq')) return value === this.string();
    if (this.word('contains')) return value.includes(this.string());
    if (this.word('strict')) {
      if (!this.word('wildcard')) throw this.unexpected();
      return wildcard(this.string(), value);
    }
    throw this.unexpected();
  }

  private value(): string {
    if (this.word('lower')) {
      this.need('(');
      const inner = this.value();
      this.need(')');
      return inner.toLowerCase();
    }
    const { host, path, query } = this.request;
    if (this.word('http.host')) return host;
    if (this.word('http.request.uri.path')) return path;
    if (this.word('http.request.uri')) return query === '' ? path : `${path}?${query}`;
    throw this.unexpected();
  }

  /** `"` and `\` are escaped in quotes; a raw string ends at its own number of hashes. */
  private string(): string {
    this.space();
    const raw = /^r(#*)"/.exec(this.text.slice(this.at));
    if (raw !== null) {
      const start = this.at + raw[0].length;
      const end = this.text.indexOf(`"${raw[1]!}`, start);
      if (end < 0) throw this.unexpected();
      this.at = end + 1 + raw[1]!.length;
      return this.text.slice(start, end);
    }
    this.need('"');
    let value = '';
    for (;;) {
      const character = this.text[this.at];
      this.at += 1;
      if (character === undefined) throw this.unexpected();
      if (character === '"') return value;
      if (character === '\\') {
        const escaped = this.text[this.at];
        if (escaped !== '"' && escaped !== '\\') throw this.unexpected();
        value += escaped;
        this.at += 1;
      } else value += character;
    }
  }

  private word(word: string): boolean {
    this.space();
    const next = this.text[this.at + word.length] ?? ' ';
    if (!this.text.startsWith(word, this.at) || /[a-z0-9_.]/.test(next)) return false;
    this.at += word.length;
    return true;
  }

  private symbol(symbol: string): boolean {
    this.space();
    if (this.text[this.at] !== symbol) return false;
    this.at += 1;
    return true;
  }

  private need(symbol: string): void {
    if (!this.symbol(symbol)) throw this.unexpected();
  }

  private space(): void {
    while (this.text[this.at] === ' ') this.at += 1;
  }

  private unexpected(): Error {
    return new Error(`unexpected at ${this.at} of ${this.text}`);
  }
}

/** The whole value has to match; `\*` is a star, `\\` a backslash, `**` is invalid. */
function wildcard(pattern: string, value: string): boolean {
  if (/(?<!\\)(?:\\\\)*\*\*/.test(pattern)) throw new Error(`two stars in ${pattern}`);
  const source = pattern.replace(/\\([\\*])|\*|[^]/g, (whole, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped === '*' ? '\\*' : '\\\\';
    if (whole === '*') return '[^]*';
    if (whole === '\\') throw new Error(`a lone backslash in ${pattern}`);
    return whole.replace(/[.+?^${}()|[\]]/, '\\$&');
  });
  return new RegExp(`^${source}$`).test(value);
}
