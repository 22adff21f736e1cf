import { type Finding } from '../model/finding';
import { type ChosenOrder } from './choose-order';
import { type PlannedState } from './planned-state';
import { majorOf } from './provider-version';

/** What gets a stack out of HCL: a synthesis as JSON leaves the files of the other one where they are. */
export const AS_JSON =
  'synthesise it as JSON (without --hcl), and delete the cdk.tf and metadata.json that are left in its folder';

/** The rulesets of a stack that is synthesised as HCL, where the provider does not take what CDKTF writes (0.21). */
export function writtenAsBlocks(
  { configuration, dir }: PlannedState,
  { to }: ChosenOrder,
): Finding[] {
  if (configuration?.project.constructs === undefined || majorOf(to) < 5) return [];
  return [
    {
      code: 'SYNTHESISED_AS_BLOCKS',
      severity: 'decision',
      subject: dir,
      message: `this stack is synthesised as HCL, where CDKTF writes the rules of a ruleset as blocks, and provider ${majorOf(to)} does not take that: no plan and no import works then`,
      remedy: `${AS_JSON}, then plan again`,
    },
  ];
}

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
          remedy: `write it anew ${when}: \`generate --zone ${zoneId} --source live --into ${place} --address ${address} --provider ${major} --force\`, or by hand where a person wrote its file`,
        },
      ];
    },
  );
}
