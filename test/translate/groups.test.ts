import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { extendCatalogue } from '../../src/translate/catalogue/user-catalogue';
import { type LegacySettings } from '../../src/translate/legacy-settings';
import {
  CLOUDFLARE,
  codes,
  DRUPAL,
  generalOverrides,
  group,
  GROUP,
  KNOWN,
  override,
  owasp,
  row,
  rule,
  translate,
} from './support/old-zone';

const packages = [owasp('off')];
const ids = Object.keys(KNOWN);
const mode = (id: string) => `cloudflare_waf_group.g_${id}.mode`;
/** What the zone lists of the group. */
const known = (
  rulesCount: number | undefined,
  rules: readonly string[] = [],
): LegacySettings['known'] => ({
  packages: [],
  groups: [{ id: GROUP, name: 'Mine', packageId: CLOUDFLARE, rulesCount }],
  rules: rules.map((id) => ({ id, groupId: GROUP, groupName: 'Mine', packageId: CLOUDFLARE })),
});
const off = (more: object = {}) =>
  translate({ packages, groups: [group(GROUP, 'off', { packageId: undefined })], ...more });
/** A package that the zone alone knows. */
const MINE = 'a'.repeat(32);
const SPECIALS = 'f90712123fb02287348dd34c0a282bb9';

describe('a legacy group that is off', () => {
  it('switches off each of its rules, as the zone lists them', () => {
    const translation = off({ known: known(3, ids) });
    expect(generalOverrides(translation)).toStrictEqual(
      Object.values(KNOWN)
        .sort()
        .map((id) => ({ id, enabled: false })),
    );
    expect(row(translation, mode(GROUP))).toMatchObject({ status: 'kept' });
    expect(codes(translation)).not.toContain('GROUP_MEMBERS_UNKNOWN');
  });

  it.each<[string, number, string[]]>([
    ['no rules', 0, []],
    ['no rules that could be switched off', 1, ['WP0025B']],
  ])('and has %s changes nothing', (_, count, rules) => {
    const overrides = [override({ groups: { [GROUP]: 'disable' } })];
    const translation = off({ overrides, known: known(count, rules) });
    const nothing = { status: 'without-effect', why: 'it has no rules that could be switched off' };
    expect(row(translation, mode(GROUP))).toMatchObject(nothing);
    expect(row(translation, `cloudflare_waf_override.o.groups["${GROUP}"]`)).toMatchObject(nothing);
    expect(codes(translation)).not.toContain('GROUP_MEMBERS_UNKNOWN');
  });

  it('counts its rules where there are many', () => {
    const all = [...builtInCatalogue().legacyRules.values()]
      .filter(({ successors: [only, ...more] }) => only?.id !== undefined && more.length === 0)
      .slice(0, 30);
    const translation = off({
      known: known(
        30,
        all.map(({ id }) => id),
      ),
    });
    expect(row(translation, mode(GROUP))).toMatchObject({ status: 'kept', to: '30 rules off' });
  });

  it('holds the rules whose state names it', () => {
    const rules = [rule('100532', 'default', { groupId: GROUP })];
    const translation = off({ rules, known: known(1) });
    expect(generalOverrides(translation)).toEqual([{ id: KNOWN['100532'], enabled: false }]);
    expect(row(translation, mode(GROUP)).status).toBe('kept');
  });

  it('is changed where the zone lists only some of its rules', () => {
    const translation = off({ known: known(5, ids) });
    expect(generalOverrides(translation)).toHaveLength(3);
    expect(row(translation, mode(GROUP))).toMatchObject({
      status: 'changed',
      why: expect.stringContaining('3 of its rules are named by some source, and it has 5'),
    });
    expect(translation.findings.find(({ code }) => code === 'GROUP_MEMBERS_UNKNOWN')).toMatchObject(
      { severity: 'decision', subject: `cloudflare_waf_group.g_${GROUP}` },
    );
  });

  it('is filled from the catalogue by its name, without the rules that were never off', () => {
    const translation = translate({
      packages,
      groups: [group(SPECIALS, 'off', { packageId: undefined })],
    });
    const overrides = generalOverrides(translation) as { id: string; enabled: boolean }[];
    expect(overrides.length).toBeGreaterThan(100);
    expect(overrides.every(({ enabled }) => !enabled)).toBe(true);
    const listed = [...builtInCatalogue().legacyRules.values()].filter(
      ({ groups }) => groups.join() === 'specials',
    );
    const stated = new Set(listed.flatMap(({ successors }) => successors.map(({ id }) => id)));
    expect(overrides.every(({ id }) => stated.has(id))).toBe(true);
    const { status, why } = row(translation, mode(SPECIALS));
    expect([status, why]).toEqual(['changed', expect.stringContaining('it may have more')]);
    const never = listed.filter(({ id }) => ['WP0025B', '100043A', '100030'].includes(id));
    expect(never.length).toBeGreaterThan(0);
    for (const { id } of never) expect(why).not.toContain(`${id},`);
  });

  it('is lost where its rules have no known new rule, or are not known', () => {
    const drupal = translate({ packages, groups: [group(DRUPAL, 'off')] });
    expect(generalOverrides(drupal)).toBeUndefined();
    expect(row(drupal, mode(DRUPAL))).toMatchObject({
      status: 'lost',
      why: expect.stringMatching(/25 of its rules.*D0000/),
      remedy: expect.stringContaining('also catch the rules that are added later'),
    });
    expect(row(off({ known: known(undefined) }), mode(GROUP))).toMatchObject({
      status: 'lost',
      why: expect.stringContaining('none of its rules is known'),
    });
  });

  it('is lost where it does not exist, or belongs to the customer', () => {
    const translation = off();
    expect(row(translation, mode(GROUP)).status).toBe('lost');
    expect(translation.findings.find(({ code }) => code === 'UNKNOWN_GROUP')).toMatchObject({
      severity: 'decision',
      subject: `cloudflare_waf_group.g_${GROUP}`,
    });
    const packagesKnown = [{ id: MINE, name: 'USER', detectionMode: 'traditional' }];
    const user = off({
      groups: [group(GROUP, 'off', { packageId: MINE })],
      known: { packages: packagesKnown, groups: [], rules: [] },
    });
    expect(row(user, mode(GROUP)).why).toMatch(/for this customer/);
  });

  it("is known by a user's file", () => {
    const catalogue = extendCatalogue(builtInCatalogue(), {
      format: 'cf-waf-migrate/catalogue',
      formatVersion: 1,
      rules: [{ legacyId: 'M1', newIds: ['1'.repeat(32)], group: 'Mine' }],
      groups: [{ id: GROUP, name: 'Cloudflare Mine' }],
    });
    const groups = [group(GROUP, 'off', { packageId: undefined })];
    expect(generalOverrides(translate({ packages, groups }, { catalogue }))).toEqual([
      { id: '1'.repeat(32), enabled: false },
    ]);
  });
});

describe('a legacy group', () => {
  it('that is on has no effect', () => {
    const translation = translate({ packages, groups: [group(DRUPAL, 'on'), group(GROUP, 'on')] });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(translation.parity.summary).toMatchObject({ lost: 0, withoutEffect: 4 - 1 });
  });

  it.each(['', 'disable', 'OFF', 'constructor'])(
    'with the unknown mode %j is reported, never guessed',
    (value) => {
      const translation = translate({ packages, groups: [group(DRUPAL, value)] });
      expect(codes(translation)).toContain('UNKNOWN_MODE');
      expect(row(translation, mode(DRUPAL)).status).toBe('lost');
    },
  );

  it('that is both on and off is a contradiction', () => {
    const groups = [group(GROUP, 'off'), group(GROUP, 'on', { from: 'again' })];
    const translation = translate({ packages, groups, known: known(undefined, ids) });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(codes(translation).filter((code) => code === 'CONTRADICTING_SETTINGS')).toHaveLength(2);
  });

  it('is of the package that its own resource names, also in an override', () => {
    const translation = translate({
      packages,
      groups: [group(GROUP, 'on', { packageId: MINE })],
      rules: [
        rule('M1', 'default', { packageId: MINE }),
        rule('M1', 'default', { packageId: undefined, from: 'later' }),
      ],
      overrides: [override({ groups: { [GROUP]: 'disable' }, rules: { M1: 'block' } })],
      known: {
        packages: [{ id: MINE, name: 'USER', detectionMode: 'traditional' }],
        groups: [],
        rules: [],
      },
    });
    const rows = translation.parity.settings.filter(({ subject }) =>
      [GROUP, 'M1'].includes(subject),
    );
    expect(rows.map((one) => one.package)).toEqual(Array(5).fill('user'));
    expect(rows.filter(({ status }) => status === 'lost').map(({ why }) => why)).toEqual([
      'the rule belongs to the rules that Cloudflare wrote for this customer',
      'the group belongs to the rules that Cloudflare wrote for this customer',
    ]);
    expect(codes(translation)).not.toContain('UNKNOWN_GROUP');
  });
});
