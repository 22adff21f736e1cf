import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { ALWAYS } from '../../ruleset/expressions';
import { canonicalExpression } from '../../ruleset/compare-expressions';
import { type Entry } from '../reading/read-context';
import { type Verdict, type Want } from '../reading/setting';
import { type Target } from '../../ruleset/view-ruleset';

type SkipWant = Extract<Want, { readonly kind: 'skip' }>;

/** Expressions by their canonical text. */
export type Expressions = ReadonlyMap<string, string>;

/** What an old setting excepts requests from. */
interface OldException {
  readonly rules: SkipWant['rules'];
  readonly from: Expressions;
}

/**
 * For which requests the old settings themselves ask for something else than what holds in general:
 * what a ruleset does there says nothing against a general setting.
 */
export class LegacyRequests {
  /** All requests that the previous WAF saw, in each way to write them. */
  readonly seen: readonly string[];
  private readonly exceptions: readonly OldException[];
  private readonly overriddenRules = new Map<string, string[]>();

  constructor(entries: readonly Entry[]) {
    const wants = entries.flatMap(({ verdict }) =>
      verdict.kind === 'wanted' ? verdict.wants : [],
    );
    const runs = wants.find((want) => want.kind === 'runs');
    this.seen = runs === undefined ? [ALWAYS] : spellings(runs);
    this.exceptions = entries.flatMap(({ verdict }) => exceptionsOf(verdict));
    for (const want of wants) {
      if (!('within' in want)) continue;
      const others = this.overriddenRules.get(want.id) ?? [];
      this.overriddenRules.set(want.id, [...others, want.within]);
    }
  }

  /** The requests that old settings except a target from. */
  exempt(target: Target): Expressions {
    const asked = this.exceptions.filter(({ rules }) => coversTarget(rules, target));
    return new Map(asked.flatMap(({ from }) => [...from]));
  }

  /** The requests for which URI-based overrides say something of a target of their own. */
  overridden({ ruleset, rule }: Target): string[] {
    if (ruleset !== CLOUDFLARE_RULESET || rule === undefined) return [];
    return this.overriddenRules.get(rule) ?? [];
  }
}

function exceptionsOf(verdict: Verdict): OldException[] {
  if (verdict.kind === 'wanted') {
    const skips = verdict.wants.filter((want) => want.kind === 'skip');
    return skips.map((want) => ({ rules: want.rules, from: byText(spellings(want)) }));
  }
  const { exception } = verdict;
  return exception === undefined ? [] : [{ rules: 'all', from: byText([exception]) }];
}

/** An expression in each way that somebody may have written it. */
export function spellings(want: { readonly expression: string; readonly also?: string }): string[] {
  return [want.expression, ...(want.also === undefined ? [] : [want.also])];
}

function byText(expressions: readonly string[]): Expressions {
  return new Map(expressions.map((one) => [canonicalExpression(one), one]));
}

function coversTarget(rules: SkipWant['rules'], { ruleset, rule }: Target): boolean {
  if (rules === 'all') return true;
  return ruleset === CLOUDFLARE_RULESET && rules.id === rule;
}
