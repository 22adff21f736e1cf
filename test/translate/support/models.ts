/** A request, as far as legacy patterns and new expressions look at it. */
export interface ModelRequest {
  readonly ssl: boolean;
  /** As the client wrote it: in any case. */
  readonly host: string;
  /** Begins with a slash. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/**
 * Whether an expression holds for a request.
 * @throws Error when the expression has what the translator never writes
 */
export function expressionMatches(
  expression: string,
  { ssl, host, path, query }: ModelRequest,
): boolean {
  const fields: Record<string, string> = {
    'http.host': host,
    'http.request.uri.path': path,
    'http.request.uri': path + (query === '' ? '' : `?${query}`),
  };
  const tokens = expression.match(/"(?:[^"\\]|\\.)*"|[\w.]+|[(),]/g) ?? [];
  const next = (): string => tokens.shift() ?? '';
  const text = (word: string): string => {
    if (word.startsWith('"')) return word.slice(1, -1).replace(/\\(["\\])/g, '$1');
    if (word === 'lower') return args()[0]!.toLowerCase();
    if (fields[word] === undefined) throw new Error(`${word} is not evaluated`);
    return fields[word];
  };
  const args = (): string[] => {
    const all: string[] = [];
    while (next() !== ')') all.push(text(next()));
    return all;
  };
  const term = (word: string): boolean => {
    if (word === 'not') return !term(next());
    if (word === 'ssl' || word === 'true') return word === 'true' || ssl;
    if (word === '(') return chain(')');
    const [whole, part] = word.endsWith('_with') ? args() : [text(word), next()];
    if (word === 'starts_with') return whole!.startsWith(part!);
    if (word === 'ends_with') return whole!.endsWith(part!);
    if (part === 'strict' && next() === 'wildcard') return glob(text(next()), whole!);
    if (part === 'contains') return whole!.includes(text(next()));
    if (part === 'eq') return whole === text(next());
    throw new Error(`${part} is not evaluated`);
  };
  const chain = (end: string): boolean => {
    const terms = [term(next())];
    const operators = new Set<string>();
    for (let word = next(); word !== end; word = next()) {
      operators.add(word);
      terms.push(term(next()));
    }
    const [operator = 'and', ...others] = operators;
    if (!['and', 'or'].includes(operator) || others.length > 0) throw new Error(expression);
    return operator === 'or' ? terms.includes(true) : !terms.includes(false);
  };
  return chain('');
}

/**
 * A model of the legacy matcher, as docs/report.md assumes it, written apart from the code: it
 * splits a pattern and walks both texts by recursion.
 */
export function legacyMatches(
  pattern: string,
  request: ModelRequest,
  kind: 'override' | 'page-rule',
): boolean {
  let rest = pattern;
  const scheme = /^([^/]*):\/\//.exec(rest);
  if (scheme !== null) {
    rest = rest.slice(scheme[0].length);
    const name = scheme[1]!.toLowerCase();
    if (name === 'https' && !request.ssl) return false;
    if (name === 'http' && request.ssl) return false;
  }
  const query = kind === 'page-rule' && request.query !== '' ? `?${request.query}` : '';
  const target = request.path + query;
  const host = request.host.toLowerCase();
  const slash = rest.indexOf('/');
  if (slash >= 0) {
    return glob(rest.slice(0, slash).toLowerCase(), host) && glob(rest.slice(slash), target);
  }
  // no path: a trailing star covers it; a page rule is saved with a slash
  const isPath = rest.endsWith('*') || (kind === 'page-rule' && target === '/');
  return isPath && glob(rest.toLowerCase(), host);
}

/** Whether a text matches a pattern in which `*` stands for any run of characters. */
function glob(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('*')) {
    return glob(pattern.slice(1), text) || (text !== '' && glob(pattern, text.slice(1)));
  }
  return text !== '' && pattern[0] === text[0] && glob(pattern.slice(1), text.slice(1));
}
