import { type Ledger } from './ledger';
import { type Setting, type Verdict, type Want } from './verdict';

interface Outcome {
  readonly wants: Want[];
  readonly inert: string[];
  readonly lost: { readonly why: string; readonly remedy: string }[];
}

/**
 * What becomes of settings that ask for several things, gathered until all is known: a group of an
 * override is many rules, of which some can be carried and others not.
 */
export class Outcomes {
  private readonly bySetting = new Map<Setting, Outcome>();

  wanted(settings: readonly Setting[], want: Want): void {
    for (const setting of settings) this.of(setting).wants.push(want);
  }

  inert(settings: readonly Setting[], why: string): void {
    for (const setting of settings) this.of(setting).inert.push(why);
  }

  lost(settings: readonly Setting[], why: string, remedy: string): void {
    for (const setting of settings) this.of(setting).lost.push({ why, remedy });
  }

  /** Writes one verdict on each setting. `missing`: what was known before of what is not carried. */
  decide(ledger: Ledger, missing: ReadonlyMap<Setting, string>): void {
    for (const [setting, outcome] of this.bySetting) {
      ledger.decide(setting, verdictOf(outcome, missing.get(setting)));
    }
  }

  private of(setting: Setting): Outcome {
    let outcome = this.bySetting.get(setting);
    if (outcome === undefined) {
      outcome = { wants: [], inert: [], lost: [] };
      this.bySetting.set(setting, outcome);
    }
    return outcome;
  }
}

function verdictOf({ wants, inert, lost }: Outcome, before: string | undefined): Verdict {
  const reasons = [
    ...new Set([...(before === undefined ? [] : [before]), ...lost.map(({ why }) => why)]),
  ];
  if (wants.length > 0) {
    return {
      kind: 'wanted',
      wants,
      ...(reasons.length === 0 ? {} : { missing: reasons.join(', and ') }),
    };
  }
  const [first] = lost;
  if (first !== undefined || before !== undefined) {
    const remedy = first?.remedy ?? 'write the rest for these URLs by hand';
    return { kind: 'unknown', why: reasons.join(', and '), remedy };
  }
  return { kind: 'inert', why: inert[0] ?? 'it changes nothing' };
}
