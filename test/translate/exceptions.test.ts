import fc from 'fast-check';
import { expressionMatches } from './support/expression-model';
import { type ModelRequest, oldMatches } from './support/old-matcher';
import {
  bypass,
  codes,
  MANAGED_RULESET,
  owasp,
  OWASP_RULESET,
  pageRule as page,
  row,
  rulesOf,
  translate,
} from './support/old-zone';

const packages = [owasp('off')];
const general = { action: 'execute', expression: 'true', id: MANAGED_RULESET };
const skip = (expression: string) => ({ action: 'skip', expression, ruleset: 'current' });

describe('a firewall rule that bypasses the WAF', () => {
  const OFFICE = 'ip.src in {192.0.2.0/24} and http.host eq "a.b"';
  const name = 'cloudflare_firewall_rule.office.products';
  const bypassed = (more: Parameters<typeof bypass>[0]) =>
    translate({ packages, firewallRules: [bypass(more)] });

  it('becomes an exception with the expression of its filter, before everything', () => {
    const translation = translate({
      packages: [owasp('high')],
      firewallRules: [bypass({ description: 'Office' })],
    });
    const [first, ...others] = rulesOf(translation);
    expect([first, others.map(({ action }) => action)]).toEqual([
      skip(OFFICE),
      ['execute', 'execute'],
    ]);
    expect(translation.ruleset.rules[0]).toMatchObject({
      ref: 'bypass_cccccccccccc',
      description: 'Office',
      enabled: true,
    });
    expect(row(translation, name)).toMatchObject({
      status: 'kept',
      value: 'bypass waf',
      subject: OFFICE,
      rules: [0],
    });
    expect(translation.parity.rules[0]!.from).toEqual([name]);
  });

  it('keeps the order of the priorities, without one last', () => {
    const rules = [undefined, 5, 1, 5].map((priority, at) => {
      const host = 'xyzw'[at]!;
      const expression = `http.host eq "${host}"`;
      return bypass({ from: `f.${host}`, id: undefined, priority, expression });
    });
    for (const firewallRules of [rules, [...rules].reverse()]) {
      const hosts = rulesOf(translate({ packages, firewallRules }))
        .slice(0, 4)
        .map(({ expression }) => expression.at(-2));
      expect(hosts.join('')).toBe('zwyx');
    }
  });

  const fitting = `http.host eq "${'a'.repeat(4096 - 15)}"`;
  it.each<[string, Parameters<typeof bypass>[0], string, string | undefined]>([
    ['is paused', { paused: true }, 'without-effect', undefined],
    ['has an unknown filter', { expression: undefined }, 'lost', 'FILTER_MISSING'],
    ['has a blank filter', { expression: ' ' }, 'lost', 'FILTER_MISSING'],
    ['is longer than 4 KB', { expression: `${fitting} ` }, 'lost', 'EXPRESSION_TOO_LONG'],
    [
      'has more than 4 KB in bytes',
      { expression: `http.host eq "${'é'.repeat(2100)}"` },
      'lost',
      'EXPRESSION_TOO_LONG',
    ],
  ])('that %s becomes no exception', (_, more, status, code) => {
    const translation = bypassed(more);
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name).status).toBe(status);
    const found = translation.findings.filter((one) => one.code === code);
    expect(found).toMatchObject(
      code === undefined
        ? []
        : [{ severity: 'decision', subject: 'cloudflare_firewall_rule.office' }],
    );
    expect(rulesOf(bypassed({ expression: fitting }))[0]).toEqual(skip(fitting));
  });

  it('is only carried for the WAF', () => {
    const translation = bypassed({ products: ['uaBlock', 'waf'] });
    expect(rulesOf(translation)[0]).toEqual(skip(OFFICE));
    expect(row(translation, name)).toMatchObject({ status: 'kept', value: 'bypass uaBlock, waf' });
    expect(codes(translation)).toContain('OTHER_PRODUCTS_BYPASSED');
  });

  it.each([
    ['another action', { action: 'allow' }],
    ['other products', { products: ['uaBlock'] }],
    ['no products', { products: [] }],
  ])('is no setting of the WAF with %s', (_, more) => {
    const translation = bypassed(more);
    expect(rulesOf(translation)).toEqual([general]);
    expect(translation.parity.summary.settings).toBe(2);
  });
});

describe('a page rule', () => {
  const name = (attribute: string) => `cloudflare_page_rule.p.actions.${attribute}`;
  const FEED = 'lower(http.host) eq "a.b" and starts_with(http.request.uri, "/feed/")';
  const paged = (...pageRules: ReturnType<typeof page>[]) => translate({ packages, pageRules });

  it.each([
    ['disables security', { disableSecurity: true }, 'disable_security', 'true'],
    ['switches the WAF off', { waf: 'off' }, 'waf', 'off'],
  ])('that %s becomes an exception from everything', (_, more, attribute, value) => {
    const translation = paged(page(more));
    expect(rulesOf(translation)).toEqual([skip(FEED), general]);
    expect(translation.ruleset.rules[0]!.ref).toBe('page_rule_dddddddddddd');
    expect(row(translation, name(attribute))).toMatchObject({
      status: 'kept',
      value,
      subject: 'a.b/feed/*',
      rules: [0],
    });
    expect(codes(translation)).toContain('PAGE_RULES_ASSUMED');
  });

  it('that does both is one exception of two settings', () => {
    const translation = paged(page({ disableSecurity: true, waf: 'off' }));
    expect(rulesOf(translation)).toHaveLength(2);
    expect(translation.parity.rules[0]!.from).toEqual([name('disable_security'), name('waf')]);
  });

  it.each<[string, Parameters<typeof page>[0], string, string | undefined]>([
    ['switches the WAF on', { waf: 'on' }, 'without-effect', undefined],
    ['is disabled', { waf: 'off', active: false }, 'without-effect', undefined],
    ['contradicts itself', { disableSecurity: true, waf: 'on' }, 'lost', 'PAGE_RULE_UNCLEAR'],
    ['has an unknown value', { waf: 'maybe' }, 'lost', 'PAGE_RULE_UNCLEAR'],
    ['names a port', { waf: 'off', target: 'a.b:8080/*' }, 'lost', 'PATTERN_UNSUPPORTED'],
    ['has alternatives', { waf: 'off', target: 'a.b/x|a.b/y' }, 'lost', 'PATTERN_UNSUPPORTED'],
    ['has an impossible URL', { waf: 'off', target: 'a b' }, 'lost', 'PATTERN_IMPOSSIBLE'],
  ])('that %s becomes no exception', (_, more, status, code) => {
    const translation = paged(page(more));
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name('waf')).status).toBe(status);
    const found = translation.findings.filter((one) => one.code === code);
    expect(found).toMatchObject(
      code === undefined ? [] : [{ severity: 'decision', subject: 'cloudflare_page_rule.p' }],
    );
  });

  it('that does not concern the WAF is no setting', () => {
    expect(paged(page()).parity.summary.settings).toBe(2);
  });

  const off = page({ waf: 'off' });
  const cache = page({ from: 'cache', target: 'a.b/feed/img/*', priority: 2 });
  it.each([
    [
      'gives way to one of higher priority, whatever that one is for',
      cache,
      `${FEED} and not (lower(http.host) eq "a.b" and starts_with(http.request.uri, "/feed/img/"))`,
    ],
    ['wins over one of lower priority', { ...cache, priority: 0 }, FEED],
    ['ignores one for other URLs', { ...cache, target: 'c.d/*' }, FEED],
    ['ignores one that is disabled', { ...cache, active: false }, FEED],
  ])('%s', (_, second, expression) => {
    expect(rulesOf(paged(off, second))[0]).toEqual(skip(expression));
  });

  it('that is covered by one of higher priority has no effect', () => {
    const translation = paged(off, { ...cache, target: 'a.b/*' });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name('waf'))).toMatchObject({
      status: 'without-effect',
      why: expect.stringContaining('win'),
    });
    expect(codes(translation)).toContain('PAGE_RULES_ASSUMED');
  });

  it('is lost when one that wins over it cannot be expressed', () => {
    const translation = paged(off, { ...cache, target: 'a.b:8080/feed/*' });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name('waf')).why).toContain('the page rule cache wins over it');
  });

  it('makes exceptions for exactly those requests for which the one that counts switches the WAF off', () => {
    const targets = 'a.b/* a.b/x* *.b/x/y a.b/x?q=* *a.b/*y a.b http://a.b/* a.b/x'.split(' ');
    const rules = fc.uniqueArray(
      fc.record({
        target: fc.constantFrom(...targets),
        priority: fc.integer({ min: 1, max: 20 }),
        waf: fc.constantFrom('on', 'off', 'off', undefined),
        active: fc.constantFrom(true, true, true, false),
      }),
      { selector: ({ priority }) => priority, maxLength: 5 },
    );
    const request: fc.Arbitrary<ModelRequest> = fc.record({
      ssl: fc.boolean(),
      host: fc.constantFrom('a.b', 'c.b', 'A.B'),
      path: fc.constantFrom('/', '/x', '/x/y', '/y', '/xy'),
      query: fc.constantFrom('', 'q=1', 'q=y'),
    });
    const seen = { off: 0, on: 0 };
    fc.assert(
      fc.property(rules, fc.array(request, { minLength: 5, maxLength: 5 }), (drafts, requests) => {
        const pageRules = drafts.map((draft, at) =>
          page({ ...draft, from: `p${at}`, id: `${at}` }),
        );
        const skips = rulesOf(paged(...pageRules)).filter(({ action }) => action === 'skip');
        for (const one of requests) {
          const [counting] = pageRules
            .filter(({ active, target }) => active && oldMatches(target, one, 'page-rule'))
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

describe('the switch of the zone', () => {
  const from = 'cloudflare_zone_settings_override.z.settings[0]';
  const wafSwitch = (value: string) => ({ from, value });

  it.each(['on', 'maybe'])('that is %s changes nothing', (value) => {
    const translation = translate({ packages, wafSwitch: wafSwitch(value) });
    expect(row(translation, `${from}.waf`).status).toBe('without-effect');
    expect(rulesOf(translation)).toEqual([general]);
  });

  it('that is off leaves nothing to deploy, and no setting with an effect', () => {
    const translation = translate({
      packages: [owasp('high')],
      wafSwitch: wafSwitch('off'),
      firewallRules: [bypass()],
    });
    expect(translation.ruleset.rules).toEqual([]);
    expect(translation.findings).toEqual([
      expect.objectContaining({ code: 'WAF_SWITCHED_OFF', severity: 'blocker' }),
    ]);
    expect(row(translation, `${from}.waf`)).toMatchObject({ status: 'kept' });
    expect(translation.parity.summary).toMatchObject({ settings: 4, kept: 1, withoutEffect: 3 });
  });

  it('that is off runs the rulesets for what page rules switch on', () => {
    const on = 'lower(http.host) eq "a.b" and starts_with(http.request.uri, "/admin/")';
    const translation = translate({
      packages: [owasp('high')],
      wafSwitch: wafSwitch('off'),
      pageRules: [page({ waf: 'on', target: 'a.b/admin/*' })],
    });
    expect(rulesOf(translation)).toMatchObject([
      { expression: on, id: MANAGED_RULESET },
      { expression: on, id: OWASP_RULESET },
    ]);
    expect(row(translation, `${from}.waf`).status).toBe('kept');
    expect(row(translation, 'cloudflare_page_rule.p.actions.waf')).toMatchObject({
      status: 'kept',
      rules: [0],
    });
  });
});

it('the Cloudflare package is deployed in every zone, with a notice where it is not known', () => {
  expect(rulesOf(translate({ packages }))).toEqual([general]);
  expect(codes(translate({ packages }))).toContain('CLOUDFLARE_PACKAGE_ASSUMED');
  const id = '1e334934fd7ae32ad705667f8c1057aa';
  const known = {
    packages: [{ id, name: 'CloudFlare', detectionMode: 'traditional' }],
    groups: [],
    rules: [],
  };
  expect(codes(translate({ packages, known }))).not.toContain('CLOUDFLARE_PACKAGE_ASSUMED');
});
