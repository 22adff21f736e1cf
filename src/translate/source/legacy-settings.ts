import { type Finding } from '../../core/finding';
import { objectOf, textOf, textsOf } from '../../core/json';
import { groupBy } from '../../core/lists';

/**
 * The settings of the legacy WAF managed rules of one zone, from a Terraform state or the legacy API. Values
 * are as they were read; `reading/` interprets them. Resources: provider 3.35.
 */
export interface LegacySettings extends LegacyPackages {
  readonly zoneId: string;
  /** The zone's own switch of the whole WAF, if known; otherwise it is assumed to be on. */
  readonly wafSwitch?: LegacySwitch | undefined;
  readonly overrides: readonly LegacyOverride[];
  /** All of the zone; only those that bypass the WAF are settings. */
  readonly firewallRules: readonly LegacyFirewallRule[];
  /** All of the zone; of those that match a request, only the one of highest priority counts. */
  readonly pageRules: readonly LegacyPageRule[];
}

/** The legacy settings of zones, with findings about what is unknown. */
export interface ReadSettings {
  /** By zone id. */
  readonly zones: readonly LegacySettings[];
  readonly findings: readonly Finding[];
}

/** The settings of legacy packages, and what is known about their groups and rules. */
export interface LegacyPackages {
  readonly packages: readonly PackageSetting[];
  readonly groups: readonly GroupSetting[];
  readonly rules: readonly RuleSetting[];
  /** What responses and data sources contain about these, also about those without a setting. */
  readonly known: {
    readonly groups: readonly Omit<GroupSetting, 'from' | 'mode'>[];
    readonly rules: readonly Omit<RuleSetting, 'from' | 'mode'>[];
  };
}

interface Located {
  /** Where it was read: the address of an instance in a state, or a place in a response. */
  readonly from: string;
}

/** The switch `waf` of a zone. */
export interface LegacySwitch extends Located {
  readonly value: string;
}

/** A package; only the OWASP package has a sensitivity and an action. */
export interface PackageSetting extends Located {
  readonly packageId: string;
  /** `high`, `medium`, `low`, `off`; empty if the package has none. */
  readonly sensitivity: string;
  /** `simulate`, `block`, `challenge`; empty if the package has none. */
  readonly actionMode: string;
}

/** A group of rules. */
export interface GroupSetting extends Located {
  readonly groupId: string;
  readonly packageId: string | undefined;
  /** `on`, `off`. */
  readonly mode: string;
  readonly name?: string | undefined;
  /** The number of its rules, if known. */
  readonly rulesCount?: number | undefined;
}

/** A single rule. */
export interface RuleSetting extends Located {
  readonly ruleId: string;
  readonly packageId: string | undefined;
  readonly groupId: string | undefined;
  readonly groupName?: string | undefined;
  /** `default`, `disable`, `simulate`, `block`, `challenge`, or `on`, `off`. */
  readonly mode: string;
}

/** A URI-based override. */
export interface LegacyOverride extends Located {
  readonly id: string | undefined;
  readonly description: string;
  /** Simple wildcards. */
  readonly urls: readonly string[];
  /** Rule id → mode. */
  readonly rules: Readonly<Record<string, string>>;
  /** Group id → mode. */
  readonly groups: Readonly<Record<string, string>>;
  /** The action of a rule → the action that replaces it. */
  readonly rewriteAction: Readonly<Record<string, string>>;
  readonly paused: boolean;
}

/** A firewall rule with the expression of its filter. */
export interface LegacyFirewallRule extends Located {
  readonly id: string | undefined;
  readonly action: string;
  readonly products: readonly string[];
  /** Undefined if the filter is unknown. */
  readonly expression: string | undefined;
  /** Whether the rule or its filter is paused: both stop it from matching. */
  readonly paused: boolean;
  readonly description: string;
}

/** Whether a firewall rule, of a state or the API, bypasses the legacy WAF. */
export const bypassesWaf = (rule: {
  readonly action: string;
  readonly products?: readonly string[] | null | undefined;
}): boolean => rule.action === 'bypass' && rule.products?.includes('waf') === true;

/** The parts of a page rule that concern the WAF. */
export interface LegacyPageRule extends Located {
  readonly id: string | undefined;
  readonly target: string;
  /** A higher number wins. */
  readonly priority: number;
  readonly active: boolean;
  readonly disableSecurity: boolean;
  /** `on`, `off`; undefined if the page rule does not set it. */
  readonly waf: string | undefined;
}

/** An object of a state or of the legacy API: provider 3.35 has the names of the API. */
export type Attributes = Readonly<Record<string, unknown>>;

export interface Placed extends Located {
  readonly attributes: Attributes;
}

export const text = (attributes: Attributes, name: string): string => textOf(attributes[name]);
export const optionalText = (attributes: Attributes, name: string): string | undefined =>
  text(attributes, name) || undefined;
export const isTrue = (attributes: Attributes, name: string): boolean => attributes[name] === true;

export function wholeNumber(attributes: Attributes, name: string): number | undefined {
  const value = attributes[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function textMap(attributes: Attributes, name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(attributes[name]));
  return Object.fromEntries(
    entries.flatMap(([key, one]) => (typeof one === 'string' ? [[key, one]] : [])),
  );
}

/** @param id the name of the attribute with the id */
export function readPackage({ from, attributes }: Placed, id = 'id'): PackageSetting {
  return {
    from,
    packageId: text(attributes, id),
    sensitivity: text(attributes, 'sensitivity'),
    actionMode: text(attributes, 'action_mode'),
  };
}

export function readGroup({ from, attributes }: Placed, id = 'id'): GroupSetting {
  return {
    from,
    groupId: text(attributes, id),
    packageId: optionalText(attributes, 'package_id'),
    mode: text(attributes, 'mode'),
    name: optionalText(attributes, 'name'),
    rulesCount: wholeNumber(attributes, 'rules_count'),
  };
}

export function readRule({ from, attributes }: Placed, id = 'id'): RuleSetting {
  return {
    from,
    ruleId: text(attributes, id),
    packageId: optionalText(attributes, 'package_id'),
    groupId: optionalText(attributes, 'group_id'),
    groupName: optionalText(attributes, 'group_name'),
    mode: text(attributes, 'mode'),
  };
}

export function readOverride({ from, attributes }: Placed): LegacyOverride {
  return {
    from,
    id: optionalText(attributes, 'id'),
    description: text(attributes, 'description'),
    urls: textsOf(attributes['urls']),
    rules: textMap(attributes, 'rules'),
    groups: textMap(attributes, 'groups'),
    rewriteAction: textMap(attributes, 'rewrite_action'),
    paused: isTrue(attributes, 'paused'),
  };
}

/** A rule is paused if its filter is paused. */
export function readFirewallRule(
  { from, attributes }: Placed,
  filter: Attributes = {},
): LegacyFirewallRule {
  return {
    from,
    id: optionalText(attributes, 'id'),
    action: text(attributes, 'action'),
    products: textsOf(attributes['products']),
    expression: optionalText(filter, 'expression'),
    paused: isTrue(attributes, 'paused') || isTrue(filter, 'paused'),
    description: text(attributes, 'description'),
  };
}

type Things = Omit<LegacyPackages, 'known'>;

/**
 * Selects the settings from what the legacy API or a data source contains: a package, group or rule with its
 * defaults has no setting. Settings of a resource win over those of a data source, because they are applied
 * after it was read.
 */
export function packageSettings(
  seen: Things,
  managed: Things = { packages: [], groups: [], rules: [] },
): LegacyPackages {
  // only the OWASP package has a sensitivity
  const packages = seen.packages.filter(({ sensitivity }) => sensitivity !== '');
  const groups = seen.groups.filter(({ mode }) => !['', 'on'].includes(mode));
  const rules = seen.rules.filter(({ mode }) => !['', 'default', 'on'].includes(mode));
  return {
    packages: mergeSettings(managed.packages, packages, ({ packageId }) => packageId),
    groups: mergeSettings(managed.groups, groups, ({ groupId }) => groupId),
    rules: mergeSettings(managed.rules, rules, ({ ruleId }) => ruleId),
    known: { groups: seen.groups, rules: seen.rules },
  };
}

/**
 * Adds settings of a second source, except those whose id the first one has. Equal ones of the second source count once;
 * different ones of one id stay as a contradiction.
 */
export function mergeSettings<T extends Located>(
  managed: readonly T[],
  seen: readonly T[],
  idOf: (one: T) => string,
): T[] {
  const ids = new Set(managed.map(idOf));
  const others = seen.filter((one) => !ids.has(idOf(one)));
  const keyOf = (one: T): string => JSON.stringify({ ...one, from: '' });
  return [...managed, ...[...groupBy(others, keyOf).values()].map(([first]) => first)];
}
