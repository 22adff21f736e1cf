import { type Setting, type Verdict } from './verdict';

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
