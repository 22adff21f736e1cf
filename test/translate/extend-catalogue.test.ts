import { MigrationError } from '../../src/core/migration-error';
import { SCORING_RULE } from '../../src/core/ruleset';
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
