import { compareTexts } from '../../core/lists';
import { type KnownPackage, type LegacySettings } from '../legacy-settings';
import { CLOUDFLARE_PACKAGE, OWASP_PACKAGE } from '../../ruleset/known-rulesets';
import { type Catalogue, findLegacyRule, groupMembers } from '../catalogue/catalogue';

/** The three packages of the previous WAF: `user` are rules written for one customer. */
export type PackageKind = 'cloudflare' | 'owasp' | 'user';

/** The rules of a group, as far as they are known. */
export interface Members {
  readonly ids: readonly string[];
  /** Whether these are surely all of them. */
  readonly complete: boolean;
  /** How many there are, where that is told. */
  readonly total: number | undefined;
}

/** What is known of a zone's packages, groups and rules, from all sources together. */
export interface ZoneIndex {
  kindOfPackage(packageId: string): PackageKind | undefined;
  /** The package of a group; the id of the package may be missing. */
  kindOfGroup(groupId: string, packageId: string | undefined): PackageKind | undefined;
  kindOfRule(
    ruleId: string,
    packageId: string | undefined,
    groupId: string | undefined,
  ): PackageKind | undefined;
  groupName(groupId: string): string | undefined;
  /** What the rule guards against, by the catalogue. */
  ruleTitle(ruleId: string): string | undefined;
  membersOf(groupId: string): Members;
}

interface GroupFacts {
  name: string | undefined;
  packageId: string | undefined;
  total: number | undefined;
  /** Those that the service itself named. */
  readonly members: Set<string>;
}

/** OWASP rules have numbers of six digits from 950000 on (public configurations). */
const OWASP_RULE = /^9[5-9]\d{4}$/;

/** Brings the catalogue and what is known of the zone together; the zone wins. */
export function indexZone(old: LegacySettings, catalogue: Catalogue): ZoneIndex {
  const packages = new Map(old.known.packages.map((one) => [one.id, kindOf(one)]));
  packages.set(CLOUDFLARE_PACKAGE, 'cloudflare').set(OWASP_PACKAGE, 'owasp');
  const groups = indexGroups(old, catalogue);
  const rules = [
    ...byPlace(old.rules.map((rule) => ({ ...rule, id: rule.ruleId }))),
    ...old.known.rules,
  ];
  const packageOfRule = new Map(
    rules.flatMap(({ id, packageId }) => (packageId === undefined ? [] : [[id, packageId]])),
  );

  const kindOfPackage = (packageId: string): PackageKind | undefined => packages.get(packageId);
  const kindOfGroup: ZoneIndex['kindOfGroup'] = (groupId, packageId) => {
    const id = packageId ?? groups.get(groupId)?.packageId;
    return id === undefined ? undefined : kindOfPackage(id);
  };
  return {
    kindOfPackage,
    kindOfGroup,
    kindOfRule(ruleId, packageId, groupId) {
      const id = packageId ?? packageOfRule.get(ruleId);
      if (id !== undefined) return kindOfPackage(id);
      const ofGroup = groupId === undefined ? undefined : groups.get(groupId)?.packageId;
      if (ofGroup !== undefined) return kindOfPackage(ofGroup);
      const listed = findLegacyRule(catalogue, ruleId)?.packageId;
      if (listed !== undefined) return kindOfPackage(listed);
      return OWASP_RULE.test(ruleId) ? 'owasp' : undefined;
    },
    groupName: (groupId) => groups.get(groupId)?.name,
    ruleTitle: (ruleId) => findLegacyRule(catalogue, ruleId)?.title || undefined,
    membersOf: (groupId) => membersOf(groups.get(groupId), catalogue),
  };
}

function kindOf({ name, detectionMode }: KnownPackage): PackageKind | undefined {
  if (detectionMode === 'anomaly' || /owasp/i.test(name)) return 'owasp';
  if (name.toLowerCase() === 'cloudflare') return 'cloudflare';
  return name === 'USER' ? 'user' : undefined;
}

function indexGroups(old: LegacySettings, catalogue: Catalogue): Map<string, GroupFacts> {
  const groups = new Map<string, GroupFacts>();
  const facts = (id: string): GroupFacts => {
    let group = groups.get(id);
    if (group === undefined) {
      const { name, packageId } = catalogue.groups.get(id) ?? {};
      group = { name, packageId, total: undefined, members: new Set() };
      groups.set(id, group);
    }
    return group;
  };
  for (const id of catalogue.groups.keys()) facts(id);
  for (const { id, name, packageId, rulesCount } of old.known.groups) {
    const group = facts(id);
    group.name = name || group.name;
    group.packageId = packageId ?? group.packageId;
    group.total = rulesCount ?? group.total;
  }
  for (const { id, groupId, groupName, packageId } of old.known.rules) {
    if (groupId === undefined) continue;
    const group = facts(groupId);
    group.name = groupName || group.name;
    group.packageId ??= packageId;
    group.members.add(id);
  }
  for (const { groupId, packageId } of byPlace(old.groups)) facts(groupId).packageId ??= packageId;
  // provider 3.35 writes the group of a rule into its state: the service said so
  for (const { ruleId, groupId, packageId } of byPlace(old.rules)) {
    if (groupId === undefined) continue;
    const group = facts(groupId);
    group.packageId ??= packageId;
    group.members.add(ruleId);
  }
  return groups;
}

function membersOf(group: GroupFacts | undefined, catalogue: Catalogue): Members {
  const { name, total, members = new Set<string>() } = group ?? {};
  if (total !== undefined && members.size >= total) {
    return { ids: [...members].sort(), complete: true, total };
  }
  const stated = name === undefined ? [] : groupMembers(catalogue, name);
  return { ids: [...new Set([...members, ...stated])].sort(), complete: false, total };
}

/** The order of everything that is listed: by where it was read, whatever the order of the input. */
export function byPlace<T extends { readonly from: string }>(things: readonly T[]): T[] {
  return [...things].sort((a, b) => compareTexts(a.from, b.from));
}
