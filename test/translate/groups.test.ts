import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
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
  zone,
} from './support/old-zone';
import { translateZone } from '../../src/translate/translate-zone';
import { extendCatalogue } from '../../src/translate/catalogue/user-catalogue';

const packages = [owasp('off')];
const ids = Object.keys(KNOWN);
const mode = (id: string) => `cloudflare_waf_group.g_${id}.mode`;
const knownRule = (id: string, more: object = {}) => ({
  id,
  groupId: GROUP,
  groupName: 'Mine',
  packageId: CLOUDFLARE,
  ...more,
});
const knownGroup = (rulesCount: number | undefined, name = 'Mine') => ({
  id: GROUP,
  name,
  packageId: CLOUDFLARE,
  rulesCount,
});
/** A package that the zone alone knows. */
const MINE = 'a'.repeat(32);
const SPECIALS = 'f90712123fb02287348dd34c0a282bb9';

describe('an old group', () => {
  it('that is on is what a group is without a setting', () => {
    const translation = translate({ packages, groups: [group(DRUPAL, 'on'), group(GROUP, 'on')] });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(translation.parity.summary).toMatchObject({ lost: 0, withoutEffect: 4 - 1 });
  });

  it('that is off switches off each of its rules, as the zone lists them', () => {
    const known = { packages: [], groups: [knownGroup(3)], rules: ids.map((id) => knownRule(id)) };
    const translation = translate({ packages, groups: [group(GROUP, 'off')], known });
    expect(generalOverrides(translation)).toStrictEqual(
      Object.values(KNOWN)
        .sort()
        .map((id) => ({ id, enabled: false })),
    );
    expect(row(translation, mode(GROUP))).toMatchObject({ status: 'kept' });
    expect(codes(translation)).not.toContain('GROUP_MEMBERS_UNKNOWN');
  });

  it.each([
    ['no rules', 0, []],
    ['no rules that could be switched off', 1, [knownRule('WP0025B')]],
  ])('that has %s changes nothing', (_, count, rules) => {
    const known = { packages: [], groups: [knownGroup(count)], rules };
    const overrides = [override({ groups: { [GROUP]: 'disable' } })];
    const translation = translate({ packages, groups: [group(GROUP, 'off')], overrides, known });
    const nothing = { status: 'without-effect', why: 'it has no rules that could be switched off' };
    expect(row(translation, mode(GROUP))).toMatchObject(nothing);
    expect(row(translation, `cloudflare_waf_override.o.groups["${GROUP}"]`)).toMatchObject(nothing);
    expect(codes(translation)).not.toContain('GROUP_MEMBERS_UNKNOWN');
  });

  it('is of the package that its own resource names, also where an override speaks of it', () => {
    const known = {
      packages: [{ id: MINE, name: 'USER', detectionMode: 'traditional' }],
      groups: [],
      rules: [],
    };
    const translation = translate({
      packages,
      groups: [group(GROUP, 'on', { packageId: MINE })],
      rules: [
        rule('M1', 'default', { packageId: MINE }),
        rule('M1', 'default', { packageId: undefined, from: 'later' }),
      ],
      overrides: [override({ groups: { [GROUP]: 'disable' }, rules: { M1: 'block' } })],
      known,
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

  it('counts its rules where there are many', () => {
    const all = [...builtInCatalogue().legacyRules.values()]
      .filter(({ successors: [only, ...more] }) => only?.id !== undefined && more.length === 0)
      .slice(0, 30);
    const known = {
      packages: [],
      groups: [knownGroup(30)],
      rules: all.map(({ id }) => knownRule(id)),
    };
    const translation = translate({ packages, groups: [group(GROUP, 'off')], known });
    expect(row(translation, mode(GROUP))).toMatchObject({ status: 'kept', to: '30 rules off' });
  });

  it('takes the group that a state names for a rule as the word of the service', () => {
    const rules = [rule('100532', 'default', { groupId: GROUP })];
    const known = { packages: [], groups: [knownGroup(1)], rules: [] };
    const translation = translate({ packages, rules, groups: [group(GROUP, 'off')], known });
    expect(generalOverrides(translation)).toEqual([{ id: KNOWN['100532'], enabled: false }]);
    expect(row(translation, mode(GROUP)).status).toBe('kept');
  });

  it('of which the zone lists only some rules is changed, and says how many there are', () => {
    const known = { packages: [], groups: [knownGroup(5)], rules: ids.map((id) => knownRule(id)) };
    const translation = translate({ packages, groups: [group(GROUP, 'off')], known });
    expect(generalOverrides(translation)).toHaveLength(3);
    expect(row(translation, mode(GROUP))).toMatchObject({ status: 'changed' });
    expect(row(translation, mode(GROUP)).why).toContain(
      '3 of its rules are named by some source, and it has 5',
    );
    const finding = translation.findings.find(({ code }) => code === 'GROUP_MEMBERS_UNKNOWN');
    expect(finding).toMatchObject({
      severity: 'decision',
      subject: `cloudflare_waf_group.g_${GROUP}`,
    });
  });

  it('is filled from the catalogue by its name, except for rules that no one could switch off', () => {
    const translation = translate({
      packages,
      groups: [group(SPECIALS, 'off', { packageId: undefined })],
    });
    const overrides = generalOverrides(translation) as { id: string; enabled: boolean }[];
    expect(overrides.length).toBeGreaterThan(100);
    expect(overrides.every(({ enabled }) => !enabled)).toBe(true);
    const inSpecials = [...builtInCatalogue().legacyRules.values()].filter(
      ({ groups }) => groups.join() === 'specials',
    );
    const stated = new Set(inSpecials.flatMap(({ successors }) => successors.map(({ id }) => id)));
    expect(overrides.every(({ id }) => stated.has(id))).toBe(true);
    expect(row(translation, mode(SPECIALS))).toMatchObject({
      status: 'changed',
      why: expect.stringContaining('it may have more') as string,
    });
    const never = inSpecials.filter(({ id }) => ['WP0025B', '100043A', '100030'].includes(id));
    expect(never.length).toBeGreaterThan(0);
    for (const { id } of never)
      expect(row(translation, mode(SPECIALS)).why).not.toContain(`${id},`);
  });

  it('whose rules have no known new rule is lost, with what is known of it', () => {
    const translation = translate({ packages, groups: [group(DRUPAL, 'off')] });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(row(translation, mode(DRUPAL))).toMatchObject({
      status: 'lost',
      why: expect.stringMatching(/25 of its rules.*D0000/) as string,
    });
    expect(row(translation, mode(DRUPAL)).remedy).toContain(
      'also catch the rules that are added later',
    );
  });

  it('without any known rule is lost', () => {
    const known = { packages: [], groups: [knownGroup(undefined)], rules: [] };
    const translation = translate({ packages, groups: [group(GROUP, 'off')], known });
    expect(row(translation, mode(GROUP))).toMatchObject({
      status: 'lost',
      why: expect.stringContaining('none of its rules is known') as string,
    });
  });

  it('that does not exist is reported by its address', () => {
    const translation = translate({
      packages,
      groups: [group(GROUP, 'off', { packageId: undefined })],
    });
    expect(translation.findings.find(({ code }) => code === 'UNKNOWN_GROUP')).toMatchObject({
      severity: 'decision',
      subject: `cloudflare_waf_group.g_${GROUP}`,
    });
    expect(row(translation, mode(GROUP)).status).toBe('lost');
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
    const translation = translate({
      packages,
      groups,
      known: { packages: [], groups: [], rules: ids.map((id) => knownRule(id)) },
    });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(codes(translation).filter((code) => code === 'CONTRADICTING_SETTINGS')).toHaveLength(2);
  });

  it('of the customer is lost', () => {
    const user = 'd'.repeat(32);
    const known = {
      packages: [{ id: user, name: 'USER', detectionMode: 'traditional' }],
      groups: [],
      rules: [],
    };
    const translation = translate({
      packages,
      groups: [group(GROUP, 'off', { packageId: user })],
      known,
    });
    expect(row(translation, mode(GROUP)).why).toMatch(/for this customer/);
  });

  it("is known by a user's file", () => {
    const catalogue = extendCatalogue(builtInCatalogue(), {
      format: 'cf-waf-migrate/catalogue',
      formatVersion: 1,
      rules: [{ legacyId: 'M1', newIds: ['1'.repeat(32)], group: 'Mine' }],
      groups: [{ id: GROUP, name: 'Cloudflare Mine' }],
    });
    const groups = [group(GROUP, 'off', { packageId: undefined })];
    const translation = translateZone(zone({ packages, groups }), { catalogue });
    expect(generalOverrides(translation)).toEqual([{ id: '1'.repeat(32), enabled: false }]);
  });
});
