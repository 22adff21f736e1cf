import { type SuccessorAnswer } from '../catalogue/find-successor';
import { listed, type ReadContext, report } from './read-context';
import { type Meaning, type Verdict } from './setting';

type Unknown = Extract<Verdict, { readonly kind: 'unknown' }>;
type Unresolved = Exclude<SuccessorAnswer, { readonly kind: 'known' }>;

interface Explanation {
  /** Of the finding; undefined where a finding for the whole zone says it. */
  readonly code: string | undefined;
  readonly why: string;
  readonly remedy: string;
  readonly candidates?: readonly string[];
}

const STATE_IT = 'state the new rule in a file for --catalogue (docs/catalogue.md)';

/** Why no new rule can be named for an old one, in words. */
export function explainUnresolved(legacyId: string, answer: Unresolved): Explanation {
  const rule = `rule ${legacyId}`;
  switch (answer.kind) {
    case 'several':
      return {
        code: 'SEVERAL_NEW_RULES',
        why: `sources state several new rules for ${rule}: ${listed(answer.candidates)}`,
        remedy: STATE_IT,
        candidates: answer.candidates,
      };
    case 'ending':
      return {
        code: 'ENDING_UNRESOLVED',
        why: `of the new rule for ${rule} only the last eight digits are known: ${answer.ending}`,
        remedy: `translate with the zone's own managed ruleset at hand, or ${STATE_IT}`,
        candidates: [answer.ending],
      };
    case 'ambiguous':
      return {
        code: 'ENDING_AMBIGUOUS',
        why: `several rules end with ${answer.ending}, which is all that is known of the new rule for ${rule}: ${listed(answer.ids)}`,
        remedy: STATE_IT,
        candidates: answer.ids,
      };
    case 'absent':
      return {
        code: 'NEW_RULE_ABSENT',
        why: `the new rule for ${rule}, ${answer.id}, is not in the zone's managed ruleset`,
        remedy: `check whether the rule was replaced, and ${STATE_IT}`,
        candidates: [answer.id],
      };
    case 'unplaced':
      return {
        code: 'NEW_RULE_UNPLACED',
        why: `the new rule for ${rule} is ${answer.id}, and no source says which managed ruleset it is in`,
        remedy: `translate with the zone's own managed ruleset at hand, or ${STATE_IT}`,
        candidates: [answer.id],
      };
    case 'gone':
      return {
        code: undefined,
        why: `the file of --catalogue says that ${rule} has no new rule`,
        remedy: 'nothing, or a custom rule',
      };
    case 'none':
      return {
        code: undefined,
        why: `no source states a new rule for ${rule}`,
        remedy: `look for a rule of the same purpose, and ${STATE_IT}`,
      };
    case 'unlisted':
      return {
        code: undefined,
        why: `${rule} is not in the catalogue`,
        remedy: `check the id; if it is right, ${STATE_IT}`,
      };
  }
}

/** The verdict on a setting whose rule has no known successor; reports what a person can decide. */
export function unresolvedVerdict(
  context: ReadContext,
  from: string,
  legacyId: string,
  answer: Unresolved,
  meaning: Meaning,
): Unknown {
  const { code, why, remedy, candidates } = explainUnresolved(legacyId, answer);
  if (code !== undefined) report(context, 'decision', code, from, why, remedy);
  return {
    kind: 'unknown',
    why,
    remedy,
    ...(candidates === undefined ? {} : { candidates: { ids: candidates, meaning } }),
  };
}
