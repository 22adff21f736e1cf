import { type Finding, type Severity } from '../../core/finding';
import { type LegacySettings } from '../legacy-settings';
import { type Catalogue, findLegacyRule, predecessors } from '../catalogue/catalogue';
import { findSuccessor, type SuccessorAnswer } from '../catalogue/find-successor';
import { indexZone, type ZoneIndex } from './legacy-index';
import { type Setting, type Verdict } from './setting';

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

/** What the readers of one zone share. */
export interface ReadContext {
  readonly old: LegacySettings;
  readonly index: ZoneIndex;
  readonly ledger: Ledger;
  readonly findings: Finding[];
  /** The id of an old rule as everything here has it, whatever its case. */
  readonly ruleIdOf: (written: string) => string;
  readonly successorOf: (legacyId: string) => SuccessorAnswer;
  /** The old rules of which sources say that they became this one new rule. */
  readonly oldRulesOf: (newId: string) => readonly string[];
}

/** Starts the reading of a zone. */
export function startReading(read: LegacySettings, options: TranslateOptions): ReadContext {
  const { catalogue, managedIds } = options;
  const old = spellRuleIds(read, catalogue);
  const answers = new Map<string, SuccessorAnswer>();
  return {
    old,
    index: indexZone(old, catalogue),
    ledger: new Ledger(),
    findings: [],
    ruleIdOf: (written) => spellRuleId(catalogue, written),
    successorOf(legacyId) {
      const answer = answers.get(legacyId) ?? findSuccessor(catalogue, legacyId, managedIds);
      answers.set(legacyId, answer);
      return answer;
    },
    oldRulesOf(newId) {
      const index = predecessors(catalogue);
      return [...(index.get(newId) ?? []), ...(index.get(newId.slice(-8)) ?? [])];
    },
  };
}

/** Adds a finding. */
export function report(
  context: ReadContext,
  severity: Severity,
  code: string,
  subject: string,
  message: string,
  remedy: string,
): void {
  context.findings.push({ code, severity, subject, message, remedy });
}

const MOST_LISTED = 8;

/** A list for a sentence, cut where it gets long. */
export function listed(items: readonly string[]): string {
  const shown = items.slice(0, MOST_LISTED).join(', ');
  const more = items.length - MOST_LISTED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** A setting and what was found about it. */
export interface Entry {
  readonly setting: Setting;
  readonly verdict: Verdict;
}

/**
 * Every setting that was read, each with one verdict: the law that no setting disappears is kept
 * here. A setting without a verdict, or with two, is a bug and not a result.
 */
export class Ledger {
  private readonly settings: Setting[] = [];
  private readonly verdicts = new Map<Setting, Verdict>();

  /** Takes a setting in. What is returned is its identity: two equal settings stay two. */
  add(setting: Setting): Setting {
    const kept = { ...setting };
    this.settings.push(kept);
    return kept;
  }

  /** Says what a setting asks for. */
  decide(setting: Setting, verdict: Verdict): void {
    if (this.verdicts.has(setting)) {
      throw new Error(`two verdicts on ${setting.from} ${setting.attribute}`);
    }
    this.verdicts.set(setting, verdict);
  }

  /** Every setting with its verdict, in the order in which they were taken in. */
  entries(): Entry[] {
    return this.settings.map((setting) => {
      const verdict = this.verdicts.get(setting);
      if (verdict === undefined) {
        throw new Error(`no verdict on ${setting.from} ${setting.attribute}`);
      }
      return { setting, verdict };
    });
  }
}

/** The id of an old rule as the catalogue writes it; one that it does not list stays as it is. */
function spellRuleId(catalogue: Catalogue, id: string): string {
  return findLegacyRule(catalogue, id)?.id ?? id;
}

/**
 * The settings with their rules as the catalogue writes them, so that one rule in two cases is one
 * rule everywhere. The keys of overrides stay: they say where a setting was read.
 */
function spellRuleIds(old: LegacySettings, catalogue: Catalogue): LegacySettings {
  const spell = (id: string): string => spellRuleId(catalogue, id);
  return {
    ...old,
    rules: old.rules.map((rule) => ({ ...rule, ruleId: spell(rule.ruleId) })),
    known: {
      ...old.known,
      rules: old.known.rules.map((rule) => ({ ...rule, id: spell(rule.id) })),
    },
  };
}
