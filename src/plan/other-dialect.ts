import { type Finding } from '../model/finding';
import { type ChosenOrder } from './choose-order';
import { type PlannedState } from './planned-state';
import { majorOf } from './provider-version';

/** Declared rulesets that the provider of the plan does not take as they are written. */
export function otherDialect(
  { declared, dir, installed, wanted }: PlannedState,
  { from, to, rulesetsOfThree }: ChosenOrder,
): Finding[] {
  if (installed === undefined && wanted === undefined) return [];
  const major = majorOf(to);
  const when =
    major === majorOf(from)
      ? 'before you apply this plan'
      : rulesetsOfThree === 'rewrite'
        ? 'when you set the version constraint, for the provider that it then is (4, then this one)'
        : 'when you set the version constraint, before the upgrade';
  return declared
    .filter(({ majors = [] }) => majors.length > 0 && !majors.some((one) => one === major))
    .map(({ address, majors = [], zoneId = '<zone>' }) => ({
      code: 'RULESET_OF_OTHER_PROVIDER',
      severity: 'decision',
      subject: address,
      message: `it is written for provider ${majors.join(' or ')}, and provider ${major} does not take that: no plan and no import works then`,
      remedy: `write it anew ${when}: \`generate --zone ${zoneId} --source live --into ${dir} --address ${address} --provider ${major} --force\`, or by hand where another command or person wrote its file`,
    }));
}
