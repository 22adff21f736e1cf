import { fits } from '../../ruleset/expressions';
import { shortName, type SkipDraft } from '../build-ruleset';
import { bypassesWaf, type LegacyFirewallRule } from '../source/legacy-settings';
import { byPlace, type Entry, type LegacyZone } from './legacy-zone';
import { inert, unknown, type Verdict, wanted } from './setting';

/**
 * Reads the firewall rules that bypass the WAF managed rules. Each becomes an exception with the expression
 * of its filter (spec: "Equivalent configuration is created for").
 */
export function readFirewallRules(zone: LegacyZone): { entries: Entry[]; skips: SkipDraft[] } {
  const bypassing = byPlace(zone.settings.firewallRules).filter(bypassesWaf);
  const skips: SkipDraft[] = [];
  const entries = bypassing.map((rule): Entry => {
    const { id, from, products, description, expression = '' } = rule;
    const value = `bypass ${products.toSorted().join(', ')}`;
    const attribute = 'products';
    const setting = { kind: 'firewall-rule', from, attribute, subject: expression, value } as const;
    const refusal = refuse(rule);
    if (refusal !== undefined) return { setting, verdict: refusal };
    if (products.some((product) => product !== 'waf')) {
      const message = `the action of the rule is ${value}: only the part for the WAF becomes part of the ruleset`;
      const remedy = 'keep the rest as a custom rule with the action skip';
      zone.report('info', 'OTHER_PRODUCTS_BYPASSED', from, message, remedy);
    }
    skips.push({
      ref: `bypass_${shortName(id, from)}`,
      description: description === '' ? 'Firewall rule that bypassed the WAF' : description,
      expression,
    });
    return { setting, verdict: wanted([{ kind: 'skip', expression }]) };
  });
  return { entries, skips };
}

/** Why a rule becomes no exception; undefined if it becomes one. */
function refuse({ expression, paused }: LegacyFirewallRule): Verdict | undefined {
  if (paused) return inert('the firewall rule or its filter is paused');
  if (expression === undefined || expression.trim() === '') {
    const why = 'the filter of the firewall rule is unknown';
    return unknown(why, 'add the filter to the state, or add the exception by hand');
  }
  if (fits(expression)) return undefined;
  const why = 'the expression of its filter is longer than 4 KB';
  return unknown(why, 'shorten the expression, or ask Cloudflare support before the migration');
}
