import { type MergedEntryPoint, mergeEntryPoint } from '../ruleset/merge-entry-point';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { type Finding } from '../core/finding';
import { type Ruleset } from '../core/ruleset';
import { standingRefKept, standingRuleNotInFile } from './findings';

/**
 * The entry point that a file leads to: the file decides, its order too, and what it does not name
 * stays. A stack that was generated from the file alone knows nothing of what stands: where it
 * declares something else, that is told.
 *
 * @throws MigrationError `RULESET_INVALID`
 */
export function mergeFile(standing: Ruleset | undefined, file: Ruleset): MergedEntryPoint {
  const { ruleset, findings } = mergeEntryPoint(standing, withoutId(file), { isFile: true });
  const kept = findings.flatMap(({ code, subject }) =>
    code === 'STANDING_RULE_KEPT' ? [subject] : [],
  );
  const wider = findings.filter(isExceptionWider);
  const sent = normaliseRuleset(ruleset).ruleset.rules.filter(({ ref }) => !kept.includes(ref));
  const refs = normaliseRuleset(withoutId(file)).ruleset.rules.flatMap(({ ref }, index) => {
    const as = sent[index]?.ref ?? ref;
    return as === ref ? [] : [standingRefKept(as, ref)];
  });
  const notInFile = kept.map((ref) =>
    standingRuleNotInFile(ref, { isWider: wider.some(({ subject }) => subject === ref) }),
  );
  return { ruleset, findings: [...notInFile, ...wider.map(asBlocker), ...refs] };
}

/** Whether it tells of an exception that would hold for more: before a call, a blocker. */
export function isExceptionWider({ code }: Finding): boolean {
  return code === 'STANDING_EXCEPTION_WIDER';
}

/** What a generated stack leaves to decide must be decided before a call. */
export function asBlocker(finding: Finding): Finding {
  return { ...finding, severity: 'blocker' };
}

/** What is sent leads to a new entry point, also where a saved one is sent again. */
export function withoutId(ruleset: Ruleset): Ruleset {
  const { name, kind, phase, description, rules, fields } = ruleset;
  const described = description === undefined ? {} : { description };
  return { name, kind, phase, ...described, rules, fields };
}
