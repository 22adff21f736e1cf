import { allOf, ALWAYS, anyOf, quote } from '../../ruleset/expressions';

/** The legacy feature of a pattern: each feature matches different parts of a request. */
export type PatternKind = 'override' | 'page-rule';

/**
 * A parsed legacy URL pattern. `*` matches any number of characters, but before the first slash only those of
 * the host.
 */
export interface UrlPattern {
  readonly kind: PatternKind;
  /** As written. */
  readonly text: string;
  /** Undefined for both. */
  readonly scheme: 'http' | 'https' | undefined;
  /** In lower case, because hosts are case-insensitive. */
  readonly host: string;
  /** Begins with a slash. For a page rule, it includes the query string. */
  readonly path: string;
}

/**
 * `impossible`: no request matches it, as far as the legacy matcher is documented. `unsupported`: requests
 * may match it, but no equivalent expression is known.
 */
export interface PatternProblem {
  readonly problem: 'impossible' | 'unsupported';
  readonly why: string;
}

/** The longest pattern, so that several fit into one expression. */
const MAX_LENGTH = 1000;

/**
 * Parses a legacy URL pattern. If the documentation is unclear, the pattern matches fewer requests
 * (docs/report.md, "URL patterns"): most patterns become exceptions, and a request that an exception misses
 * stays protected.
 */
export function parseUrlPattern(text: string, kind: PatternKind): UrlPattern | PatternProblem {
  if (text.length > MAX_LENGTH) return unsupported(`is longer than ${MAX_LENGTH} characters`);
  // eslint-disable-next-line no-control-regex -- exactly the characters that a request line cannot hold
  if (/[\u0000-\u0020\u007f]/.test(text))
    return impossible('contains a space or control character');
  if (/[^\u0021-\u007e]/.test(text)) {
    return unsupported('contains characters that are percent-encoded in a request');
  }
  if (text.includes('#')) return impossible('contains a fragment, which is not part of a request');
  // the `wildcard` operators have separate escapes
  if (text.includes('\\')) return unsupported('contains a backslash');
  if (text.includes('|')) return unsupported('contains alternatives (|)');
  if (kind === 'override' && text.includes('?')) {
    return unsupported('contains a query string, and it is not documented whether that counts');
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
  if (host.includes(':')) return unsupported('contains a port');
  if (!/^[a-z0-9._*-]+$/.test(host)) return impossible('has an invalid host');
  if (path === undefined) return impossible('ends with the host, but every path has a slash');
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

/** Whether a wildcard pattern matches a text, in which a star is an ordinary character. */
function matchesWildcard(pattern: string, text: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return pattern === text;
  const end = text.length - tail.length;
  if (!text.startsWith(head) || !text.endsWith(tail) || end < head.length) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

/** Whether some text matches both wildcard patterns. */
function wildcardsOverlap(left: string, right: string): boolean {
  if (!left.includes('*')) return matchesWildcard(right, left);
  if (!right.includes('*')) return matchesWildcard(left, right);
  // a star matches any text of the other pattern, so only both ends must agree
  const [headA, headB] = [headOf(left), headOf(right)];
  const [tailA, tailB] = [tailOf(left), tailOf(right)];
  return (
    (headA.startsWith(headB) || headB.startsWith(headA)) &&
    (tailA.endsWith(tailB) || tailB.endsWith(tailA))
  );
}

const headOf = (pattern: string): string => pattern.slice(0, pattern.indexOf('*'));
const tailOf = (pattern: string): string => pattern.slice(pattern.lastIndexOf('*') + 1);

/** Whether some request matches both patterns. */
export function patternsOverlap(one: UrlPattern, other: UrlPattern): boolean {
  return (
    (one.scheme === undefined || other.scheme === undefined || one.scheme === other.scheme) &&
    wildcardsOverlap(one.host, other.host) &&
    wildcardsOverlap(one.path, other.path)
  );
}

/** Whether every request that matches `inner` surely matches `outer`. */
export function patternContains(outer: UrlPattern, inner: UrlPattern): boolean {
  return (
    (outer.scheme === undefined || outer.scheme === inner.scheme) &&
    matchesWildcard(outer.host, inner.host) &&
    matchesWildcard(outer.path, inner.path)
  );
}

/**
 * The expression for legacy URL patterns: a request matches if one of them matches. Exact for the matcher in
 * docs/report.md; tested with random URLs in test/translate/laws.test.ts. Uses only operators that every plan
 * has (`matches` needs Business).
 *
 * @example patternsExpression([parsed('example.com/shop/*')])
 * // lower(http.host) eq "example.com" and starts_with(http.request.uri.path, "/shop/")
 */
export function patternsExpression(patterns: readonly UrlPattern[]): string {
  return anyOf(patterns.map(patternExpression));
}

function patternExpression({ kind, scheme, host, path }: UrlPattern): string {
  const target = kind === 'page-rule' ? 'http.request.uri' : 'http.request.uri.path';
  return allOf([
    ...(scheme === undefined ? [] : [scheme === 'https' ? 'ssl' : 'not ssl']),
    host === '*' ? ALWAYS : wildcardTerm('lower(http.host)', host),
    path === '/*' ? ALWAYS : wildcardTerm(target, path),
  ]);
}

/** The simplest operator for a pattern. `starts_with` and `ends_with` are functions. */
function wildcardTerm(field: string, pattern: string): string {
  if (!pattern.includes('*')) return `${field} eq ${quote(pattern)}`;
  // stars are never adjacent, so only the first and the last part can be empty
  const [first = '', second = '', third] = pattern.split('*');
  if (second === '') return `starts_with(${field}, ${quote(first)})`;
  if (first === '' && third === undefined) return `ends_with(${field}, ${quote(second)})`;
  if (first === '' && third === '') return `${field} contains ${quote(second)}`;
  return `${field} strict wildcard ${quote(pattern)}`;
}
