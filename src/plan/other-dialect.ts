import { type Finding } from '../model/finding';
import { type ChosenOrder } from './choose-order';
import { type PlannedState } from './planned-state';
import { majorOf } from './provider-version';

/** Declared rulesets that the provider of the plan does not take as they are written. */
export function otherDialect(
  { declared, dir, installed, wanted }: PlannedState,
  { from, to }: ChosenOrder,
): Finding[] {
  if (installed === undefined && wanted === undefined) return [];
  const major = majorOf(to);
  const when =
    major === majorOf(from)
      ? 'before you apply this plan'
      : 'when you set the version constraint, before the upgrade';
  return declared.flatMap(
    ({ address, majors = [], zoneId = '<zone>', dir: place = dir }): Finding[] => {
      if (majors.length === 0 || majors.includes(major)) return [];
      return [
        {
          code: 'RULESET_OF_OTHER_PROVIDER',
          severity: 'decision',
          subject: address,
          message: `it is written for provider ${majors.join(' or ')}, and provider ${major} does not take that: no plan and no import works then`,
          remedy: `write it anew ${when}: \`generate --zone ${zoneId} --source live --out ${place} --address ${address} --provider ${major} --force\`, or by hand where a person wrote its file`,
        },
      ];
    },
  );
}
