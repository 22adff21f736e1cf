import { type RuleSetting } from '../legacy-settings';
import { NEVER_DISABLED } from '../../ruleset/known-rulesets';
import {
  type Meaning,
  readMode,
  sameMeaning,
  type Setting,
  settingFacts,
  type Verdict,
} from './setting';
import { byPlace } from './legacy-index';
import { listed, type ReadContext, report } from './read-context';

/** A rule of the Cloudflare package that a setting puts off or makes act. */
export interface RuleRequest {
  readonly setting: Setting;
  readonly legacyId: string;
  readonly meaning: Meaning;
}

interface PlacedRule {
  readonly one: RuleSetting;
  readonly setting: Setting;
}

/** A rule that is said to be on, which counts as nothing unless its group is off. */
export interface RuleOn {
  readonly setting: Setting;
  readonly verdict: Verdict;
}

/** What single rules ask for, and those of which the groups decide. */
export interface RuleReading {
  readonly requests: readonly RuleRequest[];
  readonly on: readonly RuleOn[];
}

/** Reads the single rules. Those that ask for something of the new ruleset are returned. */
export function readRules(context: ReadContext, owaspOff: boolean): RuleReading {
  const requests: RuleRequest[] = [];
  const on: RuleOn[] = [];
  const byId = new Map<string, PlacedRule[]>();
  for (const one of byPlace(context.old.rules)) {
    const { from, ruleId: subject, mode: value } = one;
    const kind = context.index.kindOfRule(subject, one.packageId, one.groupId);
    const setting = context.ledger.add({
      kind: 'rule',
      from,
      attribute: 'mode',
      subject,
      value,
      ...settingFacts(kind, context.index.ruleTitle(subject)),
    });
    // the package can be missing from one of them
    const key = `${kind ?? ''}/${subject}`;
    const same = byId.get(key);
    if (same === undefined) byId.set(key, [{ one, setting }]);
    else same.push({ one, setting });
  }
  for (const same of byId.values()) {
    if (decideContradiction(context, same)) continue;
    for (const { one, setting } of same) {
      const answer = readRule(context, one, owaspOff);
      if (answer.kind === 'request') {
        requests.push({ setting, legacyId: one.ruleId, meaning: answer.meaning });
      } else if (one.mode === 'on') on.push({ setting, verdict: answer });
      else context.ledger.decide(setting, answer);
    }
  }
  return { requests, on };
}

/** Several settings of one rule that do not say the same: which of them holds is not known. */
function decideContradiction(context: ReadContext, same: readonly PlacedRule[]): boolean {
  const [first, ...others] = same.map(({ one }) => readMode(one.mode));
  if (first === undefined) return false;
  if (others.every((other) => other === undefined || sameMeaning(first, other))) return false;
  const why = `rule ${same[0]?.one.ruleId ?? ''} is set differently in ${listed(same.map(({ one }) => one.from))}`;
  const remedy = 'keep the one that holds in the zone, then translate again';
  for (const { one, setting } of same) {
    context.ledger.decide(setting, { kind: 'unknown', why, remedy });
    report(context, 'decision', 'CONTRADICTING_SETTINGS', one.from, why, remedy);
  }
  return true;
}

type RuleAnswer = Verdict | { readonly kind: 'request'; readonly meaning: Meaning };

function readRule(context: ReadContext, one: RuleSetting, owaspOff: boolean): RuleAnswer {
  const meaning = readMode(one.mode);
  if (meaning === undefined) {
    const why = `the mode "${one.mode}" is not known`;
    const remedy = 'look the rule up in the dashboard, and override its new rule by hand';
    report(context, 'decision', 'UNKNOWN_MODE', one.from, why, remedy);
    return { kind: 'unknown', why, remedy };
  }
  if (meaning.kind === 'default') {
    return { kind: 'inert', why: `${one.mode} is what a rule is without a setting` };
  }
  if (meaning.kind === 'off' && NEVER_DISABLED.has(one.ruleId)) {
    return { kind: 'inert', why: 'Cloudflare never switched this rule off' };
  }
  return otherPackage(context, one, owaspOff) ?? { kind: 'request', meaning };
}

/** What there is to say of a rule that is in none of the packages that can be carried over. */
export function otherPackage(
  context: ReadContext,
  { from, ruleId, packageId, groupId }: Omit<RuleSetting, 'mode'>,
  owaspOff: boolean,
): Verdict | undefined {
  const kind = context.index.kindOfRule(ruleId, packageId, groupId);
  if (kind === 'owasp') return owaspVerdict(owaspOff, 'rule');
  if (kind === 'user') return userVerdict('rule');
  if (kind === undefined && packageId !== undefined) {
    return unknownPackageVerdict(context, from, packageId);
  }
  return undefined;
}

/** Old OWASP rules and groups have no equivalent (spec: "Other mapping rules"). */
export function owaspVerdict(owaspOff: boolean, what: 'rule' | 'group'): Verdict {
  if (owaspOff) return { kind: 'inert', why: 'the OWASP package is off' };
  return {
    kind: 'unknown',
    why: `the ${what}s of the previous OWASP package have no equivalent in the new one`,
    remedy: 'set a category or rule override in the OWASP ruleset by hand, where it is needed',
  };
}

/** The rules of the third package were written for one customer. */
export function userVerdict(what: 'rule' | 'group'): Verdict {
  return {
    kind: 'unknown',
    why: `the ${what} belongs to the rules that Cloudflare wrote for this customer`,
    remedy: 'ask Cloudflare what became of it, or write it as a custom rule',
  };
}

/** A package that is neither of the two that are the same everywhere, nor named by the zone. */
export function unknownPackageVerdict(
  context: ReadContext,
  from: string,
  packageId: string,
): Verdict {
  const why = `no source says what package "${packageId}" is`;
  const remedy = 'look the package up in the dashboard, or read the state with its data sources';
  report(context, 'decision', 'UNKNOWN_PACKAGE', from, why, remedy);
  return { kind: 'unknown', why, remedy };
}
