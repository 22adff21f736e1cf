import { objectOf, textOf, textsOf } from '../../core/json';
import { groupBy } from '../../core/lists';
import {
  type GroupSetting,
  type LegacyFirewallRule,
  type LegacyOverride,
  type LegacyPackages,
  type PackageSetting,
  type RuleSetting,
} from '../legacy-settings';

/** An object of a state or of the legacy API: provider 3.35 has the names of the API. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Attributes, and where they were read. */
export interface Placed {
  readonly from: string;
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

/** @param id as of {@link readPackage} */
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

/** @param id as of {@link readPackage} */
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
    packages: merge(managed.packages, packages, ({ packageId }) => packageId),
    groups: merge(managed.groups, groups, ({ groupId }) => groupId),
    rules: merge(managed.rules, rules, ({ ruleId }) => ruleId),
    known: { groups: seen.groups, rules: seen.rules },
  };
}

/** Equal settings of two data sources count once; different settings stay as a contradiction. */
function merge<T extends { readonly from: string }>(
  managed: readonly T[],
  seen: readonly T[],
  idOf: (one: T) => string,
): T[] {
  const ids = new Set(managed.map(idOf));
  const others = seen.filter((one) => !ids.has(idOf(one)));
  const keyOf = (one: T): string => JSON.stringify({ ...one, from: '' });
  return [...managed, ...[...groupBy(others, keyOf).values()].map(([first]) => first)];
}
