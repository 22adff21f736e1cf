import {
  codes,
  generalOverrides,
  override,
  row,
  rule,
  rulesOf,
  translate,
} from './support/old-zone';
import { from, general, one, packages, SHOP } from './support/one-override';

describe('the URLs of an override', () => {
  it.each([
    ['impossible', ['example.com'], 'PATTERN_IMPOSSIBLE'],
    ['not expressible', ['example.com/*', 'example.com:8080/*'], 'PATTERN_UNSUPPORTED'],
    ['missing', [], undefined],
    [
      'too many for one expression',
      Array.from({ length: 90 }, (_, at) => `host${at}.example.com/a/long/path/${at}/*`),
      'EXPRESSION_TOO_LONG',
    ],
  ])('that are %s make it lost, never half of it', (_, urls, code) => {
    const translation = one({ urls, rules: { '100532': 'disable' } });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, `${from}.rules["100532"]`).status).toBe('lost');
    if (code !== undefined) expect(codes(translation)).toContain(code);
  });

  it('of which one is impossible are reported by its address, and the others are kept', () => {
    const translation = one({
      urls: ['a b', 'example.com/shop/*'],
      rules: { '100532': 'disable' },
    });
    expect(rulesOf(translation)[0]).toMatchObject({ expression: SHOP });
    expect(translation.findings.find(({ code }) => code === 'PATTERN_IMPOSSIBLE')?.subject).toBe(
      `${from}.urls[0]`,
    );
  });

  it('that cover each other are said once', () => {
    const translation = one({
      urls: ['example.com/shop/*', 'example.com/shop/x', 'example.com/shop/*'],
      rules: { '100532': 'disable' },
    });
    expect(rulesOf(translation)[0]).toMatchObject({ expression: SHOP });
  });
});

describe('several overrides', () => {
  const two = (first: object, second: object) =>
    translate({
      packages,
      overrides: [
        override({ from: 'first', id: '1'.repeat(32), ...first }),
        override({ from: 'second', id: '2'.repeat(32), ...second }),
      ],
    });

  it('give way to the lower priority number for the same URLs', () => {
    const translation = two(
      { rules: { '100532': 'disable' }, priority: 5 },
      { rules: { '100532': 'block' }, priority: -5 },
    );
    expect(row(translation, 'first.rules["100532"]')).toMatchObject({
      status: 'without-effect',
      why: expect.stringContaining('higher priority') as string,
    });
    expect(row(translation, 'second.rules["100532"]').status).toBe('kept');
  });

  it('of one priority that contradict each other for the same URLs are not decided here', () => {
    const translation = two({ rules: { '100532': 'disable' } }, { rules: { '100532': 'block' } });
    expect(rulesOf(translation)).toEqual([general]);
    expect(
      translation.findings
        .filter(({ code }) => code === 'OVERRIDES_TIED')
        .map(({ subject }) => subject)
        .sort(),
    ).toEqual(['first', 'second']);
    const apart = two(
      { rules: { '100532': 'disable' } },
      { rules: { '100532': 'block' }, urls: ['example.com/x'] },
    );
    expect(codes(apart)).not.toContain('OVERRIDES_TIED');
  });

  it('that are too entangled are lost from the lowest priority on, with the reason', () => {
    const overrides = Array.from({ length: 7 }, (_, at) =>
      override({
        from: `o${at}`,
        id: `${at}`.repeat(32),
        urls: [`*/*${'abcdefg'[at]!}*`],
        rules: { '100532': ['block', 'simulate'][at % 2] },
        priority: at,
      }),
    );
    const translation = translate({ packages, overrides });
    const entangled = translation.findings
      .filter(({ code }) => code === 'OVERRIDES_TOO_ENTANGLED')
      .map(({ subject }) => subject);
    expect(entangled).toEqual(['o4', 'o5', 'o6']);
    for (const each of entangled)
      expect(row(translation, `${each}.rules["100532"]`).status).toBe('lost');
    expect(rulesOf(translation).length).toBeLessThanOrEqual(16);
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
    expect(rulesOf(translation)).toHaveLength(21);
    expect(new Set(translation.ruleset.rules.map(({ ref }) => ref)).size).toBe(21);
    expect(rulesOf(translation)[3]!.expression).toBe('lower(http.host) eq "h3.b"');
  });
});

it('a rule of the general ruleset keeps its overrides in the rules for some URLs', () => {
  const rules = [rule('100533', 'disable')];
  const { parity } = one({ rules: { '100532': 'block' } }, { rules });
  expect(parity.rules.map(({ overrides }) => overrides.map((each) => each.from))).toEqual([
    [[`${from}.rules["100532"]`], ['cloudflare_waf_rule.r_100533.mode']],
    [['cloudflare_waf_rule.r_100533.mode']],
  ]);
  expect(generalOverrides(one({ rules: { '100532': 'block' } }, { rules }))).toHaveLength(1);
});
