import { mayOverlap, surelyContains } from '../patterns/compare-patterns';
import { ALWAYS, allOf, fits, noneOf } from '../patterns/expression-text';
import { type Scope } from './scope';

/**
 * Requests for which the same overrides hold: those in all of `inside` and in none of `outside`. The
 * region with nothing inside is what is left for the general rule.
 */
export interface Region {
  /** The highest priority first. */
  readonly inside: readonly Scope[];
  readonly outside: readonly Scope[];
  readonly expression: string;
}

/** The regions of several overrides, and those overrides for which there are too many. */
export interface RegionPlan {
  readonly regions: readonly Region[];
  /** The expression of what is left; undefined: nothing. */
  readonly general: string | undefined;
  readonly refused: readonly Scope[];
}

/**
 * The most rules that one override may add: those that overlap double with each other, and nobody
 * could read the outcome.
 */
const MAX_ADDED = 8;

/**
 * Divides the requests among overrides that may overlap, so that each request is in exactly one
 * region: what the service does when two rules run the same managed ruleset for one request is not
 * documented. Each override at most doubles the regions that it touches; one that would make too
 * many, or an expression over 4 KB, is refused.
 *
 * @param scopes the highest priority first: those that come later give way
 * @param base the requests that there is a WAF for at all
 */
export function planRegions(scopes: readonly Scope[], base: string): RegionPlan {
  const rest: Region = { inside: [], outside: [], expression: base };
  let regions: readonly Region[] = [rest];
  const refused: Scope[] = [];
  for (const scope of scopes) {
    const split = regions.flatMap((region) => divide(region, scope, base));
    const added = split.length - regions.length;
    if (added > MAX_ADDED || !split.every(({ expression }) => fits(expression))) {
      refused.push(scope);
    } else regions = split;
  }
  return {
    regions: regions.filter(({ inside }) => inside.length > 0),
    general: regions.find(({ inside }) => inside.length === 0)?.expression,
    refused,
  };
}

function divide(region: Region, scope: Scope, base: string): Region[] {
  const { inside, outside } = region;
  const touches = inside.every((other) => mayOverlap(other.patterns, scope.patterns));
  if (!touches) return [region];
  const parts: Region[] = [];
  if (!outside.some((other) => surelyContains(other.patterns, scope.patterns))) {
    parts.push(makeRegion([...inside, scope], outside, base));
  }
  const covers = inside.some((other) => surelyContains(scope.patterns, other.patterns));
  if (!covers && scope.expression !== ALWAYS) {
    parts.push(makeRegion(inside, [...outside, scope], base));
  }
  return parts;
}

function makeRegion(inside: readonly Scope[], outside: readonly Scope[], base: string): Region {
  // what another one implies does not have to be said
  const needed = inside.filter(
    (one, at) =>
      !inside.some(
        (other, position) =>
          surelyContains(one.patterns, other.patterns) &&
          (position < at || !surelyContains(other.patterns, one.patterns)),
      ),
  );
  const near = outside.filter(({ patterns }) =>
    inside.every((other) => mayOverlap(other.patterns, patterns)),
  );
  const expression = allOf([
    base,
    ...needed.map((scope) => scope.expression),
    ...(near.length === 0 ? [] : [noneOf(near.map((scope) => scope.expression))]),
  ]);
  return { inside, outside, expression };
}

/** The requests of a scope without those of others, which may be none. */
export function without(scope: Scope, others: readonly Scope[]): string {
  const near = others.filter(({ patterns }) => mayOverlap(patterns, scope.patterns));
  return allOf([
    scope.expression,
    ...(near.length === 0 ? [] : [noneOf(near.map(({ expression }) => expression))]),
  ]);
}
