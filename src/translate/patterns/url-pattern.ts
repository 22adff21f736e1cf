/** Which of the old features a pattern belongs to: they look at different parts of a request. */
export type PatternKind = 'override' | 'page-rule';

/**
 * An old URL pattern, taken apart. `*` stands for any run of characters, the empty one included;
 * left of the first slash for characters of the host alone.
 */
export interface UrlPattern {
  readonly kind: PatternKind;
  /** As it was written. */
  readonly text: string;
  /** Undefined: both. */
  readonly scheme: 'http' | 'https' | undefined;
  /** In lower case: hosts have no case. */
  readonly host: string;
  /** Begins with a slash. Of a page rule, the query string belongs to it. */
  readonly path: string;
}

/**
 * `impossible`: no request matches it, as far as the old matcher is documented. `unsupported`:
 * requests may match it, and no expression is known that means the same.
 */
export interface PatternProblem {
  readonly problem: 'impossible' | 'unsupported';
  readonly why: string;
}

/** The longest pattern: a few of them still fit into one expression. */
const MAX_LENGTH = 1000;

/**
 * Takes an old URL pattern apart. What the documentation leaves open is decided in
 * docs/translation.md ("URL patterns"), in favour of matching fewer requests: a pattern mostly makes
 * an exception, and a request that it misses stays protected.
 */
export function parseUrlPattern(text: string, kind: PatternKind): UrlPattern | PatternProblem {
  if (text.length > MAX_LENGTH) return unsupported(`is longer than ${MAX_LENGTH} characters`);
  // eslint-disable-next-line no-control-regex -- exactly the characters that a request line cannot hold
  if (/[\u0000-\u0020\u007f]/.test(text)) return impossible('holds a space or control character');
  if (/[^\u0021-\u007e]/.test(text)) {
    return unsupported('holds characters that a request has percent-encoded');
  }
  if (text.includes('#')) return impossible('holds a fragment, which is not sent in a request');
  if (text.includes('|')) return unsupported('holds alternatives (|)');
  if (kind === 'override' && text.includes('?')) {
    return unsupported('holds a query string, and whether it was looked at is not documented');
  }
  const scheme = /^([a-z*]*):\/\//i.exec(text);
  const name = scheme?.[1]?.toLowerCase();
  if (name !== undefined && !['http', 'https', '*', 'http*'].includes(name)) {
    return impossible('has a scheme other than http and https');
  }
  return splitUrl(text, kind, text.slice(scheme?.[0].length ?? 0), name);
}

function splitUrl(
  text: string,
  kind: PatternKind,
  rest: string,
  scheme: string | undefined,
): UrlPattern | PatternProblem {
  const slash = rest.indexOf('/');
  const host = (slash < 0 ? rest : rest.slice(0, slash)).toLowerCase().replace(/\*+/g, '*');
  const path = slash < 0 ? pathLeftOut(rest, kind) : rest.slice(slash).replace(/\*+/g, '*');
  if (host === '') return impossible('has no host');
  if (host.includes(':')) return unsupported('names a port');
  if (!/^[a-z0-9._*-]+$/.test(host)) return impossible('has a host that is none');
  if (path === undefined) return impossible('ends with the host, and every path has a slash');
  const only = scheme === 'http' || scheme === 'https' ? scheme : undefined;
  return { kind, text, scheme: only, host, path };
}

/** A trailing `*` covers every path. Page rules are saved with a slash after the host. */
function pathLeftOut(rest: string, kind: PatternKind): string | undefined {
  if (rest.endsWith('*')) return '/*';
  return kind === 'page-rule' ? '/' : undefined;
}

function impossible(why: string): PatternProblem {
  return { problem: 'impossible', why };
}
function unsupported(why: string): PatternProblem {
  return { problem: 'unsupported', why };
}
