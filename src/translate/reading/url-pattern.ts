import { allOf, ALWAYS, anyOf, quote } from '../../ruleset/expressions';

/** The legacy feature of a pattern: each feature matches different parts of a request. */
export type PatternKind = 'override' | 'page-rule';

/**
 * A parsed legacy URL pattern. `*` matches any number of characters, but before the first slash only those of
 * the host.
 */
export interface UrlPattern {
  readonly kind: PatternKind;
  /** Undefined for both. */
  readonly scheme: 'http' | 'https' | undefined;
  /** In lower case, because hosts are case-insensitive. */
  readonly host: string;
  /** Begins with a slash. For a page rule, it includes the query string. */
  readonly path: string;
}

/** A pattern without an equivalent expression. */
export interface PatternProblem {
  /** The reason, as the rest of a sentence about the pattern. */
  readonly problem: string;
}

/**
 * Parses a legacy URL pattern. If the documentation is unclear, the pattern matches fewer requests
 * (docs/report.md, "URL patterns"): most patterns become exceptions, and a request that an exception misses
 * stays protected.
 */
export function parseUrlPattern(text: string, kind: PatternKind): UrlPattern | PatternProblem {
  // the `wildcard` operators have separate escapes
  if (/[^!-~]|[#\\|]/.test(text)) {
    return { problem: 'contains a space, #, \\, |, or a character that is not ASCII' };
  }
  if (kind === 'override' && text.includes('?')) {
    const problem = 'contains a query string, and it is not documented whether that counts';
    return { problem };
  }
  const { prefix = '', name = '' } = /^(?<prefix>(?<name>[a-z*]*):\/\/)/i.exec(text)?.groups ?? {};
  const scheme = name.toLowerCase();
  if (prefix !== '' && !['http', 'https', '*', 'http*'].includes(scheme)) {
    return { problem: 'has a scheme other than http and https' };
  }
  const rest = text.slice(prefix.length);
  const slash = rest.indexOf('/');
  const host = (slash < 0 ? rest : rest.slice(0, slash)).toLowerCase().replace(/\*+/g, '*');
  const path = slash < 0 ? pathLeftOut(rest, kind) : rest.slice(slash).replace(/\*+/g, '*');
  if (!/^[a-z0-9._*-]+$/.test(host)) return { problem: 'has no host, an invalid one, or a port' };
  if (path === undefined) return { problem: 'ends with the host, but every path has a slash' };
  const only = scheme === 'http' || scheme === 'https' ? scheme : undefined;
  return { kind, scheme: only, host, path };
}

/** A trailing `*` covers every path. Page rules are saved with a slash after the host. */
function pathLeftOut(rest: string, kind: PatternKind): string | undefined {
  if (rest.endsWith('*')) return '/*';
  return kind === 'page-rule' ? '/' : undefined;
}

/** Whether some request may match both patterns, by what is before their first stars. */
export function mayOverlap(one: UrlPattern, other: UrlPattern): boolean {
  const agree = (left: string, right: string): boolean => {
    const [head, otherHead] = [headOf(left), headOf(right)];
    return head.startsWith(otherHead) || otherHead.startsWith(head);
  };
  return agree(one.host, other.host) && agree(one.path, other.path);
}

const headOf = (pattern: string): string => /^[^*]*/.exec(pattern)?.[0] ?? '';

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
