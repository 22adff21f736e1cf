import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { extendCatalogue, parseUserCatalogue } from '../../src/translate/catalogue/user-catalogue';
import { findSuccessor } from '../../src/translate/catalogue/find-successor';
import { lookup } from '../../src/translate/catalogue/lookup';

const catalogue = builtInCatalogue();
const NEW = '0242110ae62e44028a13bf4834780914';
const OTHER = 'a'.repeat(32);
const ENDING = ['1', '2'].map((digit) => `${digit.repeat(24)}0550c529`);
const SEVERAL = ['ae5baf61', 'e35c9a670b864a3ba0203ffb1bc977d1'];
const BETA = '2a9da4fa28924185b9e81435d4c44dad';
const file = (rules: object[], groups: object[] = []) => ({
  format: 'cf-waf-migrate/catalogue',
  formatVersion: 1,
  rules,
  groups,
});
const extended = (...rules: object[]) =>
  extendCatalogue(catalogue, parseUserCatalogue(file(rules)));

describe('the new rule of a legacy one', () => {
  const answer = (id: string, managedIds?: string[], from = catalogue) =>
    findSuccessor(from, id, managedIds === undefined ? undefined : new Set(managedIds));

  it('is known where a source states one in full', () => {
    expect(answer('100532')).toEqual({ kind: 'known', ids: [NEW] });
    expect(answer('100532', [NEW])).toEqual({ kind: 'known', ids: [NEW] });
  });

  it('is known whatever the case of the old one', () => {
    expect(answer('100700_beta', [BETA])).toEqual({ kind: 'known', ids: [BETA] });
    const user = extended({ legacyId: 'My1', newIds: [OTHER] });
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
    const one = extended({ legacyId: '100005', newIds: [OTHER] });
    expect(answer('100005', undefined, one)).toEqual({ kind: 'known', ids: [OTHER] });
    const both = extended({ legacyId: '100005', newIds: [OTHER, NEW, OTHER] });
    expect(answer('100005', undefined, both)).toEqual({ kind: 'known', ids: [OTHER, NEW] });
    expect(answer('100005', [NEW], both)).toMatchObject({
      code: 'NEW_RULE_ABSENT',
      candidates: [OTHER],
    });
    const gone = extended({ legacyId: '100532', newIds: [] });
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
      file([{ legacyId: 'X1', newIds: [NEW], group: 'Drupal' }], groups),
    );
    const more = extendCatalogue(catalogue, user);
    expect(more.legacyRules.get('X1')).toMatchObject({ groups: ['drupal'], settled: true });
    expect(more.groups.get(OTHER)).toMatchObject({ name: 'Cloudflare Drupal' });
    expect(builtInCatalogue().legacyRules.has('X1')).toBe(false);
    expect(builtInCatalogue().groups.has(OTHER)).toBe(false);
    expect(more.legacyRules.size).toBe(catalogue.legacyRules.size + 1);
  });

  it('keeps what is known of the old rule beside its new ones', () => {
    const { successors, ...known } = extended({
      legacyId: '100532',
      newIds: [OTHER],
    }).legacyRules.get('100532')!;
    const { successors: old, ...before } = catalogue.legacyRules.get('100532')!;
    expect({ ...known, settled: false }).toEqual(before);
    expect([successors[0]!.id, old[0]!.id]).toEqual([OTHER, NEW]);
  });
});
