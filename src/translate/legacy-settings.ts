import { type Finding } from '../core/finding';

/**
 * The settings of the legacy WAF managed rules of one zone, from a Terraform state or the legacy API. Values
 * are as they were read; src/translate interprets them. Resources: provider 3.35.
 */
export interface LegacySettings extends LegacyPackages {
  readonly zoneId: string;
  /** The zone's own switch of the whole WAF, if known; otherwise it is assumed to be on. */
  readonly wafSwitch?: LegacySwitch | undefined;
  /** URI-based overrides. */
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

/** The fields of every setting. */
interface Placed {
  /** Where it was read: the address of an instance in a state, or a place in a response. */
  readonly from: string;
}

/** The switch `waf` of a zone. */
export interface LegacySwitch extends Placed {
  readonly value: string;
}

/** A package; only the OWASP package has a sensitivity and an action. */
export interface PackageSetting extends Placed {
  readonly packageId: string;
  /** `high`, `medium`, `low`, `off`; empty if the package has none. */
  readonly sensitivity: string;
  /** `simulate`, `block`, `challenge`; empty if the package has none. */
  readonly actionMode: string;
}

/** A group of rules. */
export interface GroupSetting extends Placed {
  readonly groupId: string;
  readonly packageId: string | undefined;
  /** `on`, `off`. */
  readonly mode: string;
  readonly name?: string | undefined;
  /** The number of its rules, if known. */
  readonly rulesCount?: number | undefined;
}

/** A single rule. */
export interface RuleSetting extends Placed {
  readonly ruleId: string;
  readonly packageId: string | undefined;
  readonly groupId: string | undefined;
  readonly groupName?: string | undefined;
  /** `default`, `disable`, `simulate`, `block`, `challenge`, or `on`, `off`. */
  readonly mode: string;
}

/** A URI-based override. */
export interface LegacyOverride extends Placed {
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
export interface LegacyFirewallRule extends Placed {
  readonly id: string | undefined;
  readonly action: string;
  readonly products: readonly string[];
  /** Undefined if the filter is unknown. */
  readonly expression: string | undefined;
  /** Whether the rule or its filter is paused: both stop it from matching. */
  readonly paused: boolean;
  readonly description: string;
}

/** The parts of a page rule that concern the WAF. */
export interface LegacyPageRule extends Placed {
  readonly id: string | undefined;
  readonly target: string;
  /** A higher number wins. */
  readonly priority: number;
  readonly active: boolean;
  readonly disableSecurity: boolean;
  /** `on`, `off`; undefined if the page rule does not set it. */
  readonly waf: string | undefined;
}
