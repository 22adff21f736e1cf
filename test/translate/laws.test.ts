import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { type LegacySettings } from '../../src/translate/source/legacy-settings';
import { builtInCatalogue } from '../../src/translate/catalogue/catalogue';
import { MAX_EXPRESSION } from '../../src/ruleset/expressions';
import { compareZone, translateZone } from '../../src/translate/translate-zone';
import { anyCharacter } from '../support/any-character';
import { expressionMatches, legacyMatches, type ModelRequest } from './support/models';
import { override, pageRule, rulesOf, translate } from './support/legacy-zone';
import { randomZone, settingNames } from './support/random-zone';
import { MANAGED_RULESET } from './support/rulesets';
import { newId } from './support/small-catalogue';

const catalogue = builtInCatalogue();
const canonical = join(__dirname, '../fixtures/terraform/canonical/api-entrypoint.json');
const live = parseRuleset(JSON.parse(readFileSync(canonical, 'utf8'))).ruleset;
const translated = (legacy: LegacySettings) => translateZone(legacy, { catalogue });
const runs = { numRuns: 300 };
const anyRequest: ModelRequest = { ssl: true, host: 'a.b', path: '/x', query: '' };

describe('for any legacy settings', () => {
  it('each setting is in exactly one row, with a reason where it is not kept', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(randomZone, (legacy) => {
        for (const { parity } of [translated(legacy), compareZone(legacy, live, { catalogue })]) {
          const { settings, summary } = parity;
          expect(settings.map(({ from, attribute }) => `${from}.${attribute}`).sort()).toEqual(
            settingNames(legacy),
          );
          expect(summary.kept + summary.changed + summary.lost + summary.withoutEffect).toBe(
            summary.settings,
          );
          for (const { status, why, to } of settings) {
            seen.set(status, (seen.get(status) ?? 0) + 1);
            if (status === 'lost' || status === 'without-effect') expect(why).toMatch(/./);
            if (status === 'kept' || status === 'changed') expect(to).toMatch(/./);
          }
        }
      }),
      runs,
    );
    for (const status of ['kept', 'changed', 'lost', 'without-effect'])
      expect(seen.get(status)).toBeGreaterThan(100);
  });

  it('the order of the input changes nothing', () => {
    const shuffled = <T>(all: readonly T[], seed: number) =>
      [...all]
        .map((one, at) => [Math.sin(seed + at), one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one);
    fc.assert(
      fc.property(randomZone, fc.nat(1000), (legacy, seed) => {
        // the order of `known` counts where it says two things of one
        const other = Object.fromEntries(
          Object.entries(legacy).map(([key, value]) => [
            key,
            Array.isArray(value) ? shuffled<unknown>(value, seed) : value,
          ]),
        ) as unknown as LegacySettings;
        expect(JSON.stringify(translated(other))).toBe(JSON.stringify(translated(legacy)));
      }),
      runs,
    );
  });

  it('the ruleset can be declared: short expressions that parse, unique refs, exceptions first', () => {
    fc.assert(
      fc.property(randomZone, (legacy) => {
        const { ruleset, findings } = translated(legacy);
        const declared = normaliseRuleset(ruleset).rules;
        expect(declared.map(({ ref }) => ref)).toEqual(ruleset.rules.map(({ ref }) => ref));
        expect(declared.length === 0).toBe(findings.some(({ severity }) => severity === 'blocker'));
        const given = new Set(legacy.firewallRules.map(({ expression }) => expression));
        for (const { expression, description = '', action, ref } of declared) {
          expect(Buffer.byteLength(expression)).toBeLessThanOrEqual(MAX_EXPRESSION);
          expect(description).toBe(description.normalize('NFC').toWellFormed());
          expect(description).not.toMatch(/[\p{Cc}]/u);
          expect(ref).toMatch(/^[A-Za-z0-9_]{1,50}$/);
          expect(['skip', 'execute']).toContain(action);
          if (!given.has(expression)) expressionMatches(expression, anyRequest);
        }
        const actions = declared.map(({ action }) => action);
        expect(actions).toEqual([...actions].sort().reverse());
      }),
      runs,
    );
  });

  it('every rule and override has an origin, and every finding names a place, a reason and a remedy', () => {
    const lists = ['switch', 'package', 'group', 'rule', 'override', 'firewall', 'page'];
    fc.assert(
      fc.property(randomZone, (legacy) => {
        const { parity, findings } = translated(legacy);
        expect(parity.summary.withoutOrigin).toBe(0);
        for (const { subject, message, remedy, code } of findings) {
          expect([legacy.zoneId, ...lists].some((place) => subject.startsWith(place))).toBe(true);
          expect(message).not.toBe('');
          expect(remedy).not.toBe('');
          expect(code).toMatch(/^[A-Z_]+$/);
        }
      }),
      runs,
    );
  });
});

const request: fc.Arbitrary<ModelRequest> = fc.record({
  ssl: fc.boolean(),
  host: fc.constantFrom('a.b', 'c.b', 'A.b', 'd'),
  path: fc.constantFrom('/', '/x', '/x/', '/x/y', '/y', '/xy'),
  query: fc.constantFrom('', 'y', 'q=1'),
});

it('URI overrides disable for every request what they did, and are refused where two match', () => {
  const ids = { R1: newId(1), R2: newId(2) };
  const urls = [
    'a.b/*',
    '*/x*',
    'a.b/x',
    '*.b/x/y',
    '*',
    '*/*y',
    'https://a.b/*',
    'c.b/*',
    'a.b/x/*',
  ];
  const drawn = fc.record({
    urls: fc.subarray(urls, { minLength: 1, maxLength: 2 }),
    rules: fc.dictionary(fc.constantFrom('R1', 'R2'), fc.constant('disable'), { maxKeys: 2 }),
    paused: fc.constantFrom(false, false, false, true),
  });
  const requests = fc.array(request, { minLength: 4, maxLength: 8 });
  let off = 0;
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 4 }), requests, (drafts, all) => {
      const overrides = drafts.map((one, at) => override({ ...one, from: `o${at}`, id: `${at}` }));
      const translation = translate({ overrides });
      const lost = translation.parity.settings.filter(({ status }) => status === 'lost');
      const refused = new Set(lost.map(({ from }) => from));
      const carried = overrides.filter(({ from, paused }) => !paused && !refused.has(from));
      for (const one of all) {
        const matching = carried.filter(
          (each) =>
            Object.keys(each.rules).length > 0 &&
            each.urls.some((url) => legacyMatches(url, one, 'override')),
        );
        expect(matching.length).toBeLessThan(2);
        for (const [id, newOne] of Object.entries(ids)) {
          const wasOff = matching.some(({ rules }) => id in rules);
          const isOff = rulesOf(translation).some(
            ({ action, expression, rules }: any) =>
              action === 'skip' &&
              rules[MANAGED_RULESET].includes(newOne) &&
              expressionMatches(expression, one),
          );
          expect(isOff).toBe(wasOff);
          off += Number(isOff);
        }
      }
    }),
    { numRuns: 400 },
  );
  expect(off).toBeGreaterThan(20);
});

describe('page rules', () => {
  it('make exceptions for exactly those requests for which the one that counts switches the WAF off', () => {
    const targets = 'a.b/* a.b/x* *.b/x/y a.b/x?q=* *a.b/*y a.b http://a.b/* a.b/x'.split(' ');
    const drafts = fc.uniqueArray(
      fc.record({
        target: fc.constantFrom(...targets),
        priority: fc.integer({ min: 1, max: 20 }),
        waf: fc.constantFrom('on', 'off', 'off', undefined),
        active: fc.constantFrom(true, true, true, false),
      }),
      { selector: ({ priority }) => priority, maxLength: 5 },
    );
    const seen = { off: 0, on: 0 };
    fc.assert(
      fc.property(drafts, fc.array(request, { minLength: 5, maxLength: 5 }), (drawn, requests) => {
        const pageRules = drawn.map((one, at) => pageRule({ ...one, from: `p${at}`, id: `${at}` }));
        const skips = rulesOf(translate({ pageRules })).filter(({ action }) => action === 'skip');
        for (const one of requests) {
          const [counting] = pageRules
            .filter(({ active, target }) => active && legacyMatches(target, one, 'page-rule'))
            .sort((a, b) => b.priority - a.priority);
          const isOff = counting?.waf === 'off';
          seen[isOff ? 'off' : 'on'] += 1;
          expect(skips.some(({ expression }) => expressionMatches(expression, one))).toBe(isOff);
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.off, seen.on)).toBeGreaterThan(100);
  });
});

type Kind = 'override' | 'page-rule';
/** The expression that a URI override or a page rule becomes; undefined if there is none. */
function expressionOf(kind: Kind, ...urls: string[]): string | undefined {
  const settings =
    kind === 'override'
      ? { overrides: [override({ urls, rules: { R1: 'disable' } })] }
      : { pageRules: [pageRule({ target: urls[0]!, waf: 'off' })] };
  const [first] = rulesOf(translate(settings));
  return first?.action === 'skip' ? first.expression : undefined;
}

describe('a legacy URL pattern', () => {
  const PATH = 'http.request.uri.path';
  const AB = 'lower(http.host) eq "a.b"';

  it.each<[Kind, string, string]>([
    ['override', 'A.b/Shop/*', `${AB} and starts_with(${PATH}, "/Shop/")`],
    ['override', '*.a.b/api', `ends_with(lower(http.host), ".a.b") and ${PATH} eq "/api"`],
    ['override', 'a.b/*', AB],
    ['override', 'a.b*', 'starts_with(lower(http.host), "a.b")'],
    ['override', '*/wp-*.php', `${PATH} strict wildcard "/wp-*.php"`],
    ['override', '*shop*/a', `lower(http.host) contains "shop" and ${PATH} eq "/a"`],
    ['override', '**a**b**/', `lower(http.host) strict wildcard "*a*b*" and ${PATH} eq "/"`],
    ['override', 'HTTPS://*/', `ssl and ${PATH} eq "/"`],
    ['override', 'http://a.b/*', `not ssl and ${AB}`],
    ['override', '*://a.b/*', AB],
    ['override', 'http*://a.b/*', AB],
    ['override', 'a.b/http://c.d/*', `${AB} and starts_with(${PATH}, "/http://c.d/")`],
    ['page-rule', 'a.b/x?y=*', `${AB} and starts_with(http.request.uri, "/x?y=")`],
    ['page-rule', 'a.b', `${AB} and http.request.uri eq "/"`],
    ['page-rule', 'a.b*', 'starts_with(lower(http.host), "a.b")'],
    ['page-rule', 'a.b/!~', `${AB} and http.request.uri eq "/!~"`],
  ])('of kind %s, %s, becomes %s', (kind, url, expression) => {
    expect(expressionOf(kind, url)).toBe(expression);
  });

  it.each([
    ...['', '/path', 'https://', 'a.b', '*a.b', 'a.b/a b', 'a.b/a\nb', 'a.b/\u0000', 'a.b/a#b'],
    ...['user@a.b/', 'a.b{/', '{a.b/', 'ftp://a.b/*', '://a.b/*', 'httpx://a.b/*'],
    ...['a.b:8443/*', 'a.b/a?b=c', 'a.b/café', 'exämple.com/', 'a.b/(a|b)/*', 'a.b/x|b.c/y'],
    ...['a.b/\\', 'a.b/\u007f'],
  ])('is refused: %j', (url) => {
    expect(expressionOf('override', url)).toBeUndefined();
  });

  it('may be long, as long as its expression fits', () => {
    expect(expressionOf('override', `a.b/${'a'.repeat(4000)}`)).toContain('eq "/aaa');
    expect(expressionOf('override', `a.b/${'a'.repeat(4096)}`)).toBeUndefined();
  });

  it('makes one expression of several', () => {
    expect(expressionOf('override', 'a.b/*', 'c.d/x')).toBe(
      `${AB} or (lower(http.host) eq "c.d" and ${PATH} eq "/x")`,
    );
  });

  // few letters, so that random requests meet random patterns
  const letters = (special: string) =>
    fc
      .array(fc.constantFrom('a', 'b', 'A', ...special.split('')), { maxLength: 4 })
      .map((all) => all.join(''));
  const host = fc.array(letters('.*'), { maxLength: 3 }).map((parts) => parts.join('b') || 'a');
  const path = letters('/*\\"').map((text) => `/${text}`);
  const scheme = fc.constantFrom('', '', '', 'https://', 'http://', '*://', 'HTTPS://');
  const patternText = fc
    .tuple(scheme, host, fc.option(path, { nil: '*' }))
    .map((parts) => parts.join(''));
  const anyRequest: fc.Arbitrary<ModelRequest> = fc.record({
    ssl: fc.boolean(),
    host: letters('.').map((text) => text || 'a'),
    path: letters('/\\"*').map((text) => `/${text}`),
    query: letters('=&/'),
  });
  /** A request that a pattern is likely to match: its stars are filled in. */
  const fitting = (pattern: string) =>
    fc
      .tuple(anyRequest, fc.array(letters('/.'), { minLength: 9, maxLength: 9 }))
      .map(([base, fills]) => {
        const text = pattern.replace(/^[^/]*:\/\//, '').replace(/\*/g, () => fills.pop() ?? '');
        const slash = text.indexOf('/');
        return {
          ...base,
          host: (slash < 0 ? text : text.slice(0, slash)).replaceAll('/', ''),
          path: slash < 0 ? base.path : text.slice(slash).replaceAll('?', ''),
        };
      });

  it.each<Kind>(['override', 'page-rule'])(
    'matches the very requests that the legacy %s matched',
    (kind) => {
      const cases = fc
        .array(patternText, { minLength: 1, maxLength: kind === 'override' ? 3 : 1 })
        .chain((urls) => fc.tuple(fc.constant(urls), fc.oneof(anyRequest, ...urls.map(fitting))));
      const seen = { matched: 0, missed: 0 };
      fc.assert(
        fc.property(cases, ([urls, one]) => {
          const now = expressionOf(kind, ...urls);
          fc.pre(now !== undefined);
          const before = urls.some((url) => legacyMatches(url, one, kind));
          expect(expressionMatches(now, one)).toBe(before);
          seen[before ? 'matched' : 'missed'] += 1;
        }),
        { numRuns: 800 },
      );
      // a law about requests that never match would say nothing
      expect(Math.min(seen.matched, seen.missed)).toBeGreaterThan(80);
    },
  );

  it('never makes an expression that cannot be saved', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000, unit: anyCharacter }), (text) => {
        const expression = expressionOf('page-rule', `a.b/${text}`);
        expect(expression?.length ?? 0).toBeLessThanOrEqual(MAX_EXPRESSION);
      }),
    );
  });
});
