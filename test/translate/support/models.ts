import { holds } from './evaluate';

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

/** Whether an expression holds for a request. */
export function expressionMatches(
  expression: string,
  { ssl, host, path, query }: ModelRequest,
): boolean {
  const uri = path + (query === '' ? '' : `?${query}`);
  const fields = new Map<string, string | boolean>([
    ['ssl', ssl],
    ['http.host', host],
    ['http.request.uri.path', path],
    ['http.request.uri', uri],
  ]);
  return holds(expression, (name) => fields.get(name));
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
