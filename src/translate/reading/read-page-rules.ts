import { compareTexts } from '../../core/lists';
import { allOf, fits, noneOf } from '../../ruleset/expressions';
import { shortName, type SkipDraft } from '../build-ruleset';
import { type LegacyPageRule } from '../legacy-settings';
import { type ReadContext } from './read-context';
import { wantSkip } from './read-firewall-rules';
import { inert, type Setting, type Verdict } from './setting';
import {
  parseUrlPattern,
  type PatternProblem,
  patternContains,
  patternsExpression,
  patternsOverlap,
  type UrlPattern,
} from './url-pattern';

/** What page rules do to the WAF. */
interface PageRuleReading {
  readonly skips: readonly SkipDraft[];
  /** The page rules that switch the WAF on where the zone's own switch is off; not yet decided. */
  readonly on: readonly SwitchedOn[];
}

/** A page rule that switches the WAF on, for its URLs less those of page rules that win over it. */
interface SwitchedOn {
  readonly from: string;
  readonly settings: readonly Setting[];
  readonly expression: string;
  /** Another expression for the same requests, as another author may write it. */
  readonly also: string;
}

/**
 * Reads the page rules. Of those that match a request only the one of highest priority counts
 * (Cloudflare's documentation of Page Rules), so an exception leaves out the URLs of page rules that
 * win over it and do not switch the WAF off themselves.
 *
 * @param switchedOff the zone's own switch is off: then page rules that switch the WAF on count
 */
export function readPageRules(context: ReadContext, switchedOff: boolean): PageRuleReading {
  // the winning ones first: the higher number wins
  const entries = [...context.legacy.pageRules]
    .sort((a, b) => b.priority - a.priority || compareTexts(a.from, b.from))
    .map((rule) => readEntry(context, rule));
  const active = entries.filter(({ rule }) => rule.active);
  const skips: SkipDraft[] = [];
  const on: SwitchedOn[] = [];
  let assumed = false;
  for (const { rule, settings, pattern, effect } of entries) {
    const { from } = rule;
    const decide = (verdict: Verdict): void => {
      for (const setting of settings) context.decide(setting, verdict);
    };
    if (!rule.active) decide(inert('the page rule is disabled'));
    else if (effect === 'unclear') decide(refuseUnclear(context, rule));
    else if (effect !== (switchedOff ? 'on' : 'off')) {
      const why = switchedOff
        ? 'the WAF of the zone is off for all requests'
        : 'the WAF of the zone is on already; this page rule only wins over page rules of lower priority';
      decide(inert(why));
    } else {
      const winners = active.filter(
        (other) => other.effect !== effect && wins(other.rule, rule, effect),
      );
      const found = expressionOf(context, { rule, pattern, effect }, winners);
      // also where it alone makes a page rule one without effect
      assumed ||= !('kind' in found) || found.kind === 'inert';
      if ('kind' in found) decide(found);
      else if (switchedOff) on.push({ from, settings, also: found.expression, ...found });
      else {
        skips.push(draftSkip(rule, found.expression));
        decide(wantSkip(found.expression, found.also));
      }
    }
  }
  if (assumed) reportAssumptions(context);
  return { skips, on };
}

/** A page rule with what it does to the WAF. */
interface PageRuleEntry {
  readonly rule: LegacyPageRule;
  readonly pattern: UrlPattern | PatternProblem;
  readonly effect: 'off' | 'on' | 'none' | 'unclear';
  /** Empty for a page rule that does not concern the WAF; it may still win over one that does. */
  readonly settings: readonly Setting[];
}

function readEntry(context: ReadContext, rule: LegacyPageRule): PageRuleEntry {
  const { from, target: subject, disableSecurity, waf } = rule;
  const add = (attribute: string, value: string): Setting =>
    context.add({ kind: 'page-rule', from, attribute, subject, value });
  const settings = [
    ...(disableSecurity ? [add('actions.disable_security', 'true')] : []),
    ...(waf === undefined ? [] : [add('actions.waf', waf)]),
  ];
  return { rule, settings, pattern: parseUrlPattern(subject, 'page-rule'), effect: effectOf(rule) };
}

function effectOf({ disableSecurity, waf }: LegacyPageRule): PageRuleEntry['effect'] {
  if (disableSecurity && waf === 'on') return 'unclear';
  if (disableSecurity || waf === 'off') return 'off';
  if (waf === 'on') return 'on';
  return waf === undefined ? 'none' : 'unclear';
}

/** Where the order of two page rules is not known, the WAF stays on. */
function wins(
  other: LegacyPageRule,
  rule: LegacyPageRule,
  effect: PageRuleEntry['effect'],
): boolean {
  return other.priority > rule.priority || (other.priority === rule.priority && effect === 'off');
}

/** A page rule that contradicts itself, or has an unknown value. */
function refuseUnclear(
  context: ReadContext,
  { from, waf = '', disableSecurity }: LegacyPageRule,
): Verdict {
  const why = disableSecurity
    ? `it disables security, but sets the WAF to "${waf}"`
    : `its setting of the WAF, "${waf}", is unknown`;
  const remedy = 'decide what applies to these URLs, and add the exception by hand';
  return context.refuse('PAGE_RULE_UNCLEAR', from, why, remedy);
}

/**
 * The requests for which a page rule is the one that counts, or why there is no expression. `also`
 * takes out every page rule that wins, also those whose URLs it never shares.
 */
function expressionOf(
  context: ReadContext,
  { rule, pattern, effect }: Omit<PageRuleEntry, 'settings'>,
  winners: readonly PageRuleEntry[],
): { readonly expression: string; readonly also?: string } | Verdict {
  const refuse = (code: string, why: string): Verdict =>
    context.refuse(code, rule.from, why, 'add the exception for these URLs by hand');
  if ('problem' in pattern) {
    return refuse(
      `PATTERN_${pattern.problem.toUpperCase()}`,
      `its URL "${rule.target}" ${pattern.why}`,
    );
  }
  const obscure = winners.find(
    (other) => 'problem' in other.pattern && other.pattern.problem === 'unsupported',
  );
  if (obscure !== undefined) {
    const why = `the page rule ${obscure.rule.from} wins over it, and its URL cannot be expressed`;
    return refuse('PATTERN_UNSUPPORTED', why);
  }
  const patterns = winners.flatMap((other) => ('host' in other.pattern ? [other.pattern] : []));
  const without = (some: readonly UrlPattern[]): string =>
    allOf([
      patternsExpression([pattern]),
      ...(some.length === 0 ? [] : [noneOf([patternsExpression(some)])]),
    ]);
  const near = patterns.filter((other) => patternsOverlap(other, pattern));
  const also = patterns.length === 0 ? undefined : without(patterns);
  if (near.some((other) => patternContains(other, pattern))) {
    const covered = inert('page rules that win over it match all of its URLs');
    return effect === 'off' && also !== undefined ? { ...covered, exception: also } : covered;
  }
  const expression = without(near);
  if (!fits(expression)) {
    const why =
      'the expression without the URLs of page rules that win over it is longer than 4 KB';
    return refuse('EXPRESSION_TOO_LONG', why);
  }
  return { expression, ...(also !== undefined && { also }) };
}

function draftSkip(
  { id, from, target, disableSecurity }: LegacyPageRule,
  expression: string,
): SkipDraft {
  const what = disableSecurity ? 'disabled security' : 'switched the WAF off';
  return {
    ref: `page_rule_${shortName(id, from)}`,
    description: `Page rule that ${what}: ${target}`,
    expression,
    rules: 'all',
  };
}

function reportAssumptions(context: ReadContext): void {
  context.report(
    'info',
    'PAGE_RULES_ASSUMED',
    context.legacy.zoneId,
    'only the matching page rule with the highest priority is assumed to apply; page rules that are not in the settings may win too, and Disable Security switched off more than the WAF',
    'compare the page rules of the zone with the exceptions; keep the page rules for their other settings',
  );
}
