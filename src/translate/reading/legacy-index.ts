import { compareTexts, listed } from '../../core/lists';
import { CLOUDFLARE_PACKAGE, NEVER_DISABLED, OWASP_PACKAGE } from '../../ruleset/known-rulesets';
import { type Catalogue, findLegacyRule, groupMembers } from '../catalogue/catalogue';
import {
  type GroupSetting,
  type KnownPackage,
  type LegacySettings,
  type RuleSetting,
} from '../legacy-settings';
import { type PackageKind } from './setting';

/** The rules of a group that could be switched off, as far as they are known. */
export interface Members {
  readonly ids: readonly string[];
  /** Whether these are surely all of them. */
  readonly complete: boolean;
  /** How many rules the group has, where that is known. */
  readonly total: number | undefined;
}

interface GroupFacts {
  name: string | undefined;
  packageId: string | undefined;
  total: number | undefined;
  /** Those that the legacy API itself named. */
  readonly members: Set<string>;
}

/** OWASP rules have numbers of six digits from 950000 on (public configurations). */
const OWASP_RULE = /^9[5-9]\d{4}$/;

/** What the catalogue and the zone know of packages, groups and rules; the zone wins. */
export class LegacyIndex {
  private readonly packages: Map<string, PackageKind | undefined>;
  private readonly groups = new Map<string, GroupFacts>();
  private readonly packageOfRule: Map<string, string>;
  /** Whether the zone surely has the OWASP package off. */
  readonly isOwaspOff: boolean;

  constructor(
    { known, packages, groups, rules }: LegacySettings,
    private readonly catalogue: Catalogue,
  ) {
    this.packages = new Map(known.packages.map((one) => [one.id, kindOf(one)]));
    this.packages.set(CLOUDFLARE_PACKAGE, 'cloudflare').set(OWASP_PACKAGE, 'owasp');
    const owasp = packages.filter(({ packageId }) => this.kindOfPackage(packageId) === 'owasp');
    this.isOwaspOff = owasp.length > 0 && owasp.every(({ sensitivity }) => sensitivity === 'off');
    for (const { id, name, packageId, rulesCount } of known.groups) {
      const group = this.group(id);
      group.name = name || group.name;
      group.packageId = packageId ?? group.packageId;
      group.total = rulesCount ?? group.total;
    }
    for (const { groupId, groupName, packageId, id } of known.rules) {
      if (groupId === undefined) continue;
      const group = this.group(groupId);
      group.name = groupName || group.name;
      group.packageId ??= packageId;
      group.members.add(this.ruleIdOf(id));
    }
    for (const { groupId, packageId } of byPlace(groups)) {
      this.group(groupId).packageId ??= packageId;
    }
    // provider 3.35 writes the group of a rule into its state, as the legacy API names it
    for (const { ruleId, groupId, packageId } of byPlace(rules)) {
      if (groupId === undefined) continue;
      const group = this.group(groupId);
      group.packageId ??= packageId;
      group.members.add(this.ruleIdOf(ruleId));
    }
    const placed = byPlace(rules).map(({ ruleId: id, packageId }) => ({ id, packageId }));
    this.packageOfRule = new Map(
      [...placed, ...known.rules].flatMap(({ id, packageId }) =>
        packageId === undefined ? [] : [[this.ruleIdOf(id), packageId]],
      ),
    );
  }

  /** The id of a rule as the catalogue writes it, whatever its case; an unlisted one stays. */
  ruleIdOf(written: string): string {
    return findLegacyRule(this.catalogue, written)?.id ?? written;
  }

  /** What the rule guards against, by the catalogue. */
  ruleTitle(ruleId: string): string | undefined {
    return findLegacyRule(this.catalogue, ruleId)?.title || undefined;
  }

  groupName(groupId: string): string | undefined {
    return this.group(groupId).name;
  }

  kindOfPackage(packageId: string): PackageKind | undefined {
    return this.packages.get(packageId);
  }

  kindOfGroup({ groupId, packageId }: Pick<GroupSetting, 'groupId' | 'packageId'>) {
    const id = packageId ?? this.group(groupId).packageId;
    return id === undefined ? undefined : this.kindOfPackage(id);
  }

  kindOfRule({ ruleId, packageId, groupId }: Omit<RuleSetting, 'from' | 'mode'>) {
    const id =
      packageId ??
      this.packageOfRule.get(this.ruleIdOf(ruleId)) ??
      (groupId === undefined ? undefined : this.group(groupId).packageId) ??
      findLegacyRule(this.catalogue, ruleId)?.packageId;
    if (id !== undefined) return this.kindOfPackage(id);
    return OWASP_RULE.test(ruleId) ? 'owasp' : undefined;
  }

  /** The rules of a group, without those that Cloudflare never switched off. */
  membersOf(groupId: string): Members {
    const { name, total, members } = this.group(groupId);
    const complete = total !== undefined && members.size >= total;
    const others = complete || name === undefined ? [] : groupMembers(this.catalogue, name);
    const ids = [...new Set([...members, ...others])].sort();
    return { ids: ids.filter((id) => !NEVER_DISABLED.has(id)), complete, total };
  }

  private group(id: string): GroupFacts {
    let group = this.groups.get(id);
    if (group === undefined) {
      const { name, packageId } = this.catalogue.groups.get(id) ?? {};
      group = { name, packageId, total: undefined, members: new Set() };
      this.groups.set(id, group);
    }
    return group;
  }
}

function kindOf({ name, detectionMode }: KnownPackage): PackageKind | undefined {
  if (detectionMode === 'anomaly' || /owasp/i.test(name)) return 'owasp';
  if (name.toLowerCase() === 'cloudflare') return 'cloudflare';
  return name === 'USER' ? 'user' : undefined;
}

/** The order of everything that is listed: by where it was read, whatever the order of the input. */
export function byPlace<T extends { readonly from: string }>(things: readonly T[]): T[] {
  return [...things].sort((a, b) => compareTexts(a.from, b.from));
}

/** What of a group cannot be translated, in words; undefined: nothing. `left`: rules without a new one. */
export function describeMissing(
  { ids, complete, total }: Members,
  left: readonly string[],
): string | undefined {
  const parts: string[] = [];
  if (!complete && ids.length === 0) parts.push('none of its rules is known');
  else if (!complete) {
    const named = ids.length === 1 ? '1 of its rules is' : `${ids.length} of its rules are`;
    const of = total === undefined ? 'it may have more' : `it has ${total}`;
    parts.push(`${named} known, and ${of}`);
  }
  if (left.length > 0) parts.push(`no known replacement for ${listed(left)}`);
  return parts.length === 0 ? undefined : parts.join('; ');
}
