import {
  type GroupSetting,
  type KnownGroup,
  type KnownPackage,
  type KnownRule,
  type LegacyPackages,
  type PackageSetting,
  type RuleSetting,
} from '../legacy-settings';

/** What the legacy API, or a data source in a state, contains about packages, groups and rules. */
interface SeenPackages {
  readonly packages: readonly (PackageSetting & Omit<KnownPackage, 'id'>)[];
  readonly groups: readonly (GroupSetting & Omit<KnownGroup, 'id'>)[];
  readonly rules: readonly (RuleSetting & Omit<KnownRule, 'id'>)[];
}

/**
 * Selects the settings from what was seen, and returns the rest as known: a package, group or rule with its
 * defaults has no setting. Settings of a resource win over those of a data source, because they are applied
 * after it was read.
 */
export function packageSettings(
  seen: SeenPackages,
  managed: Omit<LegacyPackages, 'known'> = { packages: [], groups: [], rules: [] },
): LegacyPackages {
  // only the OWASP package has a sensitivity
  const packages = seen.packages.filter(({ sensitivity }) => sensitivity !== '');
  const groups = seen.groups.filter(({ mode }) => !['', 'on'].includes(mode));
  const rules = seen.rules.filter(({ mode }) => !['', 'default', 'on'].includes(mode));
  return {
    packages: merge(managed.packages, packages, ({ packageId }) => packageId),
    groups: merge(managed.groups, groups, ({ groupId }) => groupId),
    rules: merge(managed.rules, rules, ({ ruleId }) => ruleId),
    known: {
      packages: seen.packages.map((one) => ({ ...one, id: one.packageId })),
      groups: seen.groups.map((one) => ({ ...one, id: one.groupId })),
      rules: seen.rules.map((one) => ({ ...one, id: one.ruleId })),
    },
  };
}

/** Equal settings of two data sources count once; different settings stay as a contradiction. */
function merge<T extends { readonly from: string }>(
  managed: readonly T[],
  seen: readonly T[],
  idOf: (one: T) => string,
): T[] {
  const ids = new Set(managed.map(idOf));
  const distinct = new Map<string, T>();
  for (const one of seen) {
    const key = JSON.stringify({ ...one, from: '' });
    if (!ids.has(idOf(one)) && !distinct.has(key)) distinct.set(key, one);
  }
  return [...managed, ...distinct.values()];
}
