import { ALWAYS, allOf, anyOf, quote, quoteWildcard } from '../../ruleset/expressions';
import { type UrlPattern } from './url-pattern';

/**
 * The expression that means the same as old URL patterns: a request matches when one of them
 * matches. Exact for the matcher that docs/translation.md describes; proven on random URLs in
 * test/translate/wildcard-expression-law.test.ts. Only operators that every plan has (`matches` needs
 * Business).
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

/** The plainest operator for a pattern. `starts_with` and `ends_with` are functions. */
function wildcardTerm(field: string, pattern: string): string {
  if (!pattern.includes('*')) return `${field} eq ${quote(pattern)}`;
  // stars never stand side by side: what is empty is before the first one or behind the last
  const [first = '', second = '', third] = pattern.split('*');
  if (second === '') return `starts_with(${field}, ${quote(first)})`;
  if (first === '' && third === undefined) return `ends_with(${field}, ${quote(second)})`;
  if (first === '' && third === '') return `${field} contains ${quote(second)}`;
  return `${field} strict wildcard ${quoteWildcard(pattern)}`;
}
