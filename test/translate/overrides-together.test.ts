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
    ['every URL there is', ['*'], 'PATTERN_UNSUPPORTED'],
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

  it('whose URLs overlap are left to the user, each with the place of the other', () => {
    const translation = two(
      { rules: { '100532': 'disable' }, priority: 5 },
      { rules: { '100533': 'block' }, urls: ['*/shop/x'], priority: -5 },
    );
    expect(rulesOf(translation)).toEqual([general]);
    for (const [place, rule, other] of [
      ['first', '100532', 'second'],
      ['second', '100533', 'first'],
    ] as const) {
      const why = `other URI overrides may match the same URLs: ${other}`;
      expect(row(translation, `${place}.rules["${rule}"]`)).toMatchObject({ status: 'lost', why });
      expect(translation.findings).toContainEqual(
        expect.objectContaining({
          code: 'OVERRIDES_OVERLAP',
          severity: 'decision',
          subject: place,
        }),
      );
    }
  });

  it('are left to the user beside one whose URL is not understood: it may be any', () => {
    const translation = two(
      { rules: { '100532': 'disable' } },
      { rules: { '100533': 'block' }, urls: ['example.org:8080/*'] },
    );
    expect(rulesOf(translation)).toEqual([general]);
    expect(codes(translation)).toContain('OVERRIDES_OVERLAP');
  });

  it('of which one is paused, or sets nothing, are translated', () => {
    for (const other of [{ paused: true, rules: { '100533': 'block' } }, {}]) {
      const translation = two({ rules: { '100532': 'disable' } }, other);
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
    expect(rulesOf(translation)).toHaveLength(21);
    expect(new Set(translation.ruleset.rules.map(({ ref }) => ref)).size).toBe(21);
    expect(rulesOf(translation)[1]!.expression).toBe('lower(http.host) eq "h1.b"');
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
