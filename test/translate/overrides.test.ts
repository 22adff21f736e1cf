import { type LegacySettings } from '../../src/translate/legacy-settings';
import {
  CLOUDFLARE,
  codes,
  DRUPAL,
  generalOverrides,
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

const id = KNOWN['100532'];
const other = KNOWN['100533'];
/** With OWASP off, so that the general rule deploys the managed ruleset alone. */
const packages = [owasp('off')];
/** A zone with one URI override. */
const one = (parts: object, zone: object = {}) =>
  translate({ packages, overrides: [override(parts)], ...zone });
const from = 'cloudflare_waf_override.o';
const SHOP = 'lower(http.host) eq "example.com" and starts_with(http.request.uri.path, "/shop/")';
/** The rule that deploys the managed ruleset for all requests. */
const general = { action: 'execute', expression: 'true', id: MANAGED_RULESET };
const skip = (...ids: string[]) => ({
  action: 'skip',
  expression: SHOP,
  rules: { [MANAGED_RULESET]: ids.sort() },
});
const region = (...rules: object[]) => ({
  action: 'execute',
  expression: SHOP,
  id: MANAGED_RULESET,
  ...(rules.length > 0 && { overrides: { rules } }),
});
const elsewhere = (...rules: object[]) => ({
  ...general,
  expression: `not (${SHOP})`,
  ...(rules.length > 0 && { overrides: { rules } }),
});

describe('a URI override of a rule', () => {
  const name = `${from}.rules["100532"]`;
  const off = { id: other, enabled: false };

  it.each<[string, object[], string, object[]]>([
    ['disable', [], 'kept', [skip(id), general]],
    ['off', [], 'kept', [skip(id), general]],
    ...(
      [
        ['simulate', 'log', 'kept'],
        ['block', 'block', 'kept'],
        ['challenge', 'managed_challenge', 'changed'],
      ] as const
    ).map(([mode, action, status]): [string, object[], string, object[]] => [
      mode,
      [rule('100533', 'disable')],
      status,
      [region({ id, action, enabled: true }, off), elsewhere(off)],
    ]),
    [
      'default',
      [rule('100532', 'block')],
      'kept',
      [region(), elsewhere({ id, action: 'block', enabled: true })],
    ],
    ['default', [], 'without-effect', [general]],
  ])('that says %s beside %j is %s', (mode, rules, status, wanted) => {
    const translation = one({ rules: { '100532': mode } }, { rules });
    expect(rulesOf(translation)).toEqual(wanted);
    const found = row(translation, name);
    expect(found.status).toBe(status);
    expect(found.rules).toEqual(status === 'without-effect' ? [] : [0]);
    expect(codes(translation)).toContain('URL_PATTERNS_ASSUMED');
  });

  it('both skips and lets act, in one order: exceptions first', () => {
    const translation = one({ rules: { '100532': 'disable', '100533': 'block' } });
    expect(translation.ruleset.rules.map(({ action, ref }) => [action, ref])).toEqual([
      ['skip', 'override_bbbbbbbbbbbb_skip'],
      ['execute', 'override_bbbbbbbbbbbb'],
      ['execute', `execute_${MANAGED_RULESET}`],
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
    const empty = one({});
    expect(row(empty, `${from}.urls`)).toMatchObject({
      status: 'without-effect',
      value: 'example.com/shop/*',
    });
    expect(codes(empty)).not.toContain('URL_PATTERNS_ASSUMED');
  });

  it.each([
    ['100000', 'disable', /no source states/, undefined],
    ['100005', 'block', /several new rules/, 'SEVERAL_NEW_RULES'],
    ['981231', 'disable', /no equivalent/, undefined],
    ['100532', 'sometimes', /not known/, 'UNKNOWN_MODE'],
  ])('of rule %s that says %s is lost, with the reason', (ruleId, mode, why, code) => {
    const translation = one({ rules: { [ruleId]: mode } }, { packages: [owasp('high')] });
    const place = `${from}.rules["${ruleId}"]`;
    expect(row(translation, place)).toMatchObject({
      status: 'lost',
      why: expect.stringMatching(why),
    });
    const found = translation.findings.filter((each) => each.code === code);
    expect(found.map(({ subject }) => subject)).toEqual(code === undefined ? [] : [place]);
  });

  it('does not count where the group of the rule is off, unless it switches the group on', () => {
    const rules = [rule('100532', 'default', { groupId: GROUP })];
    const groups = [group(GROUP, 'off')];
    const alone = one({ rules: { '100532': 'block' } }, { rules, groups });
    expect(row(alone, name)).toMatchObject({
      status: 'without-effect',
      why: expect.stringContaining('its group is off'),
    });
    const parts = { rules: { '100532': 'block' }, groups: { [GROUP]: 'default' } };
    expect(rulesOf(one(parts, { rules, groups }))[0]).toEqual(
      region({ id, action: 'block', enabled: true }),
    );
  });

  it('repeats the overrides of the general rule, which keep their origin', () => {
    const { parity } = one(
      { rules: { '100532': 'block' } },
      { rules: [rule('100533', 'disable')] },
    );
    expect(parity.rules.map(({ overrides }) => overrides.map((each) => each.from))).toEqual([
      [[name], ['cloudflare_waf_rule.r_100533.mode']],
      [['cloudflare_waf_rule.r_100533.mode']],
    ]);
  });
});

describe('a URI override of a group', () => {
  const known: LegacySettings['known'] = {
    packages: [],
    groups: [{ id: GROUP, name: 'Mine', packageId: CLOUDFLARE, rulesCount: 2 }],
    rules: ['100532', '100533'].map((ruleId) => ({
      id: ruleId,
      groupId: GROUP,
      groupName: 'Mine',
      packageId: CLOUDFLARE,
    })),
  };
  const name = `${from}.groups["${GROUP}"]`;

  it('that disables it skips each of its rules', () => {
    const translation = one({ groups: { [GROUP]: 'disable' } }, { known });
    expect(rulesOf(translation)[0]).toEqual(skip(id, other));
    expect(row(translation, name).status).toBe('kept');
  });

  it('that resets it runs it where it is off for the zone', () => {
    const rules = [rule('100533', 'simulate', { groupId: GROUP })];
    const groups = [group(GROUP, 'off')];
    const translation = one({ groups: { [GROUP]: 'default' } }, { known, rules, groups });
    expect(rulesOf(translation)).toEqual([
      region({ id: other, action: 'log', enabled: true }),
      elsewhere({ id, enabled: false }, { id: other, action: 'log', enabled: false }),
    ]);
    expect(row(translation, name).status).toBe('kept');
    const on = one({ groups: { [GROUP]: 'default' } }, { known });
    expect(row(on, name).status).toBe('without-effect');
  });

  it('leaves a rule to the entry that names it', () => {
    const parts = { groups: { [GROUP]: 'disable' }, rules: { '100533': 'block' } };
    expect(rulesOf(one(parts, { known })).slice(0, 2)).toEqual([
      skip(id),
      region({ id: other, action: 'block', enabled: true }),
    ]);
  });

  it.each([
    ['whose rules are not known', DRUPAL, 'disable', 'GROUP_MEMBERS_UNKNOWN'],
    ['that is not known', 'e'.repeat(32), 'disable', 'UNKNOWN_GROUP'],
    ['that is not known and on', 'e'.repeat(32), 'default', 'UNKNOWN_GROUP'],
    ['that is made to act', DRUPAL, 'block', 'GROUP_ACTION_UNCLEAR'],
    ['with an unknown mode', DRUPAL, 'maybe', 'UNKNOWN_MODE'],
  ])('%s is lost and reported', (_, groupId, mode, code) => {
    const translation = one({ groups: { [groupId]: mode } });
    const place = `${from}.groups["${groupId}"]`;
    expect(row(translation, place).status).toBe('lost');
    expect(translation.findings.find((each) => each.code === code)).toMatchObject({
      severity: 'decision',
      subject: place,
    });
    expect(rulesOf(translation)).toEqual([general]);
  });

  it('of OWASP is lost', () => {
    const groupId = '07d700cf30fda7548be94ff01087d0c4';
    const parts = { groups: { [groupId]: 'disable' } };
    const translation = one(parts, { packages: [owasp('high')] });
    expect(row(translation, `${from}.groups["${groupId}"]`).why).toMatch(/no equivalent/);
  });
});

it('rewritten actions of a URI override are lost, also where all become the same', () => {
  const rewriteAction = { default: 'block', block: 'block', challenge: 'block', simulate: 'block' };
  const translation = one({ rewriteAction, rules: { '100532': 'disable' } });
  for (const action of Object.keys(rewriteAction)) {
    expect(row(translation, `${from}.rewrite_action["${action}"]`).status).toBe('lost');
  }
  expect(row(translation, `${from}.rules["100532"]`).status).toBe('kept');
  expect(translation.findings).toContainEqual(
    expect.objectContaining({ code: 'REWRITE_NOT_CARRIED', severity: 'decision', subject: from }),
  );
});

describe('the URLs of an override', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => `host${at}.example.com/a/long/path/${at}/*`);
  it.each([
    ['impossible', ['example.com'], 'PATTERN_IMPOSSIBLE'],
    ['not expressible', ['example.com/*', 'example.com:8080/*'], 'PATTERN_UNSUPPORTED'],
    ['every URL there is', ['*'], 'PATTERN_UNSUPPORTED'],
    ['missing', [], undefined],
    ['too many for one expression', many(90), 'EXPRESSION_TOO_LONG'],
    ['thousands', many(5000), 'EXPRESSION_TOO_LONG'],
  ])('that are %s make it lost, never half of it', (_, urls, code) => {
    const translation = one({ urls, rules: { '100532': 'disable' } });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, `${from}.rules["100532"]`).status).toBe('lost');
    if (code !== undefined) expect(codes(translation)).toContain(code);
  });

  it('of which one is impossible are reported by its address, and the others are kept', () => {
    const urls = ['a b', 'example.com/shop/*'];
    const translation = one({ urls, rules: { '100532': 'disable' } });
    expect(rulesOf(translation)[0]).toEqual(skip(id));
    expect(translation.findings.find(({ code }) => code === 'PATTERN_IMPOSSIBLE')?.subject).toBe(
      `${from}.urls[0]`,
    );
  });
});

describe('several overrides', () => {
  const two = (first: object, second: object) =>
    translate({
      packages,
      overrides: [
        override({ from: 'first', id: '1'.repeat(32), rules: { '100532': 'disable' }, ...first }),
        override({ from: 'second', id: '2'.repeat(32), ...second }),
      ],
    });

  it('whose URLs overlap are left to the user, each with the place of the other', () => {
    const second = { rules: { '100533': 'block' }, urls: ['*/shop/x'], priority: -5 };
    const translation = two({ priority: 5 }, second);
    expect(rulesOf(translation)).toEqual([general]);
    for (const [place, ruleId, otherPlace] of [
      ['first', '100532', 'second'],
      ['second', '100533', 'first'],
    ] as const) {
      const why = `other URI overrides may match the same URLs: ${otherPlace}`;
      const found = row(translation, `${place}.rules["${ruleId}"]`);
      expect(found).toMatchObject({ status: 'lost', why });
      const overlap = { code: 'OVERRIDES_OVERLAP', severity: 'decision', subject: place };
      expect(translation.findings).toContainEqual(expect.objectContaining(overlap));
    }
  });

  it('are left to the user beside one whose URL is not understood: it may be any', () => {
    const translation = two({}, { rules: { '100533': 'block' }, urls: ['example.org:8080/*'] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(codes(translation)).toContain('OVERRIDES_OVERLAP');
  });

  it('of which one is paused, or sets nothing, are translated', () => {
    for (const second of [{ paused: true, rules: { '100533': 'block' } }, {}]) {
      const translation = two({}, second);
      expect(codes(translation)).not.toContain('OVERRIDES_OVERLAP');
      expect(row(translation, 'first.rules["100532"]').status).toBe('kept');
    }
  });

  it('for hosts of their own need one rule each', () => {
    const overrides = Array.from({ length: 20 }, (_, at) =>
      override({
        from: `o${at}`,
        id: undefined,
        urls: [`h${at}.b/*`],
        rules: { '100532': 'block' },
        priority: at,
      }),
    );
    const translation = translate({ packages, overrides });
    expect(generalOverrides(translation)).toBeUndefined();
    expect(new Set(translation.ruleset.rules.map(({ ref }) => ref)).size).toBe(21);
    expect(rulesOf(translation)[1]!.expression).toBe('lower(http.host) eq "h1.b"');
  });
});
