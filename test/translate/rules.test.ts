import { translateZone } from '../../src/translate/translate-zone';
import {
  CLOUDFLARE,
  codes,
  generalOverrides,
  group,
  GROUP,
  KNOWN,
  owasp,
  override,
  OWASP,
  row,
  rule,
  translate,
  zone,
} from './support/old-zone';
import { groupId, newId as newOf, smallCatalogue } from './support/small-catalogue';

const oldId = '100532';
const newId = KNOWN[oldId];
const otherId = '100533';
const otherNew = KNOWN[otherId];
const packages = [owasp('off')];
const mode = (id: string) => `cloudflare_waf_rule.r_${id}.mode`;
const one = (value: string, more: object = {}) =>
  translate({ packages, rules: [rule(oldId, value, more)] });

describe('an old rule', () => {
  it.each([
    ['disable', { enabled: false }, 'kept', 'off'],
    ['off', { enabled: false }, 'kept', 'off'],
    ['simulate', { action: 'log', enabled: true }, 'kept', 'log'],
    ['block', { action: 'block', enabled: true }, 'kept', 'block'],
    ['challenge', { action: 'managed_challenge', enabled: true }, 'changed', 'managed_challenge'],
  ])('with mode %s becomes an override %j', (value, wanted, status, to) => {
    const translation = one(value);
    expect(generalOverrides(translation)).toEqual([{ id: newId, ...wanted }]);
    expect(row(translation, mode(oldId))).toMatchObject({
      status,
      value,
      to: `rule ${newId}: ${to}`,
    });
  });

  it.each(['default', 'on'])('with mode %s is what a rule is without a setting', (value) => {
    const translation = one(value);
    expect(generalOverrides(translation)).toBeUndefined();
    expect(row(translation, mode(oldId)).status).toBe('without-effect');
  });

  it.each(['', 'Block', 'captcha', '__proto__', 'constructor'])(
    'with the unknown mode %j is reported, never guessed',
    (value) => {
      const translation = one(value);
      expect(generalOverrides(translation)).toBeUndefined();
      expect(translation.findings.find(({ code }) => code === 'UNKNOWN_MODE')).toMatchObject({
        severity: 'decision',
        subject: 'cloudflare_waf_rule.r_100532',
      });
      expect(row(translation, mode(oldId)).status).toBe('lost');
    },
  );

  it('says why a challenge is not quite the same', () => {
    expect(row(one('challenge'), mode(oldId)).why).toMatch(/interactive/);
  });

  it.each(['disable', 'block'])(
    'is found in any case, with the others that say the same of it: %s',
    (value) => {
      const [written, listed] = ['r1', 'R1'];
      const of = groupId('a');
      const known = {
        packages: [],
        groups: [{ id: of, name: 'A', packageId: CLOUDFLARE, rulesCount: 1 }],
        rules: [{ id: written, groupId: of, groupName: 'A', packageId: CLOUDFLARE }],
      };
      const inCase = (id: string) =>
        translateZone(
          zone({
            packages,
            rules: [rule(id, value, { from: 'single' }), rule(listed, value)],
            groups: [group(of, 'off')],
            overrides: [override({ rules: { [id]: 'simulate' }, groups: { [of]: 'default' } })],
            known,
          }),
          { catalogue: smallCatalogue },
        );
      const translation = inCase(written);
      expect(translation.ruleset).toEqual(inCase(listed).ruleset);
      expect(generalOverrides(translation)).toMatchObject([{ id: newOf(1), enabled: false }]);
      expect(row(translation, 'single.mode')).toMatchObject({
        subject: listed,
        title: 'Old rule 1',
      });
      const entry = row(translation, 'cloudflare_waf_override.o.rules["r1"]');
      expect(entry).toMatchObject({ subject: listed, status: 'kept' });
    },
  );

  it('that nobody could switch off is known in any case', () => {
    const translation = translate({
      packages,
      rules: [rule('wp0025b', 'disable')],
      overrides: [override({ rules: { wp0025b: 'disable' } })],
    });
    expect(translation.parity.summary).toMatchObject({ settings: 4, withoutEffect: 3, lost: 0 });
  });

  it('is found without its package, which a state can lack', () => {
    expect(generalOverrides(one('disable', { packageId: undefined }))).toHaveLength(1);
  });

  it.each([
    ['100000', /no source states a new rule/, undefined],
    ['123456', /not in the catalogue/, undefined],
    ['100005', /several new rules.*ae5baf61, e35c9a67/, 'SEVERAL_NEW_RULES'],
    ['100016', /last eight digits are known: 0550c529/, 'ENDING_UNRESOLVED'],
    ['100700_BETA', /no source says which managed ruleset/, 'NEW_RULE_UNPLACED'],
  ])('%s, whose new rule is not known, is listed with what is known', (id, why, code) => {
    const translation = translate({ packages, rules: [rule(id, 'disable')] });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(row(translation, mode(id))).toMatchObject({
      status: 'lost',
      why: expect.stringMatching(why) as string,
    });
    expect(row(translation, mode(id)).remedy).toMatch(/--catalogue/);
    if (code !== undefined) {
      const finding = translation.findings.find((each) => each.code === code);
      expect(finding).toMatchObject({
        severity: 'decision',
        subject: `cloudflare_waf_rule.r_${id}`,
      });
    }
    expect(codes(translation)).toContain('SETTINGS_LOST');
  });

  it('is resolved against the rules of the zone where only its ending is known', () => {
    const rules = [rule('100016', 'disable')];
    const full = `${'1'.repeat(24)}0550c529`;
    const twin = `${'2'.repeat(24)}0550c529`;
    const found = translate({ packages, rules }, { managedIds: new Set([full]) });
    expect(generalOverrides(found)).toEqual([{ id: full, enabled: false }]);
    const ambiguous = translate({ packages, rules }, { managedIds: new Set([full, twin]) });
    expect(codes(ambiguous)).toContain('ENDING_AMBIGUOUS');
    expect(row(ambiguous, mode('100016'))).toMatchObject({ status: 'lost' });
    expect(generalOverrides(ambiguous)).toBeUndefined();
  });

  it('is not overridden in a managed ruleset that does not hold its new rule', () => {
    const translation = translate(
      { packages, rules: [rule(oldId, 'disable')] },
      { managedIds: new Set(['1'.repeat(32)]) },
    );
    expect(generalOverrides(translation)).toBeUndefined();
    expect(codes(translation)).toContain('NEW_RULE_ABSENT');
  });

  it.each(['WP0025B', '100043A', '100030'])('%s was never switched off', (id) => {
    const translation = translate({ packages, rules: [rule(id, 'disable')] });
    expect(row(translation, mode(id)).status).toBe('without-effect');
  });

  it('of the customer is lost, and one of a package that nobody knows is reported', () => {
    const user = 'd'.repeat(32);
    const rules = [
      rule('1', 'block', { packageId: user }),
      rule('2', 'block', { packageId: 'c'.repeat(32) }),
    ];
    const names = {
      packages: [{ id: user, name: 'USER', detectionMode: 'traditional' }],
      groups: [],
      rules: [],
    };
    const translation = translate({ packages, rules, known: names });
    expect(row(translation, mode('1')).why).toMatch(/for this customer/);
    expect(row(translation, mode('2')).why).toMatch(/no source says what package/);
    expect(translation.findings.find(({ code }) => code === 'UNKNOWN_PACKAGE')?.subject).toBe(
      'cloudflare_waf_rule.r_2',
    );
  });

  it('set twice the same is kept twice, by one override', () => {
    const rules = [
      rule(oldId, 'block'),
      rule(oldId, 'block', { from: 'again', packageId: undefined }),
    ];
    const translation = translate({ packages, rules });
    expect(generalOverrides(translation)).toHaveLength(1);
    expect(row(translation, 'again.mode').status).toBe('kept');
    expect(row(translation, mode(oldId)).status).toBe('kept');
  });

  it('set twice and differently is a contradiction that is not decided here', () => {
    const rules = [
      rule(oldId, 'block'),
      rule(oldId, 'disable', { from: 'again', packageId: undefined }),
    ];
    const translation = translate({ packages, rules });
    expect(generalOverrides(translation)).toBeUndefined();
    const subjects = translation.findings
      .filter(({ code }) => code === 'CONTRADICTING_SETTINGS')
      .map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(['again', 'cloudflare_waf_rule.r_100532']);
    expect(translation.parity.summary.lost).toBe(2);
  });

  it('keeps its place in the OWASP package apart from one of the same number', () => {
    const rules = [rule('981231', 'off', { packageId: OWASP }), rule(otherId, 'off')];
    const translation = translate({ packages, rules });
    expect(generalOverrides(translation)).toEqual([{ id: otherNew, enabled: false }]);
  });
});

describe('old rules that became one new rule', () => {
  const both = '4d825bf2e3ae49baa2061bc7f89ab164';

  it('are carried where they say the same', () => {
    const translation = translate({
      packages,
      rules: [rule('100626', 'block'), rule('100626A', 'block')],
    });
    expect(generalOverrides(translation)).toEqual([{ id: both, action: 'block', enabled: true }]);
    expect(codes(translation)).not.toContain('NEW_RULE_SHARED');
  });

  it('are a decision where they do not', () => {
    const translation = translate({
      packages,
      rules: [rule('100626', 'block'), rule('100626A', 'disable')],
    });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(codes(translation).filter((code) => code === 'ONE_NEW_RULE_FOR_SEVERAL')).toHaveLength(
      2,
    );
    expect(translation.parity.summary.lost).toBe(2);
  });

  it('are carried with a warning where only one of them is set', () => {
    const translation = translate({ packages, rules: [rule('100626', 'disable')] });
    expect(generalOverrides(translation)).toEqual([{ id: both, enabled: false }]);
    const shared = translation.findings.find(({ code }) => code === 'NEW_RULE_SHARED');
    expect(shared).toMatchObject({ severity: 'decision', subject: 'cloudflare_waf_rule.r_100626' });
    expect(shared!.message).toContain('100626A');
  });
});

describe('a rule in a group that is off', () => {
  const rules = [rule(oldId, 'simulate', { groupId: GROUP }), rule(otherId, 'block')];
  const translated = () => translate({ packages, rules, groups: [group(GROUP, 'off')] });

  it('is off, keeps its action for later, and is said to have no effect', () => {
    const translation = translated();
    expect(generalOverrides(translation)).toContainEqual({
      id: newId,
      action: 'log',
      enabled: false,
    });
    expect(row(translation, mode(oldId))).toMatchObject({ status: 'without-effect' });
    expect(row(translation, mode(oldId)).why).toContain(`cloudflare_waf_group.g_${GROUP}`);
    expect(translation.findings.find(({ code }) => code === 'RULE_IN_GROUP_OFF')?.subject).toBe(
      `cloudflare_waf_rule.r_${oldId}`,
    );
  });

  it('is reported by its address also where it is said to be on', () => {
    const contradiction = translate({
      packages,
      groups: [group(GROUP, 'off')],
      rules: [rule(oldId, 'on', { groupId: GROUP })],
    });
    const { findings } = contradiction;
    const on = row(contradiction, mode(oldId));
    expect(on).toMatchObject({ status: 'without-effect' });
    expect(on.why).toContain('is off');
    expect(findings.map(({ code, subject }) => `${code} ${subject}`)).toContain(
      `RULE_IN_GROUP_OFF cloudflare_waf_rule.r_${oldId}`,
    );
  });

  it('leaves rules of other groups as they are', () => {
    expect(generalOverrides(translated())).toContainEqual({
      id: otherNew,
      action: 'block',
      enabled: true,
    });
  });
});
