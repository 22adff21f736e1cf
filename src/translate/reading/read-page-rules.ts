import { compareTexts } from '../../core/lists';
import { type LegacyPageRule } from '../legacy-settings';
import { allOf, fits, noneOf } from '../../ruleset/expressions';
import {
  mayOverlap,
  parseUrlPattern,
  type PatternProblem,
  patternsExpression,
  surelyContains,
  type UrlPattern,
} from './url-pattern';
import { shortName, type SkipDraft } from './draft';
import { type ReadContext, report } from './read-context';
import { wantSkip } from './read-firewall-rules';
import { type Setting, type Verdict } from './setting';

/** What page rules make of the WAF. */
export interface PageRuleReading {
  readonly skips: readonly SkipDraft[];
  /** The page rules that switch the WAF on where the zone's own switch is off. */
  readonly on: readonly SwitchedOn[];
}

/** A page rule that switches the WAF on, for its URLs less those of page rules that win. */
interface SwitchedOn {
  readonly entry: PageRuleEntry;
  readonly expression: string;
  /** The same requests, as somebody else may have written them. */
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
  const entries = readPageRuleEntries(context);
  const active = entries.filter(({ rule }) => rule.active);
  const counting = switchedOff ? 'on' : 'off';
  const skips: SkipDraft[] = [];
  const on: SwitchedOn[] = [];
  let assumed = false;
  for (const entry of entries) {
    if (!entry.rule.active) {
      decidePageRule(context, entry, { kind: 'inert', why: 'the page rule is disabled' });
    } else if (entry.effect === 'unclear') decideUnclear(context, entry);
    else if (entry.effect !== counting) decidePageRule(context, entry, holdsAnyway(switchedOff));
    else {
      const expression = expressionOf(context, entry, active);
      const also = expressionWithAll(entry, active);
      if (typeof expression !== 'string') decidePageRule(context, entry, expression);
      else if (switchedOff) on.push({ entry, expression, also: also ?? expression });
      else {
        const skip = draftSkip(entry, expression);
        skips.push(skip);
        decidePageRule(context, entry, wantSkip(skip, also));
      }
      // also where it alone makes a page rule one without effect
      assumed ||= typeof expression === 'string' || expression.kind === 'inert';
    }
  }
  if (assumed) reportAssumptions(context);
  return { skips, on };
}

function holdsAnyway(switchedOff: boolean): Verdict {
  const why = switchedOff
    ? 'the WAF of the zone is off for all requests'
    : 'the WAF of the zone is on for all requests; page rules of lower priority are kept from these URLs';
  return { kind: 'inert', why };
}

/** The requests for which a page rule is the one that counts, or why there is no expression. */
function expressionOf(
  context: ReadContext,
  entry: PageRuleEntry,
  active: readonly PageRuleEntry[],
): string | Verdict {
  const { rule, pattern, effect } = entry;
  if (!('host' in pattern)) {
    const why = `its URL "${rule.target}" ${pattern.why}`;
    return refuse(context, entry, `PATTERN_${pattern.problem.toUpperCase()}`, why);
  }
  const winners = active.filter((other) => other.effect !== effect && wins(other, entry));
  const patterns = winners.flatMap((other) => ('host' in other.pattern ? [other.pattern] : []));
  const obscure = winners.find(
    (other) => 'problem' in other.pattern && other.pattern.problem === 'unsupported',
  );
  if (obscure !== undefined) {
    const why = `the page rule ${obscure.rule.from} wins over it, and its URL cannot be expressed`;
    return refuse(context, entry, 'PATTERN_UNSUPPORTED', why);
  }
  const near = patterns.filter((other) => mayOverlap([other], [pattern]));
  if (near.some((other) => surelyContains([other], [pattern]))) {
    const why = 'page rules that win over it cover all of its URLs';
    const exception = effect === 'off' ? expressionWithAll(entry, active) : undefined;
    return { kind: 'inert', why, ...(exception === undefined ? {} : { exception }) };
  }
  const expression = allOf([
    patternsExpression([pattern]),
    ...(near.length === 0 ? [] : [noneOf([patternsExpression(near)])]),
  ]);
  if (fits(expression)) return expression;
  const why = 'the expression without the URLs of page rules that win is longer than 4 KB';
  return refuse(context, entry, 'EXPRESSION_TOO_LONG', why);
}

/** The same requests, with every page rule that wins taken out: also those that never match them. */
function expressionWithAll(
  entry: PageRuleEntry,
  active: readonly PageRuleEntry[],
): string | undefined {
  const winners = active.filter((other) => other.effect !== entry.effect && wins(other, entry));
  const patterns = winners.flatMap((other) => ('host' in other.pattern ? [other.pattern] : []));
  if (!('host' in entry.pattern) || patterns.length === 0) return undefined;
  return allOf([patternsExpression([entry.pattern]), noneOf([patternsExpression(patterns)])]);
}

/** Where the order is not known, the WAF stays on. */
function wins(other: PageRuleEntry, entry: PageRuleEntry): boolean {
  const [theirs, ours] = [other.rule.priority, entry.rule.priority];
  return theirs > ours || (theirs === ours && entry.effect === 'off');
}

function refuse(context: ReadContext, entry: PageRuleEntry, code: string, why: string): Verdict {
  const remedy = 'write the exception for these URLs by hand';
  report(context, 'decision', code, entry.rule.from, why, remedy);
  return { kind: 'unknown', why, remedy };
}

function draftSkip({ rule }: PageRuleEntry, expression: string): SkipDraft {
  const what = rule.disableSecurity ? 'disabled security' : 'switched the WAF off';
  return {
    ref: `page_rule_${shortName(rule.id, rule.from)}`,
    description: `Page rule that ${what}: ${rule.target}`,
    expression,
    rules: 'all',
  };
}

function reportAssumptions(context: ReadContext): void {
  report(
    context,
    'info',
    'PAGE_RULES_ASSUMED',
    context.old.zoneId,
    'of the page rules that match a request only the one of highest priority counts; page rules that are not known here may win too, and Disable Security switched off more than the WAF',
    'compare the page rules of the zone with the exceptions; keep the page rules for what else they do',
  );
}

/** A page rule with what it does to the WAF. */
interface PageRuleEntry {
  readonly rule: LegacyPageRule;
  readonly pattern: UrlPattern | PatternProblem;
  readonly effect: 'off' | 'on' | 'none' | 'unclear';
  /** Empty for a page rule that says nothing of the WAF; it may still win over one that does. */
  readonly settings: readonly Setting[];
}

/** All page rules, the winning ones first: the higher number wins. */
function readPageRuleEntries(context: ReadContext): PageRuleEntry[] {
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

function effectOf({ disableSecurity, waf }: LegacyPageRule): PageRuleEntry['effect'] {
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
function decideUnclear(context: ReadContext, entry: PageRuleEntry): void {
  const { from, waf = '', disableSecurity } = entry.rule;
  const why = disableSecurity
    ? `it disables security, and says "${waf}" of the WAF`
    : `what it says of the WAF, "${waf}", is not known`;
  const remedy = 'decide what holds for these URLs, and write the exception by hand';
  report(context, 'decision', 'PAGE_RULE_UNCLEAR', from, why, remedy);
  decidePageRule(context, entry, { kind: 'unknown', why, remedy });
}
