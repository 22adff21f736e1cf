import { rulesetOf } from '../../translate/support/compared-rulesets';
import { comparisonCases } from '../../translate/support/comparison-cases';
import { zone } from '../../translate/support/old-zone';
import { richZone } from '../../translate/support/rich-zone';
import { smallCatalogue as catalogue } from '../../translate/support/small-catalogue';
import { zoneCases } from '../../translate/support/zone-cases';
import { type Report } from '../../../src/report/report';
import { compareZone, translateZone } from '../../../src/translate/translate-zone';

const against = 'the ruleset that is built from them';
const rich = () => ({ ...translateZone(zone(richZone), { catalogue }), against });
const translated = (name: string) => ({
  ...translateZone(zone(zoneCases[name]!.settings), { catalogue }),
  against,
});
const compared = (name: string) => {
  const { settings, ruleset } = comparisonCases[name]!;
  return { ...compareZone(zone(settings), ruleset, { catalogue }), against: 'a | live <ruleset>' };
};
const withOneSetting = () => ({
  ...translateZone(
    zone({ ...zoneCases['the WAF on']!.settings, packages: [], zoneId: 'f'.repeat(32) }),
    { catalogue },
  ),
  against,
});
/** Reports of one zone, of several with little in common, and of none. */
export const reportCases: Record<string, () => Report> = {
  'one-zone': () => ({ zones: [{ ...rich(), name: 'example.com' }] }),
  zones: () => ({
    zones: [
      { ...compared('a ruleset without rules'), name: '<b>*_`' },
      { ...compared('rules that are overridden'), zoneId: 'a'.repeat(32) },
      { ...compared('exceptions of every kind'), name: 'b.example' },
      rich(),
      withOneSetting(),
      translated('two old rules that say the same of one new rule'),
      translated('rules of every mode'),
      translated('an override of groups in every mode'),
      { ...compareZone(zone(), rulesetOf(), { catalogue }), against: 'nothing' },
    ],
  }),
  'no-zones': () => ({ zones: [] }),
};
