import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isIdentifier } from '../../src/core/identifier';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { groupKey, isOnByDefault, type ManagedRule } from '../../src/translate/catalogue/catalogue';
import { lookup } from '../../src/translate/catalogue/lookup';
import { CLOUDFLARE_PACKAGE, CLOUDFLARE_RULESET } from '../../src/ruleset/known-rulesets';
import { expectGolden } from '../generate/support/golden';
import { CLOUDFLARE, MANAGED_RULESET } from './support/old-zone';
import { newId, smallCatalogue } from './support/small-catalogue';

const root = join(__dirname, '../..');
const catalogue = builtInCatalogue();
const NEW = '0242110ae62e44028a13bf4834780914';

describe('the built-in catalogue', () => {
  it('is what the script derives from the tables', () => {
    const script = join(__dirname, '../../scripts/build-catalogue.mjs');
    expect(execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' }).length).toBe(0);
  });

  it('leads from every old rule to its new ones and back', () => {
    for (const { id, successors } of catalogue.legacyRules.values()) {
      const there = lookup(catalogue, id).filter(({ legacyId }) => legacyId === id);
      expect(there.map(({ newId }) => newId)).toEqual(
        successors.length === 0 ? [undefined] : successors.map((one) => one.id),
      );
      for (const { id: newId, ending } of successors) {
        const back = lookup(catalogue, newId ?? ending).map(({ legacyId }) => legacyId);
        expect(back).toContain(id);
      }
    }
  });

  it('names Cloudflare and the licence', () => {
    expect(catalogue.attribution).toMatch(/Cloudflare, Inc\..*CC BY 4\.0/);
    expect(readFileSync(join(root, 'src/translate/catalogue/tables/README.md'), 'utf8')).toMatch(
      /CC BY 4\.0/,
    );
  });

  it('knows 877 old rules, 451 with a new one: 361 in full, 90 by their last eight digits', () => {
    const rules = [...catalogue.legacyRules.values()];
    const successors = rules.map((rule) => rule.successors);
    expect(rules).toHaveLength(877);
    expect(successors.filter(({ length }) => length > 0)).toHaveLength(451);
    expect(successors.filter(({ length }) => length === 1)).toHaveLength(431);
    const full = successors.filter((list) => list.some(({ id }) => id !== undefined));
    expect(full).toHaveLength(361);
  });

  it('has no two old rules whose ids differ in case alone', () => {
    const ids = [...catalogue.legacyRules.keys()].map((id) => id.toLowerCase());
    expect(new Set(ids).size).toBe(877);
  });

  it('holds every row of the tables, each id with 32 digits and its own ending', () => {
    const lines = readFileSync(
      join(root, 'src/translate/catalogue/tables/legacy-rules.csv'),
      'utf8',
    ).split('\n');
    const stated = lines.filter((line) =>
      /,(stated-full|stated-suffix|suffix-resolved),/.test(line),
    );
    const successors = [...catalogue.legacyRules.values()].flatMap((rule) => rule.successors);
    expect(successors).toHaveLength(stated.length);
    for (const { id, ending, rulesetId } of successors) {
      // one row of the change log does not name the ruleset
      expect(rulesetId).toBe(ending === 'd4c44dad' ? undefined : CLOUDFLARE_RULESET);
      expect(ending).toMatch(/^[0-9a-f]{8}$/);
      expect(id === undefined || (isIdentifier(id) && id.endsWith(ending))).toBe(true);
    }
    expect(catalogue.managedRules).toHaveLength(830);
    expect(catalogue.managedRules.find(({ id }) => id === NEW)?.defaultEnabled).toBe(true);
  });

  it('has no new rule for any old OWASP rule', () => {
    const owasp = [...catalogue.legacyRules.values()].filter(
      ({ packageId }) => packageId !== CLOUDFLARE_PACKAGE,
    );
    expect(owasp).toHaveLength(45);
    expect(owasp.flatMap(({ successors }) => successors)).toEqual([]);
  });

  it('reads the names of one group as one, and no ruleset as a group', () => {
    expect(['Cloudflare WordPress', 'Wordpress', ' WordPress '].map(groupKey)).toEqual(
      Array(3).fill('wordpress'),
    );
    expect(groupKey('For Cloudflare WordPress')).toBe('for cloudflare wordpress');
    const groups = new Set([...catalogue.legacyRules.values()].flatMap((rule) => rule.groups));
    expect(groups).toContain('specials');
    expect(groups).not.toContain('managed ruleset');
    expect(groups).not.toContain('');
  });
});

describe('what the catalogue knows', () => {
  it.each([
    ['100532', 'an old rule with one new rule'],
    ['100005', 'an old rule with several'],
    ['100016', 'an old rule of whose new rule the ending is known'],
    ['100700_BETA', 'an old rule whose new rule is in no known ruleset'],
    ['100000', 'an old rule without a new one'],
    ['981231', 'an old OWASP rule'],
    ['100075', 'an old rule of several groups'],
    ['100004', 'an old rule without a group'],
    ['ae5baf61', 'a new rule by its ending, of which the old one has several'],
    ['af347fde', 'a new rule without an old one'],
    ['d4c44dad', 'a new rule in no known ruleset'],
  ])('of %s, %s, is what the files say', (id) => {
    const legacy = catalogue.legacyRules.get(id) ?? null;
    const text = JSON.stringify({ legacy, lookup: lookup(catalogue, id) }, null, 2);
    expectGolden('translate/catalogue', `${id}.json`, `${text}\n`);
  });

  it('of groups is what the files say', () => {
    const groups = [...catalogue.groups.values()];
    expect([...catalogue.groups.keys()]).toEqual(groups.map(({ id }) => id));
    expectGolden('translate/catalogue', 'groups.json', `${JSON.stringify(groups, null, 2)}\n`);
  });

  it('of new rules is what the files say', () => {
    const some = catalogue.managedRules.filter(
      ({ id, defaultEnabled }, at) =>
        at % 100 === 0 || id === undefined || defaultEnabled === undefined,
    );
    expectGolden(
      'translate/catalogue',
      'managed.json',
      `${JSON.stringify(some.slice(0, 20), null, 2)}\n`,
    );
  });
});

describe('a look-up', () => {
  it('finds the new rule of an old one, with its basis', () => {
    expect(lookup(catalogue, '100532')).toMatchObject([
      { legacyId: '100532', newId: NEW, ending: '34780914', basis: 'stated-full', of: 1 },
    ]);
  });

  it('finds the old rule of a new one, by all its digits or the last eight', () => {
    const [byId] = lookup(catalogue, NEW);
    expect(byId).toMatchObject({ legacyId: '100532', newId: NEW });
    expect(lookup(catalogue, '34780914')).toEqual([byId]);
    expect(lookup(catalogue, NEW.toUpperCase())).toEqual([byId]);
    expect(lookup(catalogue, ` ${NEW}\n`)).toEqual([byId]);
    expect(lookup(catalogue, `${NEW}0`)).toEqual([]);
    expect(lookup(catalogue, `034780914`)).toEqual([]);
  });

  it('takes an old id in any case', () => {
    expect(lookup(catalogue, 'wp0025b')).toEqual(lookup(catalogue, 'WP0025B'));
    expect(lookup(catalogue, 'WP0025B')).toMatchObject([{ legacyId: 'WP0025B' }]);
  });

  it('lists every new id of an old one that has several', () => {
    expect(lookup(catalogue, '100005').map(({ newId, of }) => [newId, of])).toEqual([
      [undefined, 2],
      ['e35c9a670b864a3ba0203ffb1bc977d1', 2],
    ]);
  });

  it('tells an old id of eight hexadecimal digits from an ending', () => {
    expect(lookup(catalogue, '100008E2')).toMatchObject([{ legacyId: '100008E2' }]);
  });

  it('knows old rules without a new one, new ones without an old one, and nothing of others', () => {
    expect(lookup(catalogue, '100000')).toEqual([
      { legacyId: '100000', packageId: CLOUDFLARE_PACKAGE, groups: ['wordpress'], title: '' },
    ]);
    expect(lookup(catalogue, 'af347fde')).toMatchObject([
      { ending: 'af347fde', defaultAction: 'block', defaultEnabled: true },
    ]);
    expect(lookup(catalogue, '6179ae15')).toEqual([]);
    expect(lookup(catalogue, '')).toEqual([]);
    expect(lookup(catalogue, '__proto__')).toEqual([]);
  });
});

const [known] = smallCatalogue.managedRules;
const ENDING = 'eebf3863';
const announced = {
  ...smallCatalogue,
  managedRules: [
    { ...known!, id: newId(1), ending: newId(1).slice(-8), defaultEnabled: false },
    { ...known!, id: undefined, ending: ENDING, defaultEnabled: false },
    { ...known!, id: undefined, ending: '00000001', defaultEnabled: true },
    { ...known!, id: newId(2), ending: newId(2).slice(-8), defaultEnabled: undefined },
  ],
};

it.each<[string, string, boolean | undefined]>([
  ['that a source prints whole is known by all of it', newId(1), false],
  ['of which only the ending is printed is known by that', `${'7'.repeat(24)}${ENDING}`, false],
  ['of which no source states it is not known', newId(2), undefined],
  ['that no source names is not known', newId(3), undefined],
])('the default of a rule %s', (_, id, expected) => {
  // a copy: what is read of a catalogue is kept with it
  expect(isOnByDefault({ ...announced }, id)).toBe(expected);
});

const managedRule = (number: number, more: Partial<ManagedRule>): ManagedRule => ({
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
    const small = { ...smallCatalogue, managedRules: [] };
    expect(lookup(small, ' r1')).toStrictEqual([match]);
  });

  it('is of an old rule what was announced of its new one, with the id that is known', () => {
    const managedRules = [
      managedRule(1, { defaultAction: 'Block', defaultEnabled: false }),
      managedRule(61, { id: newId(61) }),
    ];
    const small = { ...smallCatalogue, managedRules };
    const [of1] = lookup(small, 'R1');
    expect(of1).toStrictEqual({ ...ofR1, defaultAction: 'Block', defaultEnabled: false });
    expect(lookup(small, 'ENDING')[0]?.newId).toBe(newId(61));
  });

  it('leaves out the package of an old rule of which no source names one', () => {
    const [rule] = smallCatalogue.legacyRules.values();
    const legacyRules = new Map([['P', { ...rule!, id: 'P', packageId: undefined }]]);
    const [match] = lookup({ ...smallCatalogue, legacyRules }, 'P');
    expect(Object.keys(match!)).not.toContain('packageId');
  });

  it('is of a new rule no more than its ending and its title, where that is all', () => {
    const small = { ...smallCatalogue, managedRules: [managedRule(99, {})] };
    const all = { ending: '00000099', title: 'Announced' };
    expect(lookup(small, '00000099')).toStrictEqual([all]);
    expect(lookup(small, '000000099')).toEqual([]);
  });
});
