import { mayOverlap, surelyContains } from '../patterns/compare-patterns';
import { ALWAYS, allOf, fits, noneOf } from '../patterns/expression-text';
import { type Scope } from './scope';

/**
 * Requests for which the same overrides hold: those in all of `inside` and in none of the others. The
 * region with nothing inside is what is left for the general rule.
 */
export interface Region {
  /** The highest priority first. */
  readonly inside: readonly Scope[];
  readonly expression: string;
}

/** A region while overrides are still to come. */
interface OpenRegion extends Region {
  /** Of those inside: what another one implies does not have to be said. */
  readonly needed: readonly Scope[];
  /** Of the others: those that overlap with all inside. */
  readonly near: readonly Scope[];
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
  let regions: readonly OpenRegion[] = [{ inside: [], needed: [], near: [], expression: base }];
  const taken: Scope[] = [];
  const refused: Scope[] = [];
  for (const scope of scopes) {
    const relations = relationsOf(scope, taken);
    const split = regions.flatMap((region) => divide(region, relations, base));
    const added = split.length - regions.length;
    if (added > MAX_ADDED || !split.every(({ expression }) => fits(expression))) {
      refused.push(scope);
    } else {
      regions = split;
      taken.push(scope);
    }
  }
  return {
    regions: regions.filter(({ inside }) => inside.length > 0),
    general: regions.find(({ inside }) => inside.length === 0)?.expression,
    refused,
  };
}

/** How an override lies to those before it: compared once, since each of them stands in many regions. */
interface Relations {
  readonly scope: Scope;
  readonly overlapping: ReadonlySet<Scope>;
  /** Those that hold for all of its requests. */
  readonly around: ReadonlySet<Scope>;
  /** Those of which it holds for all requests. */
  readonly within: ReadonlySet<Scope>;
}

function relationsOf(scope: Scope, others: readonly Scope[]): Relations {
  const { patterns } = scope;
  return {
    scope,
    overlapping: new Set(others.filter((other) => mayOverlap(other.patterns, patterns))),
    around: new Set(others.filter((other) => surelyContains(other.patterns, patterns))),
    within: new Set(others.filter((other) => surelyContains(patterns, other.patterns))),
  };
}

function divide(region: OpenRegion, relations: Relations, base: string): OpenRegion[] {
  const { inside, needed, near } = region;
  const { scope, overlapping, around, within } = relations;
  if (!inside.every((other) => overlapping.has(other))) return [region];
  const covers = inside.some((other) => within.has(other));
  const parts: OpenRegion[] = [];
  // one that is around it and not near would keep it from overlapping with all inside
  if (!near.some((other) => around.has(other))) {
    const still = needed.filter((one) => !around.has(one) || within.has(one));
    parts.push(
      openRegion(
        [...inside, scope],
        covers ? still : [...still, scope],
        near.filter((other) => overlapping.has(other)),
        base,
      ),
    );
  }
  if (!covers && scope.expression !== ALWAYS) {
    parts.push(openRegion(inside, needed, [...near, scope], base));
  }
  return parts;
}

function openRegion(
  inside: readonly Scope[],
  needed: readonly Scope[],
  near: readonly Scope[],
  base: string,
): OpenRegion {
  const expression = allOf([
    base,
    ...needed.map((scope) => scope.expression),
    ...(near.length === 0 ? [] : [noneOf(near.map((scope) => scope.expression))]),
  ]);
  return { inside, needed, near, expression };
}

/** The requests of a scope without those of others, which may be none. */
export function without(scope: Scope, others: readonly Scope[]): string {
  const near = others.filter(({ patterns }) => mayOverlap(patterns, scope.patterns));
  return allOf([
    scope.expression,
    ...(near.length === 0 ? [] : [noneOf(near.map(({ expression }) => expression))]),
  ]);
}
