import { compareTexts } from '../../core/lists';
import { allOf, anyOf, fits } from '../../ruleset/expressions';
import { shortName, type SkipDraft } from '../build-ruleset';
import { type LegacyPageRule } from '../source/legacy-settings';
import { type Entry, type LegacyZone } from './legacy-zone';
import { inert, unknown, type Verdict, wanted, type WantOf } from './setting';
import {
  mayOverlap,
  parseUrlPattern,
  type PatternProblem,
  patternsExpression,
  type UrlPattern,
} from './url-pattern';

/** A page rule with what it does to the WAF. */
interface PageRule extends LegacyPageRule {
  readonly pattern: UrlPattern | PatternProblem;
  readonly effect: 'off' | 'on' | 'none' | 'unclear';
}

/**
 * Reads the page rules. Of those that match a request only the one of highest priority counts (Cloudflare's
 * documentation of Page Rules). An exception therefore leaves out the URLs of page rules that win over it and
 * do not switch the WAF off themselves.
 *
 * @param switchedOff whether the zone's own switch is off, so that page rules that switch the WAF on count
 * @returns `runs`: what these require of the managed rulesets
 */
export function readPageRules(zone: LegacyZone, switchedOff: boolean) {
  // the higher number wins
  const rules = zone.settings.pageRules
    .toSorted((a, b) => b.priority - a.priority || compareTexts(a.from, b.from))
    .map((rule): PageRule => {
      const pattern = parseUrlPattern(rule.target, 'page-rule');
      return { ...rule, pattern, effect: effectOf(rule) };
    });
  const read = rules.map((rule) => ({ rule, found: readPageRule(rule, rules, switchedOff) }));
  const counting = read.flatMap(({ rule, found }) =>
    typeof found === 'string' ? [{ rule, expression: found }] : [],
  );
  if (counting.length > 0) {
    zone.report(
      'info',
      'PAGE_RULES_ASSUMED',
      zone.settings.zoneId,
      'of the matching page rules, only the one with the highest priority is assumed to apply. Page rules that are not in the settings may have a higher one. Disable Security also switched off more than the WAF',
      'compare the page rules of the zone with the exceptions; keep the page rules for their other settings',
    );
  }
  const runs = switchedOff ? runsFor(counting.map(({ expression }) => expression)) : undefined;
  const verdictOf = (found: string | Verdict): Verdict => {
    if (typeof found !== 'string') return found;
    if (!switchedOff) return wanted([{ kind: 'skip', expression: found }]);
    if (runs !== undefined) return wanted([runs]);
    const why = 'the expression for the page rules that switch the WAF on is longer than 4 KB';
    return unknown(why, 'add several rules by hand');
  };
  return {
    entries: read.flatMap(({ rule, found }) => entriesOf(rule, verdictOf(found))),
    skips: switchedOff ? [] : counting.map(({ rule, expression }) => draftSkip(rule, expression)),
    runs,
  };
}

/** Empty for a page rule that does not concern the WAF, although it may win over one that does. */
function entriesOf(
  { from, target: subject, disableSecurity, waf }: PageRule,
  verdict: Verdict,
): Entry[] {
  const entry = (attribute: string, value: string): Entry => ({
    setting: { kind: 'page-rule', from, attribute, subject, value },
    verdict,
  });
  return [
    ...(disableSecurity ? [entry('actions.disable_security', 'true')] : []),
    ...(waf === undefined ? [] : [entry('actions.waf', waf)]),
  ];
}

function effectOf({ disableSecurity, waf }: LegacyPageRule): PageRule['effect'] {
  if (disableSecurity && waf === 'on') return 'unclear';
  if (disableSecurity || waf === 'off') return 'off';
  if (waf === 'on') return 'on';
  return waf === undefined ? 'none' : 'unclear';
}

/**
 * The expression for the requests to which a page rule applies, or the verdict if there is none.
 * @param all all page rules of the zone
 */
function readPageRule(
  rule: PageRule,
  all: readonly PageRule[],
  switchedOff: boolean,
): string | Verdict {
  const { active, effect, priority, waf = '' } = rule;
  if (!active) return inert('the page rule is disabled');
  if (effect === 'unclear') {
    const why = `its setting of the WAF, "${waf}", is unknown, or contradicts Disable Security`;
    return unknown(why, 'decide what applies to these URLs, and add the exception by hand');
  }
  if (effect !== (switchedOff ? 'on' : 'off')) {
    return inert(
      switchedOff
        ? 'the WAF of the zone is off for all requests'
        : 'the WAF of the zone is on already; this page rule only overrules page rules of lower priority',
    );
  }
  // if the order of two page rules is unknown, the WAF stays on
  const winners = all.filter(
    (other) =>
      other.active &&
      other.effect !== effect &&
      (other.priority > priority || (other.priority === priority && effect === 'off')),
  );
  return requestsOf(rule, winners);
}

function requestsOf({ pattern }: PageRule, winners: readonly PageRule[]): string | Verdict {
  const remedy = 'add the exception for these URLs by hand';
  if ('problem' in pattern) return unknown(`its URL ${pattern.problem}`, remedy);
  const unread = winners.find((winner) => 'problem' in winner.pattern);
  if (unread !== undefined) {
    const why = `the page rule ${unread.from} has a higher priority, and its URL cannot be expressed`;
    return unknown(why, remedy);
  }
  const exceptions = winners.flatMap(({ pattern: other }) =>
    'host' in other && mayOverlap(other, pattern) ? `not (${patternsExpression([other])})` : [],
  );
  const expression = allOf([patternsExpression([pattern]), ...exceptions]);
  if (fits(expression)) return expression;
  const why = 'the expression that leaves out the URLs of stronger page rules is longer than 4 KB';
  return unknown(why, remedy);
}

/** If the zone's own switch is off, the WAF runs only for what page rules switch on. */
function runsFor(expressions: readonly string[]): WantOf<'runs'> | undefined {
  if (expressions.length === 0) return undefined;
  const expression = anyOf(expressions);
  return fits(expression) ? { kind: 'runs', expression } : undefined;
}

function draftSkip({ id, from, target, disableSecurity }: PageRule, expression: string): SkipDraft {
  const what = disableSecurity ? 'disabled security' : 'switched the WAF off';
  return {
    ref: `page_rule_${shortName(id, from)}`,
    description: `Page rule that ${what}: ${target}`,
    expression,
  };
}
