import { type Finding, type Severity } from '../../core/finding';
import { compareTexts } from '../../core/lists';
import { CLOUDFLARE_PACKAGE, NEVER_DISABLED, OWASP_PACKAGE } from '../../ruleset/known-rulesets';
import {
  type Catalogue,
  findLegacyRule,
  findSuccessor,
  groupMembers,
  predecessors,
  type SuccessorAnswer,
} from '../catalogue/catalogue';
import { type LegacySettings } from '../source/legacy-settings';
import { type PackageKind, type Setting, type Verdict } from './setting';

/** What is known in addition to a zone's settings. */
export interface TranslateOptions {
  readonly catalogue: Catalogue;
  /**
   * The ids of the rules of the zone's own Cloudflare Managed Ruleset, from `GET /rulesets/{id}`. They
   * complete ids of which only the last eight digits are known, and a rule that is not among them is not
   * overridden.
   */
  readonly managedIds?: ReadonlySet<string> | undefined;
}

export interface Entry {
  readonly setting: Setting;
  readonly verdict: Verdict;
}

export type SubjectFacts = Pick<Setting, 'subject' | 'package' | 'title'>;

/** The known rules of a group that could be switched off. */
export interface Members {
  readonly ids: readonly string[];
  /** Whether the list is surely complete. */
  readonly complete: boolean;
  /** The number of rules of the group, if known. */
  readonly total: number | undefined;
}

interface GroupFacts {
  name: string | undefined;
  packageId: string | undefined;
  total: number | undefined;
  /** The rules that the legacy API itself named. */
  readonly members: Set<string>;
}

/** OWASP rules have six-digit numbers from 950000 (public configurations). */
const OWASP_RULE = /^9[5-9]\d{4}$/;

/**
 * The settings of a zone, and what the zone and the catalogue contain about groups and rules (the zone wins).
 * Collects the findings of the translation.
 */
export class LegacyZone {
  readonly findings: Finding[] = [];
  /** Whether the zone surely has the OWASP package off. */
  readonly isOwaspOff: boolean;
  private readonly groups = new Map<string, GroupFacts>();
  private readonly packageOfRule = new Map<string, string>();
  /** The rules whose group the legacy API itself named. */
  private readonly placed = new Set<string>();

  constructor(
    readonly settings: LegacySettings,
    private readonly options: TranslateOptions,
  ) {
    const { known, packages, groups, rules } = settings;
    const owasp = packages.filter(({ packageId }) => packageId === OWASP_PACKAGE);
    this.isOwaspOff = owasp.length > 0 && owasp.every(({ sensitivity }) => sensitivity === 'off');
    for (const { groupId, name, packageId, rulesCount } of [...byPlace(groups), ...known.groups]) {
      const group = this.group(groupId);
      group.name = name ?? group.name;
      group.packageId = packageId ?? group.packageId;
      group.total = rulesCount ?? group.total;
    }
    // provider 3.35 stores the group of a rule in its state, as the legacy API names it
    for (const { ruleId, groupId, groupName, packageId } of [...byPlace(rules), ...known.rules]) {
      const id = this.ruleIdOf(ruleId);
      if (packageId !== undefined) this.packageOfRule.set(id, packageId);
      if (groupId === undefined) continue;
      const group = this.group(groupId);
      group.name = groupName ?? group.name;
      group.packageId ??= packageId;
      group.members.add(id);
      this.placed.add(id);
    }
  }

  /** The id of a rule as the catalogue writes it, ignoring case; an unlisted id stays unchanged. */
  ruleIdOf(written: string): string {
    return findLegacyRule(this.options.catalogue, written)?.id ?? written;
  }

  /**
   * What a setting of a rule says about the rule.
   * @param packageId the package that its resource names
   */
  factsOfRule(written: string, packageId?: string): SubjectFacts {
    const known = findLegacyRule(this.options.catalogue, written);
    const subject = known?.id ?? written;
    const id =
      packageId ??
      this.packageOfRule.get(subject) ??
      known?.packageId ??
      (OWASP_RULE.test(subject) ? OWASP_PACKAGE : undefined);
    return { subject, package: packageKind(id), title: known?.title || undefined };
  }

  /**
   * What a setting of a group says about the group.
   * @param packageId the package that its resource names
   */
  factsOfGroup(subject: string, packageId?: string): SubjectFacts {
    const { name: title, packageId: known } = this.group(subject);
    return { subject, package: packageKind(packageId ?? known), title };
  }

  /** The rules of a group, without those that Cloudflare never switched off. */
  membersOf(groupId: string): Members {
    const { name, total, members } = this.group(groupId);
    const complete = total !== undefined && members.size >= total;
    const listed = complete || name === undefined ? [] : groupMembers(this.options.catalogue, name);
    const others = listed.map(({ id }) => id).filter((id) => !this.placed.has(id));
    const ids = [...members, ...others].filter((id) => !NEVER_DISABLED.has(id)).sort();
    return { ids, complete, total };
  }

  successorOf(legacyId: string): SuccessorAnswer {
    return findSuccessor(this.options.catalogue, legacyId, this.options.managedIds);
  }

  newRuleOf(legacyId: string): string | undefined {
    const answer = this.successorOf(legacyId);
    return answer.kind === 'known' ? answer.id : undefined;
  }

  legacyRulesOf(newId: string): readonly string[] {
    return predecessors(this.options.catalogue, newId);
  }

  report(severity: Severity, code: string, subject: string, message: string, remedy: string): void {
    this.findings.push({ code, severity, subject, message, remedy });
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

/** The kind of a package: only the one with rules for a customer has another id in each zone. */
export function packageKind(id: string | undefined): PackageKind | undefined {
  if (id === undefined) return undefined;
  if (id === CLOUDFLARE_PACKAGE) return 'cloudflare';
  return id === OWASP_PACKAGE ? 'owasp' : 'user';
}

/** Sorts by where things were read, so that lists do not depend on the order of the input. */
export function byPlace<T extends { readonly from: string }>(things: readonly T[]): T[] {
  return things.toSorted((a, b) => compareTexts(a.from, b.from));
}
