import { type OldOverride } from '../../model/old-settings';
import { surelyContains } from '../patterns/compare-patterns';
import { fits } from '../patterns/expression-text';
import { parseUrlPattern, type UrlPattern } from '../patterns/url-pattern';
import { patternsExpression } from '../patterns/wildcard-expression';
import { type ReadContext, report } from './read-context';

/** The requests that an override is for. */
export interface OverrideUrls {
  readonly patterns: readonly UrlPattern[];
  readonly expression: string;
}

/** Why the requests of an override cannot be expressed. */
export interface UrlsProblem {
  readonly why: string;
  readonly remedy: string;
}

/**
 * Reads the URLs of an override, or says why there is no expression for them. A pattern that no
 * request matches is reported and left out; one that cannot be expressed stops the whole override,
 * because half of its URLs is another override.
 */
export function readOverrideUrls(
  context: ReadContext,
  { from, urls }: OldOverride,
): OverrideUrls | UrlsProblem {
  const patterns: UrlPattern[] = [];
  for (const [index, url] of urls.entries()) {
    const pattern = parseUrlPattern(url, 'override');
    if ('host' in pattern) {
      patterns.push(pattern);
      continue;
    }
    const possible = pattern.problem === 'unsupported';
    const why = `the URL "${url}" ${pattern.why}`;
    const remedy = possible
      ? 'write the rule for these requests by hand'
      : 'check what the URL was meant to match, and write a rule for it by hand if it is needed';
    const code = possible ? 'PATTERN_UNSUPPORTED' : 'PATTERN_IMPOSSIBLE';
    report(context, 'decision', code, `${from}.urls[${index}]`, why, remedy);
    if (possible) return { why, remedy };
  }
  if (patterns.length === 0) {
    const why = urls.length === 0 ? 'it has no URLs' : 'none of its URLs matches any request';
    return { why, remedy: 'check what the override was meant for' };
  }
  const wide = withoutContained(patterns);
  if (wide !== undefined) return { patterns: wide, expression: patternsExpression(wide) };
  const why = 'the expression for its URLs is longer than 4 KB';
  const remedy = 'write several rules for its URLs by hand';
  report(context, 'decision', 'EXPRESSION_TOO_LONG', from, why, remedy);
  return { why, remedy };
}

/**
 * Without the patterns that another one covers; undefined where no expression holds what is left. The widest
 * come first, so that what is kept stays, and the first that is too much ends it: an override can have thousands.
 */
function withoutContained(patterns: readonly UrlPattern[]): readonly UrlPattern[] | undefined {
  const places = patterns.map((pattern, at) => ({ pattern, at, literal: literalLength(pattern) }));
  const kept: typeof places = [];
  for (const one of places.sort((a, b) => a.literal - b.literal)) {
    if (kept.some(({ pattern }) => surelyContains([pattern], [one.pattern]))) continue;
    kept.push(one);
    if (!fits(patternsExpression(kept.map(({ pattern }) => pattern)))) return undefined;
  }
  return kept.sort((a, b) => a.at - b.at).map(({ pattern }) => pattern);
}

/** Of two patterns, the one that covers the other has no more characters that are no star. */
function literalLength({ scheme, host, path }: UrlPattern): number {
  return `${scheme ?? ''}${host}${path}`.replaceAll('*', '').length;
}
