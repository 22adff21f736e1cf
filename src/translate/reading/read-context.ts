import { type Finding, type Severity } from '../../core/finding';
import { type Catalogue, predecessors } from '../catalogue/catalogue';
import { findSuccessor, type SuccessorAnswer } from '../catalogue/find-successor';
import { type LegacySettings } from '../legacy-settings';
import { LegacyIndex } from './legacy-index';
import { type Meaning, type Setting, type Unknown, type Verdict } from './setting';

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

/**
 * What the readers of one zone share: what is known, the findings, and every setting with its verdict.
 * A setting without a verdict, or with two, is a bug: so no setting is lost in silence.
 */
export class ReadContext {
  readonly index: LegacyIndex;
  readonly findings: Finding[] = [];
  private readonly verdicts = new Map<Setting, Verdict | undefined>();
  private readonly answers = new Map<string, SuccessorAnswer>();

  constructor(
    readonly legacy: LegacySettings,
    private readonly options: TranslateOptions,
  ) {
    this.index = new LegacyIndex(legacy, options.catalogue);
  }

  /** Adds a setting. The returned object is its identity: two equal settings stay two. */
  add(setting: Setting): Setting {
    const added = { ...setting };
    this.verdicts.set(added, undefined);
    return added;
  }

  /** Writes the verdict on a setting. */
  decide(setting: Setting, verdict: Verdict): void {
    if (this.verdicts.get(setting) !== undefined) {
      throw new Error(`two verdicts on ${setting.from} ${setting.attribute}`);
    }
    this.verdicts.set(setting, verdict);
  }

  /** Every setting with its verdict, in the order in which they were added. */
  entries(): Entry[] {
    return [...this.verdicts].map(([setting, verdict]) => {
      if (verdict === undefined) {
        throw new Error(`no verdict on ${setting.from} ${setting.attribute}`);
      }
      return { setting, verdict };
    });
  }

  report(severity: Severity, code: string, subject: string, message: string, remedy: string): void {
    this.findings.push({ code, severity, subject, message, remedy });
  }

  /** Reports what the user has to decide, and returns the verdict for it. */
  refuse(code: string, at: Setting | string, why: string, remedy: string): Unknown {
    this.report('decision', code, typeof at === 'string' ? at : placeOf(at), why, remedy);
    return { kind: 'unknown', why, remedy };
  }

  /** The new rules of a legacy rule, or why they are not known. */
  successorOf(legacyId: string): SuccessorAnswer {
    const { catalogue, managedIds } = this.options;
    const answer = this.answers.get(legacyId) ?? findSuccessor(catalogue, legacyId, managedIds);
    this.answers.set(legacyId, answer);
    return answer;
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

  /** The legacy rules of which sources say that they became this one new rule. */
  legacyRulesOf(newId: string): readonly string[] {
    const index = predecessors(this.options.catalogue);
    return [...(index.get(newId) ?? []), ...(index.get(newId.slice(-8)) ?? [])];
  }
}

/** An override holds many settings, so its attribute belongs to the place. */
function placeOf({ kind, from, attribute }: Setting): string {
  return kind === 'override' ? `${from}.${attribute}` : from;
}
