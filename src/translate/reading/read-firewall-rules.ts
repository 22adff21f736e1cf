import { compareTexts } from '../../core/lists';
import { type LegacyFirewallRule } from '../legacy-settings';
import { fits } from '../../ruleset/expressions';
import { shortName, type SkipDraft } from './draft';
import { type ReadContext, report } from './read-context';
import { type Setting, type Verdict } from './setting';

/** Everything that stands behind the rule in the entry point is skipped. */
const PRODUCT = 'waf';

/**
 * Reads the firewall rules that bypass the WAF managed rules: each becomes an exception with the
 * expression of its filter (spec: "Equivalent configuration is created for").
 */
export function readFirewallRules(context: ReadContext): SkipDraft[] {
  const bypassing = [...context.old.firewallRules]
    .filter(({ action, products }) => action === 'bypass' && products.includes(PRODUCT))
    .sort(byPriority);
  return bypassing.flatMap((rule) => {
    const { from, products } = rule;
    const setting = context.ledger.add({
      kind: 'firewall-rule',
      from,
      attribute: 'products',
      subject: rule.expression ?? '',
      value: `bypass ${[...products].sort().join(', ')}`,
    });
    const draft = draftBypass(context, rule);
    context.ledger.decide(setting, 'kind' in draft ? draft : wantSkip(draft));
    if ('kind' in draft) return [];
    reportOtherProducts(context, rule, setting);
    return [draft];
  });
}

/** The lower number comes first; the order among exceptions changes nothing but is kept. */
function byPriority(left: LegacyFirewallRule, right: LegacyFirewallRule): number {
  // without a priority comes last; of two without, the difference is no number
  const difference = (left.priority ?? Infinity) - (right.priority ?? Infinity);
  return difference || compareTexts(left.from, right.from);
}

function draftBypass(context: ReadContext, rule: LegacyFirewallRule): SkipDraft | Verdict {
  const { from, id, expression, paused, description } = rule;
  if (paused) return { kind: 'inert', why: 'the firewall rule or its filter is paused' };
  if (expression === undefined || expression.trim() === '') {
    const why = 'the filter of the firewall rule is not known';
    const remedy = 'add the filter to the state, or write the exception by hand';
    report(context, 'decision', 'FILTER_MISSING', from, why, remedy);
    return { kind: 'unknown', why, remedy };
  }
  if (!fits(expression)) {
    const why = 'the expression of its filter is longer than 4 KB';
    const remedy = 'shorten the expression, or ask Cloudflare support before the migration';
    report(context, 'decision', 'EXPRESSION_TOO_LONG', from, why, remedy);
    return { kind: 'unknown', why, remedy, exception: expression };
  }
  return {
    ref: `bypass_${shortName(id, from)}`,
    description: description === '' ? 'Firewall rule that bypassed the WAF' : description,
    expression,
    rules: 'all',
  };
}

/** The verdict on a setting that becomes an exception from everything. */
export function wantSkip({ expression }: SkipDraft, also?: string): Verdict {
  const spelled = also === undefined ? {} : { also };
  return { kind: 'wanted', wants: [{ kind: 'skip', rules: 'all', expression, ...spelled }] };
}

function reportOtherProducts(
  context: ReadContext,
  { from, products }: LegacyFirewallRule,
  { value }: Setting,
): void {
  if (products.every((product) => product === PRODUCT)) return;
  report(
    context,
    'info',
    'OTHER_PRODUCTS_BYPASSED',
    from,
    `the rule says ${value}: only the part for the WAF is carried into the ruleset`,
    'keep the rest of it as a custom rule with the action skip',
  );
}
