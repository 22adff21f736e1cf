import {
  codes,
  generalOverrides,
  group,
  GROUP,
  KNOWN,
  override,
  owasp,
  OWASP,
  row,
  rule,
  translate,
} from './support/old-zone';
import { CLOUDFLARE } from './support/old-zone';
import { groupId, newId as newOf, smallCatalogue } from './support/small-catalogue';

const legacyId = '100532';
const newId = KNOWN[legacyId];
const otherId = '100533';
const otherNew = KNOWN[otherId];
const packages = [owasp('off')];
const mode = (id: string) => `cloudflare_waf_rule.r_${id}.mode`;
const one = (value: string, more: object = {}) =>
  translate({ packages, rules: [rule(legacyId, value, more)] });

describe('a legacy rule', () => {
  it.each([
    ['disable', { enabled: false }, 'kept', 'off'],
    ['off', { enabled: false }, 'kept', 'off'],
    ['simulate', { action: 'log', enabled: true }, 'kept', 'log'],
    ['block', { action: 'block', enabled: true }, 'kept', 'block'],
    ['challenge', { action: 'managed_challenge', enabled: true }, 'changed', 'managed_challenge'],
  ])('with mode %s becomes an override %j', (value, wanted, status, to) => {
    const translation = one(value);
    expect(generalOverrides(translation)).toEqual([{ id: newId, ...wanted }]);
    const found = row(translation, mode(legacyId));
    expect(found).toMatchObject({ status, value, to: `rule ${newId}: ${to}` });
    expect(found.why ?? '').toMatch(status === 'kept' ? /^$/ : /interactive/);
  });

  it.each([
    ...['default', 'on'].map((value) => [value, legacyId]),
    ...['WP0025B', '100043A', '100030', 'wp0025b'].map((id) => ['disable', id]),
  ])('with mode %s has no effect for %s', (value, id) => {
    const translation = translate({ packages, rules: [rule(id, value)] });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(row(translation, mode(id)).status).toBe('without-effect');
  });

  it.each(['', 'Block', 'captcha', '__proto__', 'constructor'])(
    'with the unknown mode %j is reported, never guessed',
    (value) => {
      const translation = one(value);
      expect(generalOverrides(translation)).toBeUndefined();
      expect(translation.findings).toContainEqual(
        expect.objectContaining({
          code: 'UNKNOWN_MODE',
          severity: 'decision',
          subject: 'cloudflare_waf_rule.r_100532',
        }),
      );
      expect(row(translation, mode(legacyId)).status).toBe('lost');
    },
  );

  it('is found without its package, which a state can lack', () => {
    expect(generalOverrides(one('disable', { packageId: undefined }))).toHaveLength(1);
  });

  it.each(['disable', 'block'])('is one rule in any case of its id: %s', (value) => {
    const of = groupId('a');
    const inCase = (id: string) =>
      translate(
        {
          packages,
          rules: [rule(id, value, { from: 'single' }), rule('R1', value)],
          groups: [group(of, 'off')],
          overrides: [override({ rules: { [id]: 'simulate' }, groups: { [of]: 'default' } })],
          known: {
            packages: [],
            groups: [{ id: of, name: 'A', packageId: CLOUDFLARE, rulesCount: 1 }],
            rules: [{ id, groupId: of, groupName: 'A', packageId: CLOUDFLARE }],
          },
        },
        { catalogue: smallCatalogue },
      );
    const translation = inCase('r1');
    expect(translation.ruleset).toEqual(inCase('R1').ruleset);
    expect(generalOverrides(translation)).toMatchObject([{ id: newOf(1), enabled: false }]);
    expect(row(translation, 'single.mode')).toMatchObject({ subject: 'R1', title: 'Old rule 1' });
    const entry = row(translation, 'cloudflare_waf_override.o.rules["r1"]');
    expect(entry).toMatchObject({ subject: 'R1', status: 'kept' });
  });

  it.each<[string, string[] | undefined, RegExp, string | undefined]>([
    ['100000', undefined, /no source states a new rule/, undefined],
    ['123456', undefined, /not in the catalogue/, undefined],
    ['100005', undefined, /several new rules.*ae5baf61, e35c9a67/, 'SEVERAL_NEW_RULES'],
    ['100016', undefined, /last eight digits are known: 0550c529/, 'ENDING_UNRESOLVED'],
    [
      '100016',
      ['1', '2'].map((digit) => `${digit.repeat(24)}0550c529`),
      /several rules end with/,
      'ENDING_AMBIGUOUS',
    ],
    ['100700_BETA', undefined, /no source says which managed ruleset/, 'NEW_RULE_UNPLACED'],
    [legacyId, ['1'.repeat(32)], /is not in the zone's managed ruleset/, 'NEW_RULE_ABSENT'],
  ])('%s without a sure new rule is listed with what is known', (id, managedIds, why, code) => {
    const known = managedIds && { managedIds: new Set(managedIds) };
    const translation = translate({ packages, rules: [rule(id, 'disable')] }, known);
    expect(generalOverrides(translation)).toBeUndefined();
    expect(row(translation, mode(id))).toMatchObject({
      status: 'lost',
      why: expect.stringMatching(why),
      remedy: expect.stringContaining('--catalogue'),
    });
    expect(codes(translation)).toContain('SETTINGS_LOST');
    const found = translation.findings.filter((each) => each.code === code);
    expect(found).toMatchObject(
      code === undefined ? [] : [{ severity: 'decision', subject: `cloudflare_waf_rule.r_${id}` }],
    );
  });

  it('is resolved against the rules of the zone where only its ending is known', () => {
    const full = `${'1'.repeat(24)}0550c529`;
    const rules = [rule('100016', 'disable')];
    const found = translate({ packages, rules }, { managedIds: new Set([full]) });
    expect(generalOverrides(found)).toEqual([{ id: full, enabled: false }]);
  });

  it('of the customer is lost, and one of an unknown package is reported', () => {
    const user = 'd'.repeat(32);
    const translation = translate({
      packages,
      rules: [
        rule('1', 'block', { packageId: user }),
        rule('2', 'block', { packageId: 'c'.repeat(32) }),
      ],
      known: {
        packages: [{ id: user, name: 'USER', detectionMode: 'traditional' }],
        groups: [],
        rules: [],
      },
    });
    expect(row(translation, mode('1')).why).toMatch(/for this customer/);
    expect(row(translation, mode('2')).why).toMatch(/no source says what package/);
    expect(translation.findings.find(({ code }) => code === 'UNKNOWN_PACKAGE')?.subject).toBe(
      'cloudflare_waf_rule.r_2',
    );
  });

  it('of OWASP is another than the one of the same number', () => {
    const rules = [rule('981231', 'off', { packageId: OWASP }), rule(otherId, 'off')];
    expect(generalOverrides(translate({ packages, rules }))).toEqual([
      { id: otherNew, enabled: false },
    ]);
  });

  it('that is set twice the same is kept twice, by one override', () => {
    const again = rule(legacyId, 'block', { from: 'again', packageId: undefined });
    const translation = translate({ packages, rules: [rule(legacyId, 'block'), again] });
    expect(generalOverrides(translation)).toHaveLength(1);
    expect(row(translation, 'again.mode').status).toBe('kept');
    expect(row(translation, mode(legacyId)).status).toBe('kept');
  });

  it('that is set twice and differently is a contradiction that is not decided here', () => {
    const again = rule(legacyId, 'disable', { from: 'again', packageId: undefined });
    const translation = translate({ packages, rules: [rule(legacyId, 'block'), again] });
    expect(generalOverrides(translation)).toBeUndefined();
    const subjects = translation.findings
      .filter(({ code }) => code === 'CONTRADICTING_SETTINGS')
      .map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(['again', 'cloudflare_waf_rule.r_100532']);
    expect(translation.parity.summary.lost).toBe(2);
  });
});

describe('legacy rules that became one new rule', () => {
  const both = '4d825bf2e3ae49baa2061bc7f89ab164';
  const twins = (...modes: string[]) =>
    translate({
      packages,
      rules: modes.map((value, at) => rule(['100626', '100626A'][at]!, value)),
    });

  it('are carried where they say the same', () => {
    const translation = twins('block', 'block');
    expect(generalOverrides(translation)).toEqual([{ id: both, action: 'block', enabled: true }]);
    expect(codes(translation)).not.toContain('NEW_RULE_SHARED');
  });

  it('are a decision where they do not', () => {
    const translation = twins('block', 'disable');
    expect(generalOverrides(translation)).toBeUndefined();
    const found = codes(translation).filter((code) => code === 'ONE_NEW_RULE_FOR_SEVERAL');
    expect([found.length, translation.parity.summary.lost]).toEqual([2, 2]);
  });

  it('are carried with a decision where only one of them is set', () => {
    const translation = twins('disable');
    expect(generalOverrides(translation)).toEqual([{ id: both, enabled: false }]);
    expect(translation.findings.find(({ code }) => code === 'NEW_RULE_SHARED')).toMatchObject({
      severity: 'decision',
      subject: 'cloudflare_waf_rule.r_100626',
      message: expect.stringContaining('100626A'),
    });
  });
});

describe('a legacy rule in a group that is off', () => {
  it('is off, keeps its action for later, and has no effect, unlike rules of other groups', () => {
    const rules = [rule(legacyId, 'simulate', { groupId: GROUP }), rule(otherId, 'block')];
    const translation = translate({ packages, rules, groups: [group(GROUP, 'off')] });
    expect(generalOverrides(translation)).toEqual([
      { id: newId, action: 'log', enabled: false },
      { id: otherNew, action: 'block', enabled: true },
    ]);
    expect(row(translation, mode(legacyId))).toMatchObject({
      status: 'without-effect',
      why: expect.stringContaining(`cloudflare_waf_group.g_${GROUP}`),
    });
    expect(translation.findings.find(({ code }) => code === 'RULE_IN_GROUP_OFF')?.subject).toBe(
      `cloudflare_waf_rule.r_${legacyId}`,
    );
  });

  it('is reported by its address also where its own mode is on', () => {
    const rules = [rule(legacyId, 'on', { groupId: GROUP })];
    const translation = translate({ packages, rules, groups: [group(GROUP, 'off')] });
    expect(row(translation, mode(legacyId))).toMatchObject({
      status: 'without-effect',
      why: expect.stringContaining('is off'),
    });
    expect(translation.findings).toContainEqual(
      expect.objectContaining({
        code: 'RULE_IN_GROUP_OFF',
        subject: `cloudflare_waf_rule.r_${legacyId}`,
      }),
    );
  });
});
