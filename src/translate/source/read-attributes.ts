import { groupBy } from '../../core/lists';
import { type LegacyPackages } from '../legacy-settings';

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
    known: seen,
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
