import { MigrationError } from '../../src/core/migration-error';
import { SCORING_RULE } from '../../src/core/ruleset';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { findSuccessor } from '../../src/translate/catalogue/find-successor';
import { lookup } from '../../src/translate/catalogue/lookup';
import { extendCatalogue, parseUserCatalogue } from '../../src/translate/catalogue/user-catalogue';
import { predecessors } from '../../src/translate/catalogue/catalogue';
import { CLOUDFLARE, MANAGED_RULESET, OWASP } from './support/old-zone';
import { groupId, newId, smallCatalogue } from './support/small-catalogue';

const file = (parts: object) => ({
  format: 'cf-waf-migrate/catalogue',
  formatVersion: 1,
  ...parts,
});
const extended = (parts: object) =>
  extendCatalogue(smallCatalogue, parseUserCatalogue(file(parts)));
const stated = (number: number, title: string) => ({
  basis: 'user',
  rulesetId: MANAGED_RULESET,
  id: newId(number),
  ending: newId(number).slice(-8),
  title,
});

describe("a rule of a user's file", () => {
  it('takes the place of what is known of its new rules, and leaves the rest', () => {
    const rules = [{ legacyId: 'SHOP1', newIds: [newId(7), newId(8), newId(7)] }];
    expect(extended({ rules }).legacyRules.get('SHOP1')).toEqual({
      id: 'SHOP1',
      packageId: CLOUDFLARE,
      groups: ['shop'],
      defaultAction: 'Block',
      defaultDate: '2020-01-01',
      title: '',
      successors: [stated(7, ''), stated(8, '')],
      settled: true,
    });
  });

  it('says its group and its title, too', () => {
    const rules = [{ legacyId: 'CORE', newIds: [newId(7)], group: 'Cloudflare Mine', title: 'X' }];
    expect(extended({ rules }).legacyRules.get('CORE')).toMatchObject({
      packageId: OWASP,
      groups: ['mine'],
      title: 'X',
      successors: [stated(7, 'X')],
    });
  });

  it('keeps the title that is known where it has none', () => {
    const rules = [{ legacyId: 'CORE', newIds: [] }];
    expect(extended({ rules }).legacyRules.get('CORE')).toMatchObject({ title: 'An OWASP rule' });
  });

  it('is the one that is known in another case', () => {
    const { legacyRules } = extended({ rules: [{ legacyId: 'shop1', newIds: [newId(7)] }] });
    expect(legacyRules.get('SHOP1')).toMatchObject({ id: 'SHOP1', successors: [stated(7, '')] });
    expect(legacyRules.has('shop1')).toBe(false);
  });

  it('may be new', () => {
    const rules = [{ legacyId: 'NEW', newIds: [] }];
    expect(extended({ rules }).legacyRules.get('NEW')).toEqual({
      id: 'NEW',
      packageId: CLOUDFLARE,
      groups: [],
      defaultAction: '',
      defaultDate: '',
      title: '',
      successors: [],
      settled: true,
    });
  });
});

describe("a group of a user's file", () => {
  it('is of the package that it says, else of the one that is known, else of Cloudflare', () => {
    const named = (letter: string, more: object = {}) => ({
      id: groupId(letter),
      name: 'X',
      ...more,
    });
    const { groups } = extended({
      groups: [named('8'), named('7', { packageId: OWASP }), named('0')],
    });
    expect(['8', '7', '0', '5'].map((letter) => groups.get(groupId(letter)))).toEqual([
      { packageId: OWASP, id: groupId('8'), name: 'X' },
      { packageId: OWASP, id: groupId('7'), name: 'X' },
      { packageId: CLOUDFLARE, id: groupId('0'), name: 'X' },
      { packageId: CLOUDFLARE, id: groupId('5'), name: 'Cloudflare Shop' },
    ]);
  });
});

describe('the old rules that became a new one', () => {
  it('are those of which sources state one new rule, or a user several', () => {
    // a copy: what was found of a catalogue before is kept with it
    const known = predecessors({ ...smallCatalogue });
    expect(known.get(newId(31))).toEqual(['TWIN1', 'TWIN2']);
    expect(known.get(newId(41))).toEqual(['PAIR']);
    expect(known.get(newId(42))).toEqual(['PAIR', 'HALF']);
    expect(known.get('00000061')).toEqual(['ENDING', 'ENDING2']);
    // which of the two it became is a decision
    expect(known.get(newId(51))).toBeUndefined();
  });

  it('are those of the catalogue that is asked', () => {
    const more = extended({ rules: [{ legacyId: 'R1', newIds: [newId(31)] }] });
    expect(predecessors(more).get(newId(31))).toEqual(['R1', 'TWIN1', 'TWIN2']);
    expect(predecessors(smallCatalogue).get(newId(31))).toEqual(['TWIN1', 'TWIN2']);
  });
});

describe("a user's file is refused", () => {
  const long = 'x'.repeat(501);
  const rule = (more: object) => file({ rules: [{ legacyId: '1', newIds: [], ...more }] });
  const group = (more: object) => file({ groups: [{ id: groupId('1'), name: 'a', ...more }] });
  it.each<[unknown, string]>([
    [null, 'document: invalid input: expected object, received null'],
    [[], 'document: invalid input: expected object, received array'],
    [rule({ newIds: ['A'.repeat(32)] }), 'rules.0.newIds.0: not 32 hexadecimal digits'],
    [{ ...file({}), format: 'csv' }, 'format: invalid input: expected "cf-waf-migrate/catalogue"'],
    [{ ...file({}), formatVersion: 2 }, 'formatVersion: invalid input: expected 1'],
    [{ ...file({}), rule: [] }, 'document: unrecognized key: "rule"'],
    [rule({ newId: '1' }), 'rules.0: unrecognized key: "newId"'],
    [group({ ids: [] }), 'groups.0: unrecognized key: "ids"'],
    [rule({ newIds: ['34780914'] }), 'rules.0.newIds.0: not 32 hexadecimal digits'],
    [group({ id: 'x' }), 'groups.0.id: not 32 hexadecimal digits'],
    [group({ packageId: 'x' }), 'groups.0.packageId: not 32 hexadecimal digits'],
    [rule({ legacyId: '' }), 'rules.0.legacyId: too small: expected string to have >=1 characters'],
    [rule({ legacyId: '100005 ' }), 'rules.0.legacyId: an id has no spaces'],
    [rule({ legacyId: ' 100005' }), 'rules.0.legacyId: an id has no spaces'],
    [rule({ title: long }), 'rules.0.title: too big: expected string to have <=500 characters'],
    [rule({ group: '\u001b[31m' }), 'rules.0.group: not one line of plain text'],
    [
      file({ rules: ['a', 'b', 'a'].map((legacyId) => ({ legacyId, newIds: [] })) }),
      'rules: "a" stands twice',
    ],
    [
      file({ rules: ['100135A', '100135a'].map((legacyId) => ({ legacyId, newIds: [] })) }),
      'rules: "100135a" stands twice',
    ],
    [
      rule({ newIds: [newId(1), SCORING_RULE] }),
      'rules.0.newIds.1: the scoring rule of the OWASP ruleset is no rule of the Cloudflare Managed Ruleset',
    ],
    [
      file({ groups: [1, 2].map(() => ({ id: groupId('1'), name: 'a' })) }),
      `groups: "${groupId('1')}" stands twice`,
    ],
  ])('%j: %s', (document, message) => {
    expect(() => parseUserCatalogue(document)).toThrow(MigrationError);
    expect(() => parseUserCatalogue(document)).toThrow(
      expect.objectContaining({ code: 'CATALOGUE_INVALID', message }) as Error,
    );
  });

  it('but not where it says nothing, or says whose it is', () => {
    const attribution = 'mine';
    const longest = { legacyId: 'x'.repeat(500), newIds: [] };
    expect(parseUserCatalogue(file({ attribution, rules: [longest] }))).toEqual(
      file({ attribution, rules: [longest], groups: [] }),
    );
    expect(parseUserCatalogue(file({}))).toEqual(file({ rules: [], groups: [] }));
  });
});

const catalogue = builtInCatalogue();
const NEW = '0242110ae62e44028a13bf4834780914';
const OTHER = 'a'.repeat(32);
const ENDING = ['1', '2'].map((digit) => `${digit.repeat(24)}0550c529`);
const SEVERAL = ['ae5baf61', 'e35c9a670b864a3ba0203ffb1bc977d1'];
const BETA = '2a9da4fa28924185b9e81435d4c44dad';
const withRules = (...rules: object[]) =>
  extendCatalogue(catalogue, parseUserCatalogue(file({ rules })));

describe('the new rule of a legacy one', () => {
  const answer = (id: string, managedIds?: string[], from = catalogue) =>
    findSuccessor(from, id, managedIds === undefined ? undefined : new Set(managedIds));

  it('is known where a source states one in full', () => {
    expect(answer('100532')).toEqual({ kind: 'known', ids: [NEW] });
    expect(answer('100532', [NEW])).toEqual({ kind: 'known', ids: [NEW] });
  });

  it('is known whatever the case of the old one', () => {
    expect(answer('100700_beta', [BETA])).toEqual({ kind: 'known', ids: [BETA] });
    const user = withRules({ legacyId: 'My1', newIds: [OTHER] });
    expect(answer('mY1', undefined, user)).toEqual({ kind: 'known', ids: [OTHER] });
  });

  it.each<[string | undefined, string, string, string[] | undefined, string[], string]>([
    ['NEW_RULE_ABSENT', '100532', 'the zone has no such rule', [OTHER], [NEW], 'is not in'],
    ['NEW_RULE_ABSENT', '100016', 'no rule ends so', [OTHER], ['0550c529'], 'is not in'],
    ['ENDING_UNRESOLVED', '100016', 'only its ending is known', undefined, ['0550c529'], 'eight'],
    ['ENDING_AMBIGUOUS', '100016', 'several rules end so', ENDING, ENDING, 'several rules end'],
    ['SEVERAL_NEW_RULES', '100005', 'sources state several', undefined, SEVERAL, 'several new'],
    ['NEW_RULE_UNPLACED', '100700_BETA', 'no source names its ruleset', undefined, [BETA], 'which'],
    ['NEW_RULE_ABSENT', '100700_BETA', 'the zone does not have it', [OTHER], [BETA], 'is not in'],
    [undefined, '100000', 'no source states one', undefined, [], 'no source states a new rule'],
    [undefined, '123456', 'the rule is not listed', undefined, [], 'is not in the catalogue'],
    [undefined, 'constructor', 'the rule is not one', undefined, [], 'is not in the catalogue'],
  ])('is not known (%s, %s) where %s', (code, id, _, managedIds, candidates, why) => {
    expect(answer(id, managedIds)).toEqual({
      kind: 'unknown',
      code,
      candidates,
      why: expect.stringContaining(why),
      remedy: expect.any(String),
    });
  });

  it('is found among the rules of the zone by its ending, or where no source places it', () => {
    expect(answer('100016', [OTHER, ENDING[0]!])).toEqual({ kind: 'known', ids: [ENDING[0]] });
    expect(answer('100700_BETA', [BETA])).toEqual({ kind: 'known', ids: [BETA] });
  });

  it('is what a user says, over every source', () => {
    const one = withRules({ legacyId: '100005', newIds: [OTHER] });
    expect(answer('100005', undefined, one)).toEqual({ kind: 'known', ids: [OTHER] });
    const both = withRules({ legacyId: '100005', newIds: [OTHER, NEW, OTHER] });
    expect(answer('100005', undefined, both)).toEqual({ kind: 'known', ids: [OTHER, NEW] });
    expect(answer('100005', [NEW], both)).toMatchObject({
      code: 'NEW_RULE_ABSENT',
      candidates: [OTHER],
    });
    const gone = withRules({ legacyId: '100532', newIds: [] });
    expect(answer('100532', undefined, gone)).toMatchObject({
      code: undefined,
      why: 'the file of --catalogue says that rule 100532 has no new rule',
    });
    expect(lookup(both, '100005')).toMatchObject([{ basis: 'user' }, { basis: 'user' }]);
  });
});

describe("a user's catalogue", () => {
  it('adds rules and groups, and leaves the built-in one as it was', () => {
    const groups = [{ id: OTHER, name: 'Cloudflare Drupal' }];
    const user = parseUserCatalogue(
      file({ rules: [{ legacyId: 'X1', newIds: [NEW], group: 'Drupal' }], groups }),
    );
    const more = extendCatalogue(catalogue, user);
    expect(more.legacyRules.get('X1')).toMatchObject({ groups: ['drupal'], settled: true });
    expect(more.groups.get(OTHER)).toMatchObject({ name: 'Cloudflare Drupal' });
    expect(builtInCatalogue().legacyRules.has('X1')).toBe(false);
    expect(builtInCatalogue().groups.has(OTHER)).toBe(false);
    expect(more.legacyRules.size).toBe(catalogue.legacyRules.size + 1);
  });

  it('keeps what is known of the old rule beside its new ones', () => {
    const { successors, ...known } = withRules({
      legacyId: '100532',
      newIds: [OTHER],
    }).legacyRules.get('100532')!;
    const { successors: old, ...before } = catalogue.legacyRules.get('100532')!;
    expect({ ...known, settled: false }).toEqual(before);
    expect([successors[0]!.id, old[0]!.id]).toEqual([OTHER, NEW]);
  });
});
