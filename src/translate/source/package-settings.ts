import { type LegacyPackages, type PackageSetting } from '../legacy-settings';

/** What the legacy API, or a data source in a state, says of packages, groups and rules. */
export interface SeenPackages {
  readonly packages: readonly (PackageSetting & {
    readonly name: string;
    readonly detectionMode: string;
  })[];
  readonly groups: readonly (LegacyPackages['groups'][number] & {
    readonly name: string;
    readonly rulesCount: number | undefined;
  })[];
  readonly rules: readonly (LegacyPackages['rules'][number] & {
    readonly groupName: string | undefined;
  })[];
}

type ManagedPackages = Omit<LegacyPackages, 'known'>;

/**
 * The settings among what was seen, and what is known of the rest: a package, group or rule that is as
 * it is by default has no setting. Where resources manage the same thing, their settings win, because
 * they are applied after a data source was read.
 */
export function packageSettings(
  seen: SeenPackages,
  managed: ManagedPackages = { packages: [], groups: [], rules: [] },
): LegacyPackages {
  const packages = seen.packages
    // only the OWASP package has a sensitivity
    .filter(({ sensitivity }) => sensitivity !== '')
    .map(({ from, packageId, sensitivity, actionMode }) => ({
      from,
      packageId,
      sensitivity,
      actionMode,
    }));
  const groups = seen.groups
    .filter(({ mode }) => !['', 'on'].includes(mode))
    .map(({ from, groupId, packageId, mode }) => ({ from, groupId, packageId, mode }));
  const rules = seen.rules
    .filter(({ mode }) => !['', 'default', 'on'].includes(mode))
    .map(({ from, ruleId, packageId, groupId, mode }) => ({
      from,
      ruleId,
      packageId,
      groupId,
      mode,
    }));
  return {
    packages: merge(managed.packages, packages, ({ packageId }) => packageId),
    groups: merge(managed.groups, groups, ({ groupId }) => groupId),
    rules: merge(managed.rules, rules, ({ ruleId }) => ruleId),
    known: {
      packages: seen.packages.map(({ packageId: id, name, detectionMode }) => ({
        id,
        name,
        detectionMode,
      })),
      groups: seen.groups.map(({ groupId: id, name, packageId, rulesCount }) => ({
        id,
        name,
        packageId,
        rulesCount,
      })),
      rules: seen.rules.map(({ ruleId: id, groupId, groupName, packageId }) => ({
        id,
        groupId,
        groupName,
        packageId,
      })),
    },
  };
}

/** Equal settings of two data sources count once; where they differ, both stay as a contradiction. */
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
