import {
  codes,
  DRUPAL,
  group,
  GROUP,
  KNOWN,
  MANAGED_RULESET,
  override,
  owasp,
  row,
  rule,
  rulesOf,
  translate,
} from './support/old-zone';
import { from, general, one, packages, SHOP } from './support/one-override';

const id = KNOWN['100532'];
const other = KNOWN['100533'];

describe('a URI override of a rule', () => {
  it.each(['disable', 'off'])(
    'that says %s becomes an exception before the general rule',
    (mode) => {
      const translation = one({ rules: { '100532': mode } });
      expect(rulesOf(translation)).toEqual([
        { action: 'skip', expression: SHOP, rules: { [MANAGED_RULESET]: [id] } },
        general,
      ]);
      expect(row(translation, `${from}.rules["100532"]`)).toMatchObject({
        status: 'kept',
        rules: [0],
      });
    },
  );

  it.each([
    ['simulate', 'log', 'kept'],
    ['block', 'block', 'kept'],
    ['challenge', 'managed_challenge', 'changed'],
  ])('that says %s becomes a rule of its own with the action %s', (mode, action, status) => {
    const rules = [rule('100533', 'disable')];
    const translation = one({ rules: { '100532': mode } }, { rules });
    const off = { id: other, enabled: false };
    expect(rulesOf(translation)).toEqual([
      {
        action: 'execute',
        expression: SHOP,
        id: MANAGED_RULESET,
        overrides: { rules: [{ id, action, enabled: true }, off] },
      },
      { ...general, expression: `not (${SHOP})`, overrides: { rules: [off] } },
    ]);
    expect(row(translation, `${from}.rules["100532"]`)).toMatchObject({ status, rules: [0] });
  });

  it('that says default takes away what the zone says, and is nothing where it says nothing', () => {
    const rules = [rule('100532', 'block')];
    const taken = one({ rules: { '100532': 'default' } }, { rules });
    expect(rulesOf(taken)).toEqual([
      { action: 'execute', expression: SHOP, id: MANAGED_RULESET },
      {
        ...general,
        expression: `not (${SHOP})`,
        overrides: { rules: [{ id, action: 'block', enabled: true }] },
      },
    ]);
    const nothing = one({ rules: { '100532': 'default' } });
    expect(rulesOf(nothing)).toEqual([general]);
    expect(row(nothing, `${from}.rules["100532"]`).status).toBe('without-effect');
  });

  it('both skips and lets act, in one order: exceptions first', () => {
    const translation = one({ rules: { '100532': 'disable', '100533': 'block' } });
    expect(rulesOf(translation).map(({ action }) => action)).toEqual([
      'skip',
      'execute',
      'execute',
    ]);
    expect(translation.ruleset.rules.map(({ ref }) => ref)).toEqual([
      'override_bbbbbbbbbbbb_skip',
      'override_bbbbbbbbbbbb',
      `execute_${MANAGED_RULESET}`,
    ]);
  });

  it('has no effect while it is paused, and none when it is empty', () => {
    const paused = one({
      rules: { '100532': 'disable' },
      groups: { [DRUPAL]: 'disable' },
      rewriteAction: { default: 'block' },
      paused: true,
    });
    expect(paused.parity.summary).toMatchObject({ settings: 5, withoutEffect: 4 });
    expect(rulesOf(paused)).toEqual([general]);
    expect(row(one({}), `${from}.urls`)).toMatchObject({
      status: 'without-effect',
      value: 'example.com/shop/*',
    });
    expect(codes(one({}))).not.toContain('URL_PATTERNS_ASSUMED');
  });

  it.each([
    ['100000', 'disable', /no source states/, undefined],
    ['100005', 'block', /several new rules/, 'SEVERAL_NEW_RULES'],
    ['981231', 'disable', /no equivalent/, undefined],
    ['100532', 'sometimes', /not known/, 'UNKNOWN_MODE'],
  ])('of rule %s that says %s is lost, with the reason', (ruleId, mode, why, code) => {
    const translation = translate({
      packages: [owasp('high')],
      overrides: [override({ rules: { [ruleId]: mode } })],
    });
    const name = `${from}.rules["${ruleId}"]`;
    expect(row(translation, name)).toMatchObject({
      status: 'lost',
      why: expect.stringMatching(why) as string,
    });
    if (code !== undefined)
      expect(translation.findings.find((each) => each.code === code)?.subject).toBe(name);
  });

  it('does not count where the group of the rule is off, unless it switches the group on', () => {
    const rules = [rule('100532', 'default', { groupId: GROUP })];
    const groups = [group(GROUP, 'off')];
    const off = one({ rules: { '100532': 'block' } }, { rules, groups });
    expect(row(off, `${from}.rules["100532"]`)).toMatchObject({
      status: 'without-effect',
      why: expect.stringContaining('its group is off') as string,
    });
    const on = one(
      { rules: { '100532': 'block' }, groups: { [GROUP]: 'default' } },
      { rules, groups },
    );
    expect(rulesOf(on)[0]).toMatchObject({
      expression: SHOP,
      overrides: { rules: [{ id, action: 'block', enabled: true }] },
    });
  });

  it('says what it assumes of the URLs', () => {
    expect(codes(one({ rules: { '100532': 'disable' } }))).toContain('URL_PATTERNS_ASSUMED');
    expect(codes(translate({ packages }))).not.toContain('URL_PATTERNS_ASSUMED');
  });
});

describe('an override of thousands of URLs', () => {
  const shops = Array.from({ length: 5_000 }, (_, at) => `shop-${at}.example.com/*`);

  it('is for a decision: no expression holds them', () => {
    const translation = one({ urls: shops, rules: { '100532': 'disable' } });
    expect(codes(translation)).toContain('EXPRESSION_TOO_LONG');
    expect(rulesOf(translation)).toEqual([general]);
  });
});
