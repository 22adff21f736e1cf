import { compareTexts } from '../../model/compare-texts';
import { type OldPageRule } from '../../model/old-settings';
import { parseUrlPattern, type PatternProblem, type UrlPattern } from '../patterns/url-pattern';
import { type ReadContext, report } from './read-context';
import { type Setting, type Verdict } from './verdict';

/** A page rule with what it does to the WAF. */
export interface PageRuleEntry {
  readonly rule: OldPageRule;
  readonly pattern: UrlPattern | PatternProblem;
  readonly effect: 'off' | 'on' | 'none' | 'unclear';
  /** Empty for a page rule that says nothing of the WAF; it may still win over one that does. */
  readonly settings: readonly Setting[];
}

/** All page rules, the winning ones first: the higher number wins. */
export function readPageRuleEntries(context: ReadContext): PageRuleEntry[] {
  const ordered = [...context.old.pageRules].sort(
    (left, right) => right.priority - left.priority || compareTexts(left.from, right.from),
  );
  return ordered.map((rule) => {
    const { from, target: subject, disableSecurity, waf } = rule;
    const add = (attribute: string, value: string): Setting =>
      context.ledger.add({ kind: 'page-rule', from, attribute, subject, value });
    const settings = [
      ...(disableSecurity ? [add('actions.disable_security', 'true')] : []),
      ...(waf === undefined ? [] : [add('actions.waf', waf)]),
    ];
    const pattern = parseUrlPattern(subject, 'page-rule');
    return { rule, pattern, effect: effectOf(rule), settings };
  });
}

function effectOf({ disableSecurity, waf }: OldPageRule): PageRuleEntry['effect'] {
  if (disableSecurity && waf === 'on') return 'unclear';
  if (disableSecurity || waf === 'off') return 'off';
  if (waf === 'on') return 'on';
  return waf === undefined ? 'none' : 'unclear';
}

/** Writes one verdict on all settings of a page rule. */
export function decidePageRule(
  { ledger }: ReadContext,
  { settings }: PageRuleEntry,
  verdict: Verdict,
): void {
  for (const setting of settings) ledger.decide(setting, verdict);
}

/** A page rule that says what it cannot mean. */
export function decideUnclear(context: ReadContext, entry: PageRuleEntry): void {
  const { from, waf = '', disableSecurity } = entry.rule;
  const why = disableSecurity
    ? `it disables security, and says "${waf}" of the WAF`
    : `what it says of the WAF, "${waf}", is not known`;
  const remedy = 'decide what holds for these URLs, and write the exception by hand';
  report(context, 'decision', 'PAGE_RULE_UNCLEAR', from, why, remedy);
  decidePageRule(context, entry, { kind: 'unknown', why, remedy });
}
