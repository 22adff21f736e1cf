import { type Finding } from '../core/finding';

/**
 * The settings of the legacy WAF managed rules of one zone, from wherever they were read: a
 * Terraform state, or the legacy API. Values are as they were read; what they mean is decided
 * in src/translate. Resources: provider 3.35.
 */
export interface LegacySettings extends LegacyPackages {
  readonly zoneId: string;
  /** The zone's own switch of the whole WAF, where it is known; else it is taken to be on. */
  readonly wafSwitch?: LegacySwitch;
  /** URI-based overrides. */
  readonly overrides: readonly LegacyOverride[];
  /** All of the zone: those that bypass the WAF are settings, the others are not. */
  readonly firewallRules: readonly LegacyFirewallRule[];
  /** All of the zone: of those that match a request, only the one of highest priority counts. */
  readonly pageRules: readonly LegacyPageRule[];
}

/** The legacy settings of zones, and what is not known of them. */
export interface ReadSettings {
  /** By zone id. */
  readonly zones: readonly LegacySettings[];
  readonly findings: readonly Finding[];
}

/** What is set of packages, and known of them. */
export interface LegacyPackages {
  readonly packages: readonly PackageSetting[];
  readonly groups: readonly GroupSetting[];
  readonly rules: readonly RuleSetting[];
  /** What is known beside the settings: names, and which rule belongs to which group. */
  readonly known: KnownLegacyWaf;
}

/** What every setting has. */
interface Placed {
  /** Where it was read: the address of an instance in a state, or a place in an answer. */
  readonly from: string;
}

/** The switch `waf` of a zone. */
export interface LegacySwitch extends Placed {
  readonly value: string;
}

/** A package; only the OWASP package has a sensitivity and an action. */
export interface PackageSetting extends Placed {
  readonly packageId: string;
  /** `high`, `medium`, `low`, `off`; empty for a package that has none. */
  readonly sensitivity: string;
  /** `simulate`, `block`, `challenge`; empty for a package that has none. */
  readonly actionMode: string;
}

/** A group of rules. */
export interface GroupSetting extends Placed {
  readonly groupId: string;
  readonly packageId: string | undefined;
  /** `on`, `off`. */
  readonly mode: string;
}

/** A single rule. */
export interface RuleSetting extends Placed {
  readonly ruleId: string;
  readonly packageId: string | undefined;
  readonly groupId: string | undefined;
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
  /** The action that a rule would take → the one that it takes instead. */
  readonly rewriteAction: Readonly<Record<string, string>>;
  readonly paused: boolean;
  /** The lower number wins. */
  readonly priority: number;
}

/** A firewall rule with the expression of its filter. */
export interface LegacyFirewallRule extends Placed {
  readonly id: string | undefined;
  readonly action: string;
  readonly products: readonly string[];
  /** Undefined when the filter is not known. */
  readonly expression: string | undefined;
  /** Of the rule or of its filter: both keep it from matching. */
  readonly paused: boolean;
  /** The lower number comes first; undefined comes last. */
  readonly priority: number | undefined;
  readonly description: string;
}

/** A page rule, as far as it concerns the WAF. */
export interface LegacyPageRule extends Placed {
  readonly id: string | undefined;
  readonly target: string;
  /** The higher number wins. */
  readonly priority: number;
  readonly active: boolean;
  readonly disableSecurity: boolean;
  /** `on`, `off`; undefined when the page rule does not say. */
  readonly waf: string | undefined;
}

/** What answers and data sources say of the legacy packages beside their settings. */
export interface KnownLegacyWaf {
  readonly packages: readonly KnownPackage[];
  readonly groups: readonly KnownGroup[];
  readonly rules: readonly KnownRule[];
}

/** A package that exists in the zone. */
export interface KnownPackage {
  readonly id: string;
  readonly name: string;
  /** `anomaly` for OWASP, else `traditional`. */
  readonly detectionMode: string;
}

/** A group that exists in the zone. */
export interface KnownGroup {
  readonly id: string;
  readonly name: string;
  readonly packageId: string | undefined;
  /** How many rules it has, where that is known. */
  readonly rulesCount: number | undefined;
}

/** A rule that exists in the zone. */
export interface KnownRule {
  readonly id: string;
  readonly groupId: string | undefined;
  readonly groupName: string | undefined;
  readonly packageId: string | undefined;
}
