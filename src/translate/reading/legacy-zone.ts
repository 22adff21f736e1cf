import { type Finding, type Severity } from '../../core/finding';
import { compareTexts } from '../../core/lists';
import { CLOUDFLARE_PACKAGE, NEVER_DISABLED, OWASP_PACKAGE } from '../../ruleset/known-rulesets';
import { type Catalogue, findLegacyRule, groupMembers, predecessors } from '../catalogue/catalogue';
import { findSuccessor, type SuccessorAnswer } from '../catalogue/find-successor';
import { type KnownPackage, type LegacySettings } from '../legacy-settings';
import {
  type Meaning,
  type PackageKind,
  type Setting,
  type Unknown,
  type Verdict,
} from './setting';

/** What is known beside a zone's settings. */
export interface TranslateOptions {
  readonly catalogue: Catalogue;
  /**
   * The ids of the rules of the zone's own Cloudflare Managed Ruleset, from `GET /rulesets/{id}`.
   * They resolve ids of which only the last eight digits are known, and a rule that is not among
   * them is not overridden.
   */
  readonly managedIds?: ReadonlySet<string>;
}

/** A setting and what was found about it. */
export interface Entry {
  readonly setting: Setting;
  readonly verdict: Verdict;
}

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

/**
 * The settings of a zone with what the zone and the catalogue know of packages, groups and rules (the zone
 * wins), and the findings of their translation.
 */
export class LegacyZone {
  readonly findings: Finding[] = [];
  /** Whether the zone surely has the OWASP package off. */
  readonly isOwaspOff: boolean;
  private readonly packages: Map<string, PackageKind | undefined>;
  private readonly groups = new Map<string, GroupFacts>();
  private readonly packageOfRule = new Map<string, string>();

  constructor(
    readonly settings: LegacySettings,
    private readonly options: TranslateOptions,
  ) {
    const { known, packages, groups, rules } = settings;
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
    for (const { groupId, packageId } of byPlace(groups)) {
      this.group(groupId).packageId ??= packageId;
    }
    // provider 3.35 writes the group of a rule into its state, as the legacy API names it
    const placed = byPlace(rules).map((rule) => ({ ...rule, id: rule.ruleId, groupName: '' }));
    for (const { id, groupId, groupName, packageId } of [...placed, ...known.rules]) {
      if (packageId !== undefined) this.packageOfRule.set(this.ruleIdOf(id), packageId);
      if (groupId === undefined) continue;
      const group = this.group(groupId);
      group.name = groupName || group.name;
      group.packageId ??= packageId;
      group.members.add(this.ruleIdOf(id));
    }
  }

  /** The id of a rule as the catalogue writes it, whatever its case; an unlisted one stays. */
  ruleIdOf(written: string): string {
    return findLegacyRule(this.options.catalogue, written)?.id ?? written;
  }

  /** What the rule guards against, by the catalogue. */
  ruleTitle(ruleId: string): string | undefined {
    return findLegacyRule(this.options.catalogue, ruleId)?.title || undefined;
  }

  groupName(groupId: string): string | undefined {
    return this.group(groupId).name;
  }

  kindOfPackage(packageId: string | undefined): PackageKind | undefined {
    return packageId === undefined ? undefined : this.packages.get(packageId);
  }

  /** @param packageId that its resource names */
  kindOfGroup(groupId: string, packageId?: string): PackageKind | undefined {
    return this.kindOfPackage(packageId ?? this.group(groupId).packageId);
  }

  /** @param packageId that its resource names */
  kindOfRule(ruleId: string, packageId?: string): PackageKind | undefined {
    const id =
      packageId ??
      this.packageOfRule.get(ruleId) ??
      findLegacyRule(this.options.catalogue, ruleId)?.packageId;
    return id === undefined && OWASP_RULE.test(ruleId) ? 'owasp' : this.kindOfPackage(id);
  }

  /** The rules of a group, without those that Cloudflare never switched off. */
  membersOf(groupId: string): Members {
    const { name, total, members } = this.group(groupId);
    const complete = total !== undefined && members.size >= total;
    const others = complete || name === undefined ? [] : groupMembers(this.options.catalogue, name);
    const ids = [...new Set([...members, ...others])].sort();
    return { ids: ids.filter((id) => !NEVER_DISABLED.has(id)), complete, total };
  }

  /** The new rules of a legacy rule, or why they are not known. */
  successorOf(legacyId: string): SuccessorAnswer {
    return findSuccessor(this.options.catalogue, legacyId, this.options.managedIds);
  }

  /** The legacy rules of which sources say that they became this one new rule. */
  legacyRulesOf(newId: string): readonly string[] {
    const index = predecessors(this.options.catalogue);
    return [...(index.get(newId) ?? []), ...(index.get(newId.slice(-8)) ?? [])];
  }

  report(severity: Severity, code: string, subject: string, message: string, remedy: string): void {
    this.findings.push({ code, severity, subject, message, remedy });
  }

  /** Reports what the user has to decide, and returns the verdict for it. */
  refuse(code: string, at: Setting | string, why: string, remedy: string): Unknown {
    this.report('decision', code, typeof at === 'string' ? at : placeOf(at), why, remedy);
    return { kind: 'unknown', why, remedy };
  }

  /** The verdict on a setting whose rule has no known successor. */
  refuseUnresolved(
    setting: Setting,
    { code, why, remedy, candidates }: Extract<SuccessorAnswer, { readonly kind: 'unknown' }>,
    meaning: Meaning,
  ): Unknown {
    if (code !== undefined) this.refuse(code, setting, why, remedy);
    const ids = { ids: candidates, meaning };
    return { kind: 'unknown', why, remedy, ...(candidates.length > 0 && { candidates: ids }) };
  }

  private group(id: string): GroupFacts {
    let group = this.groups.get(id);
    if (group === undefined) {
      const { name, packageId } = this.options.catalogue.groups.get(id) ?? {};
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

/** An override holds many settings, so its attribute belongs to the place. */
function placeOf({ kind, from, attribute }: Setting): string {
  return kind === 'override' ? `${from}.${attribute}` : from;
}

/** The order of everything that is listed: by where it was read, whatever the order of the input. */
export function byPlace<T extends { readonly from: string }>(things: readonly T[]): T[] {
  return [...things].sort((a, b) => compareTexts(a.from, b.from));
}
