import {
  type Catalogue,
  type LegacyRule,
  type ManagedRule,
  type Successor,
} from '../../../src/translate/catalogue/catalogue';
import {
  CLOUDFLARE_PACKAGE as CLOUDFLARE,
  CLOUDFLARE_RULESET as MANAGED_RULESET,
  OWASP_PACKAGE as OWASP,
} from '../../../src/ruleset/known-rulesets';

/** The id of a new rule: its number, in 32 digits. */
export const newId = (number: number): string => `${number}`.padStart(32, '0');
const ending = (number: number): string => newId(number).slice(-8);
/** The id of a group: its letter, 32 times. */
export const groupId = (letter: string): string => letter.repeat(32);

const successor = (number: number, more: Partial<Successor> = {}): Successor => ({
  basis: 'stated-full',
  rulesetId: MANAGED_RULESET,
  id: newId(number),
  ending: ending(number),
  title: `New rule ${number}`,
  ...more,
});
const legacy = (
  id: string,
  successors: readonly Successor[],
  more: Partial<LegacyRule> = {},
): LegacyRule => ({
  id,
  packageId: CLOUDFLARE,
  groups: [],
  title: '',
  successors,
  ...more,
});

const rules = [
  legacy('R1', [successor(1)], { title: 'Old rule 1' }),
  legacy('R2', [successor(2)]),
  legacy('R3', [successor(3)]),
  legacy('R4', [successor(4)]),
  legacy('R5', [successor(5)]),
  legacy('SHOP1', [successor(11)], { groups: ['shop'] }),
  legacy('SHOP2', [successor(12)], { groups: ['shop'] }),
  legacy('SHOP3', [], { groups: ['shop'] }),
  legacy('BLOG1', [successor(21)], { groups: ['blog'] }),
  legacy('BLOG2', [successor(22)], { groups: ['blog', 'shop'] }),
  legacy('WP0025B', [successor(23)], { groups: ['blog'] }),
  // several old rules that became one
  legacy('TWIN1', [successor(31)]),
  legacy('TWIN2', [successor(31)]),
  // each reason why no new rule can be named
  legacy('SEVERAL', [successor(51), successor(52, { id: undefined })]),
  legacy('ENDING', [successor(61, { id: undefined, basis: 'stated-suffix' })]),
  legacy('ENDING2', [successor(61, { id: undefined, basis: 'stated-suffix' })]),
  legacy('UNPLACED', [successor(71, { rulesetId: undefined })]),
  legacy('NONE', []),
  legacy('CORE', [], { packageId: OWASP, title: 'An OWASP rule' }),
];

const managedRule = (number: number): ManagedRule => ({
  rulesetId: MANAGED_RULESET,
  id: newId(number),
  ending: ending(number),
  defaultAction: 'block',
  defaultEnabled: true,
  title: `New rule ${number}`,
});

/** Few rules, of every kind that there is. */
export const smallCatalogue: Catalogue = {
  attribution: 'made up',
  legacyRules: new Map(rules.map((rule) => [rule.id.toLowerCase(), rule])),
  managedRules: Array.from({ length: 99 }, (_, at) => managedRule(at + 1)),
  groups: new Map([
    [groupId('5'), { packageId: CLOUDFLARE, id: groupId('5'), name: 'Cloudflare Shop' }],
    [groupId('6'), { packageId: CLOUDFLARE, id: groupId('6'), name: 'Blog' }],
    [groupId('7'), { packageId: CLOUDFLARE, id: groupId('7'), name: undefined }],
    [groupId('8'), { packageId: OWASP, id: groupId('8'), name: 'OWASP Robots' }],
  ]),
};
