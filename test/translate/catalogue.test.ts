import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOUDFLARE_PACKAGE, CLOUDFLARE_RULESET } from '../../src/ruleset/known-rulesets';
import {
  builtInCatalogue,
  findLegacyRule,
  findSuccessor,
  lookup,
  type ManagedRule,
} from '../../src/translate/catalogue/catalogue';
import { expectGolden } from '../generate/support/golden';
import { CLOUDFLARE, codes, group, rulesOf, translate } from './support/legacy-zone';
import { newId, smallCatalogue } from './support/small-catalogue';

const root = join(__dirname, '../..');
const catalogue = builtInCatalogue();
const legacyRules = [...catalogue.legacyRules.values()];
const NEW = '0242110ae62e44028a13bf4834780914';
describe('the built-in catalogue', () => {
  it('is what the script derives from the tables', () => {
    const script = join(root, 'scripts/build-catalogue.mjs');
    expect(execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' }).length).toBe(0);
  });

  it('names Cloudflare and the licence', () => {
    expect(catalogue.attribution).toMatch(/Cloudflare, Inc\..*CC BY 4\.0/);
    const readme = join(root, 'src/translate/catalogue/tables/README.md');
    expect(readFileSync(readme, 'utf8')).toMatch(/CC BY 4\.0/);
  });

  it('knows 877 legacy rules, 451 with a new one: 361 in full, 90 by their last eight digits', () => {
    const successors = legacyRules.map((one) => one.successors);
    const full = successors.filter((list) => list.some(({ id }) => id !== undefined));
    const counts = [0, 1].map((least) => successors.filter(({ length }) => length > least).length);
    expect([legacyRules.length, ...counts, full.length]).toEqual([877, 451, 20, 361]);
    expect(new Set(legacyRules.map(({ id }) => id.toLowerCase())).size).toBe(877);
    expect(catalogue.managedRules).toHaveLength(830);
  });

  it('has no new rule for any legacy OWASP rule', () => {
    const owasp = legacyRules.filter(({ packageId }) => packageId !== CLOUDFLARE_PACKAGE);
    expect(owasp).toHaveLength(45);
    expect(owasp.flatMap(({ successors }) => successors)).toEqual([]);
  });

  it('knows the rules of a group under each of its names', () => {
    const groups = new Set(legacyRules.flatMap((one) => one.groups));
    expect(groups).toContain('specials');
    for (const none of ['managed ruleset', '']) expect(groups).not.toContain(none);
    const SPECIALS = 'f90712123fb02287348dd34c0a282bb9';
    const { findings, ruleset } = translate(
      { groups: [group(SPECIALS, 'off', { packageId: undefined })] },
      { catalogue },
    );
    expect(codes({ findings })).toContain('SETTINGS_PARTIAL');
    const [general] = rulesOf({ ruleset });
    const overrides = (general as any).overrides.rules as { id: string; enabled: boolean }[];
    expect(overrides.length).toBeGreaterThan(100);
    expect(overrides.every(({ enabled }) => !enabled)).toBe(true);
  });

  it('leads from every legacy rule to its new ones and back', () => {
    for (const { id, successors } of legacyRules) {
      const there = lookup(catalogue, id).filter(({ legacyId }) => legacyId === id);
      const newIds = successors.length === 0 ? [undefined] : successors.map((one) => one.id);
      expect(there.map((match) => match.newId)).toEqual(newIds);
      for (const one of successors) {
        const back = lookup(catalogue, one.id ?? one.ending).map(({ legacyId }) => legacyId);
        expect(back).toContain(id);
      }
    }
  });

  it.each([
    ['100532', 'a legacy rule with one new rule'],
    ['100005', 'a legacy rule with several'],
    ['100016', 'a legacy rule of whose new rule the ending is known'],
    ['100700_BETA', 'a legacy rule whose new rule is in no known ruleset'],
    ['100000', 'a legacy rule without a new one'],
    ['981231', 'a legacy OWASP rule'],
    ['100075', 'a legacy rule of several groups'],
    ['100004', 'a legacy rule without a group'],
    ['ae5baf61', 'a new rule by its ending, of which the legacy one has several'],
    ['af347fde', 'a new rule without a legacy one'],
    ['d4c44dad', 'a new rule in no known ruleset'],
  ])('says the same as the golden file of %s, %s', (id) => {
    const legacy = findLegacyRule(catalogue, id) ?? null;
    const text = JSON.stringify({ legacy, lookup: lookup(catalogue, id) }, null, 2);
    expectGolden('translate/catalogue', `${id}.json`, `${text}\n`);
  });

  it('has the groups and new rules of the golden files', () => {
    const groups = [...catalogue.groups.values()];
    expect([...catalogue.groups.keys()]).toEqual(groups.map(({ id }) => id));
    const some = catalogue.managedRules.filter(
      ({ id, defaultEnabled }, at) =>
        at % 100 === 0 || id === undefined || defaultEnabled === undefined,
    );
    const tables = { groups, managed: some.slice(0, 20) };
    for (const [name, rows] of Object.entries(tables)) {
      expectGolden('translate/catalogue', `${name}.json`, `${JSON.stringify(rows, null, 2)}\n`);
    }
  });
});

describe('a look-up', () => {
  it('accepts a legacy id in any case, also one of eight hexadecimal digits', () => {
    expect(lookup(catalogue, 'wp0025b')).toEqual(lookup(catalogue, 'WP0025B'));
    expect(lookup(catalogue, '100008E2')).toMatchObject([{ legacyId: '100008E2' }]);
  });

  it.each(['', '6179ae15', `${NEW}0`, '034780914', '__proto__'])('finds nothing for %j', (id) => {
    expect(lookup(catalogue, id)).toEqual([]);
  });

  const announced = (number: number, more: Partial<ManagedRule>): ManagedRule => ({
    ...{ rulesetId: undefined, id: undefined, ending: newId(number).slice(-8) },
    ...{ defaultAction: '', defaultEnabled: undefined, title: 'Announced' },
    ...more,
  });
  const ofR1 = {
    ...{ legacyId: 'R1', packageId: CLOUDFLARE, groups: [] },
    ...{ newId: newId(1), ending: '00000001', basis: 'stated-full', of: 1, title: 'New rule 1' },
  };
  const [first] = smallCatalogue.legacyRules.values();

  it.each<[string, string, object, object]>([
    [
      'what a source states of a new rule that was never announced',
      ' r1',
      { managedRules: [] },
      { ...ofR1, rulesetId: CLOUDFLARE_RULESET },
    ],
    [
      'what was announced of the new rule',
      'R1',
      { managedRules: [announced(1, { defaultAction: 'Block', defaultEnabled: false })] },
      { ...ofR1, defaultAction: 'Block', defaultEnabled: false },
    ],
    [
      'no package if no source names one',
      'P',
      {
        legacyRules: new Map([['p', { ...first!, id: 'P', packageId: undefined, successors: [] }]]),
      },
      { legacyId: 'P', groups: [], title: 'Old rule 1' },
    ],
    [
      'the last eight digits and the title of a new rule, if nothing else is known',
      '00000099',
      { managedRules: [announced(99, {})] },
      { ending: '00000099', title: 'Announced' },
    ],
  ])('says %s', (_, id, more, match) => {
    expect(lookup({ ...smallCatalogue, ...more }, id)).toEqual([match]);
  });
});

describe('the new rule of a legacy one', () => {
  const OTHER = 'a'.repeat(32);
  const ENDING = ['1', '2'].map((digit) => `${digit.repeat(24)}0550c529`);
  const BETA = '2a9da4fa28924185b9e81435d4c44dad';
  const answer = (id: string, managedIds?: string[]) =>
    findSuccessor(catalogue, id, managedIds === undefined ? undefined : new Set(managedIds));

  it.each<[string, string[] | undefined, string]>([
    ['100532', undefined, NEW],
    ['100532', [NEW], NEW],
    ['100700_beta', [BETA], BETA],
    ['100016', [OTHER, ENDING[0]!], ENDING[0]!],
  ])('%s in a zone with the rules %j is %s', (id, managedIds, expected) => {
    expect(answer(id, managedIds)).toEqual({ kind: 'known', id: expected });
  });

  it.each<[string, string[] | undefined, string]>([
    ['100532', [OTHER], 'cannot tell which rule'],
    ['100016', [OTHER], 'cannot tell which rule'],
    ['100016', ENDING, 'cannot tell which rule'],
    ['100016', undefined, 'only the last eight digits'],
    ['100005', undefined, 'several new'],
    ['100700_BETA', undefined, 'managed ruleset'],
    ['100700_BETA', [OTHER], 'cannot tell which rule'],
    ['100000', undefined, 'no known replacement'],
    ['123456', undefined, 'the catalogue does not have'],
    ['constructor', undefined, 'the catalogue does not have'],
  ])('is not known for %s in a zone with the rules %j: %s', (id, ids, why) => {
    expect(answer(id, ids)).toEqual({
      kind: 'unknown',
      why: expect.stringContaining(why),
      remedy: expect.any(String),
    });
  });
});
