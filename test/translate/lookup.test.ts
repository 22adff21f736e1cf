import { type ManagedRule } from '../../src/translate/catalogue/catalogue';
import { lookup } from '../../src/translate/catalogue/lookup';
import { CLOUDFLARE, MANAGED_RULESET } from './support/old-zone';
import { newId, smallCatalogue } from './support/small-catalogue';

const announced = (number: number, more: Partial<ManagedRule>): ManagedRule => ({
  rulesetId: undefined,
  id: undefined,
  ending: newId(number).slice(-8),
  defaultAction: '',
  defaultEnabled: undefined,
  title: 'Announced',
  ...more,
});
const ofR1 = {
  legacyId: 'R1',
  packageId: CLOUDFLARE,
  groups: [],
  newId: newId(1),
  ending: '00000001',
  basis: 'stated-full',
  of: 1,
  title: 'New rule 1',
};

describe('what is known of an id, and nothing else', () => {
  it('is of an old rule what is stated of its new one, where that was never announced', () => {
    const match = { ...ofR1, rulesetId: MANAGED_RULESET };
    const catalogue = { ...smallCatalogue, managedRules: [] };
    expect(lookup(catalogue, ' r1')).toStrictEqual([match]);
  });

  it('is of an old rule what was announced of its new one, with the id that is known', () => {
    const managedRules = [
      announced(1, { defaultAction: 'Block', defaultEnabled: false }),
      announced(61, { id: newId(61) }),
    ];
    const catalogue = { ...smallCatalogue, managedRules };
    const [of1] = lookup(catalogue, 'R1');
    expect(of1).toStrictEqual({ ...ofR1, defaultAction: 'Block', defaultEnabled: false });
    expect(lookup(catalogue, 'ENDING')[0]?.newId).toBe(newId(61));
  });

  it('leaves out the package of an old rule of which no source names one', () => {
    const [rule] = smallCatalogue.legacyRules.values();
    const legacyRules = new Map([['P', { ...rule!, id: 'P', packageId: undefined }]]);
    const [match] = lookup({ ...smallCatalogue, legacyRules }, 'P');
    expect(Object.keys(match!)).not.toContain('packageId');
  });

  it('is of a new rule no more than its ending and its title, where that is all', () => {
    const catalogue = { ...smallCatalogue, managedRules: [announced(99, {})] };
    const all = { ending: '00000099', title: 'Announced' };
    expect(lookup(catalogue, '00000099')).toStrictEqual([all]);
    expect(lookup(catalogue, '000000099')).toEqual([]);
  });
});
