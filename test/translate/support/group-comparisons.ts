import { type LegacySettings } from '../../../src/translate/legacy-settings';
import { type ComparisonCase } from './comparison-cases';
import { managed, rulesetOf, to } from './compared-rulesets';
import { CLOUDFLARE, group } from './old-zone';
import { groupId } from './small-catalogue';

const many = Array.from({ length: 5 }, (_, at) => `R${at + 1}`);
const known: LegacySettings['known'] = {
  packages: [],
  groups: [{ id: groupId('a'), name: 'Five', packageId: CLOUDFLARE, rulesCount: 5 }],
  rules: many.map((id) => ({
    id,
    groupId: groupId('a'),
    groupName: 'Five',
    packageId: CLOUDFLARE,
  })),
};
const five = { groups: [group(groupId('a'), 'off')], known };
/** A group that was off against rulesets of somebody else. */
export const groupComparisons: Record<string, ComparisonCase> = {
  'a group that is off': {
    settings: five,
    ruleset: rulesetOf(managed({ rules: [1, 2, 3, 4, 5].map((at) => to(at, { enabled: false })) })),
  },
  'a group of which one rule is off': {
    settings: five,
    ruleset: rulesetOf(managed({ rules: [to(1, { enabled: false })] })),
  },
  'a group of which some rules are off': {
    settings: five,
    ruleset: rulesetOf(
      managed({
        rules: [to(1, { enabled: false }), to(2, { enabled: true }), to(3, { action: 'log' })],
      }),
    ),
  },
};
