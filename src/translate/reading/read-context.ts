import { type Finding, type Severity } from '../../model/finding';
import { type OldSettings } from '../../model/old-settings';
import { type Catalogue } from '../catalogue/catalogue';
import { predecessors } from '../catalogue/predecessors';
import { findSuccessor, type SuccessorAnswer } from '../catalogue/find-successor';
import { indexZone, type ZoneIndex } from './index-zone';
import { Ledger } from './ledger';
import { spellRuleId, spellRuleIds } from './spell-ids';

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
  readonly old: OldSettings;
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
export function startReading(read: OldSettings, options: TranslateOptions): ReadContext {
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
