import { type FirewallRule, type PageRule, type WafOverride } from '../../cloudflare/firewall';
import { type LegacyPackages, type LegacySettings } from '../legacy-settings';
import { type LegacyWafPackage } from './read-legacy-waf';
import { type Attributes, objects, optionalText, text, wholeNumber } from './state-attributes';

/**
 * The settings of packages as the old interfaces answer them. What a group or rule is by itself is no
 * setting: it is known, and not listed.
 */
export function packageSettingsOf(packages: readonly LegacyWafPackage[]): LegacyPackages {
  const groups = packages.flatMap(({ id, groups: all }) =>
    all.map((group) => ({ packageId: id, group })),
  );
  const rules = packages.flatMap(({ id, rules: all }) =>
    all.map((rule) => ({ packageId: id, rule, group: groupOf(rule) })),
  );
  return {
    packages: packages.flatMap(({ id, sensitivity = '', action_mode: actionMode = '' }) => {
      const from = `waf/packages/${id}`;
      return sensitivity === '' ? [] : [{ from, packageId: id, sensitivity, actionMode }];
    }),
    groups: groups.flatMap(({ packageId, group: { id: groupId, mode } }) => {
      const from = `waf/packages/${packageId}/groups/${groupId}`;
      return mode === 'on' ? [] : [{ from, groupId, packageId, mode }];
    }),
    rules: rules.flatMap(({ packageId, rule: { id: ruleId, mode }, group }) => {
      const from = `waf/packages/${packageId}/rules/${ruleId}`;
      if (mode === 'default' || mode === 'on') return [];
      return [{ from, ruleId, packageId, groupId: group.id, mode }];
    }),
    known: {
      packages: packages.map(({ id, name, detection_mode }) => {
        return { id, name, detectionMode: detection_mode };
      }),
      groups: groups.map(({ packageId, group }) => ({
        id: group.id,
        name: group.name,
        packageId,
        rulesCount: wholeNumber(group, 'rules_count'),
      })),
      rules: rules.map(({ packageId, rule, group }) => ({
        id: rule.id,
        groupId: group.id,
        groupName: group.name,
        packageId,
      })),
    },
  };
}

function groupOf(rule: Attributes): { id: string | undefined; name: string | undefined } {
  const [group = {}] = objects(rule, 'group');
  return { id: optionalText(group, 'id'), name: optionalText(group, 'name') };
}

/** An override as it came. */
export function overrideOf(override: WafOverride): LegacySettings['overrides'][number] {
  const { id, description, urls, rules, groups, rewrite_action, paused, priority } = override;
  return {
    from: `waf/overrides/${id}`,
    id,
    description: description ?? '',
    urls,
    rules,
    groups,
    rewriteAction: rewrite_action,
    paused,
    priority,
  };
}

/** A firewall rule as it came; its filter can be paused too. */
export function firewallRuleOf(rule: FirewallRule): LegacySettings['firewallRules'][number] {
  const { id, action, products, filter, paused, priority, description } = rule;
  return {
    from: `firewall/rules/${id}`,
    id,
    action,
    products: products ?? [],
    expression: filter.expression ?? undefined,
    paused: paused || filter.paused === true,
    priority: priority ?? undefined,
    description: description ?? '',
  };
}

/** A page rule as it came. Those that say nothing of the WAF count too: they may win. */
export function pageRuleOf(rule: PageRule): LegacySettings['pageRules'] {
  const { id, status, priority, targets, actions } = rule;
  const [target] = targets;
  if (target === undefined) return [];
  const waf = actions.find((action) => action.id === 'waf')?.value;
  return [
    {
      from: `pagerules/${id}`,
      id,
      target,
      priority,
      active: status === 'active',
      disableSecurity: actions.some((action) => action.id === 'disable_security'),
      waf: waf === undefined ? undefined : text({ waf }, 'waf') || JSON.stringify(waf),
    },
  ];
}
