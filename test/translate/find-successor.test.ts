import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { extendCatalogue, parseUserCatalogue } from '../../src/translate/catalogue/user-catalogue';
import { findSuccessor } from '../../src/translate/catalogue/find-successor';
import { lookup } from '../../src/translate/catalogue/lookup';

const catalogue = builtInCatalogue();
const NEW = '0242110ae62e44028a13bf4834780914';
const OTHER = 'a'.repeat(32);
const file = (rules: object[], groups: object[] = []) => ({
  format: 'cf-waf-migrate/catalogue',
  formatVersion: 1,
  rules,
  groups,
});
const extended = (...rules: object[]) =>
  extendCatalogue(catalogue, parseUserCatalogue(file(rules)));

describe('the new rule of an old one', () => {
  const answer = (id: string, managedIds?: string[], from = catalogue) =>
    findSuccessor(from, id, managedIds === undefined ? undefined : new Set(managedIds));

  it('is known where a source states one in full', () => {
    expect(answer('100532')).toEqual({ kind: 'known', ids: [NEW] });
    expect(answer('100532', [NEW])).toEqual({ kind: 'known', ids: [NEW] });
  });

  it('is known whatever the case of the old one', () => {
    expect(answer('100700_beta')).toEqual(answer('100700_BETA'));
    const user = extended({ legacyId: 'My1', newIds: [OTHER] });
    expect(answer('mY1', undefined, user)).toEqual({ kind: 'known', ids: [OTHER] });
  });

  it('is absent when the zone has no such rule', () => {
    expect(answer('100532', [OTHER])).toEqual({ kind: 'absent', id: NEW });
    expect(answer('100016', [OTHER])).toEqual({ kind: 'absent', id: '0550c529' });
  });

  it('is found by its ending among the rules of the zone, and never when that is ambiguous', () => {
    const ids = ['1', '2'].map((digit) => `${digit.repeat(24)}0550c529`);
    expect(answer('100016')).toEqual({ kind: 'ending', ending: '0550c529' });
    expect(answer('100016', [OTHER, ids[0]!])).toEqual({ kind: 'known', ids: [ids[0]] });
    expect(answer('100016', ids)).toEqual({ kind: 'ambiguous', ending: '0550c529', ids });
  });

  it('is a decision where sources state several', () => {
    const candidates = ['ae5baf61', 'e35c9a670b864a3ba0203ffb1bc977d1'];
    expect(answer('100005')).toEqual({ kind: 'several', candidates });
  });

  it('is not placed where no source names its ruleset, until the zone does', () => {
    const id = '2a9da4fa28924185b9e81435d4c44dad';
    expect(answer('100700_BETA')).toEqual({ kind: 'unplaced', id });
    expect(answer('100700_BETA', [id])).toEqual({ kind: 'known', ids: [id] });
    expect(answer('100700_BETA', [OTHER])).toEqual({ kind: 'absent', id });
  });

  it('is none, or the old rule is not listed', () => {
    expect(answer('100000')).toEqual({ kind: 'none' });
    expect(answer('123456')).toEqual({ kind: 'unlisted' });
    expect(answer('constructor')).toEqual({ kind: 'unlisted' });
  });

  it('is what a user says, over every source', () => {
    expect(answer('100005', undefined, extended({ legacyId: '100005', newIds: [OTHER] }))).toEqual({
      kind: 'known',
      ids: [OTHER],
    });
    const both = extended({ legacyId: '100005', newIds: [OTHER, NEW, OTHER] });
    expect(answer('100005', undefined, both)).toEqual({ kind: 'known', ids: [OTHER, NEW] });
    expect(answer('100005', [NEW], both)).toEqual({ kind: 'absent', id: OTHER });
    const gone = extended({ legacyId: '100532', newIds: [] });
    expect(answer('100532', undefined, gone)).toEqual({ kind: 'gone' });
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
