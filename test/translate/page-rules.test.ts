import {
  codes,
  MANAGED_RULESET,
  owasp,
  pageRule as page,
  row,
  rulesOf,
  translate,
} from './support/old-zone';

const packages = [owasp('off')];
const general = { action: 'execute', expression: 'true', id: MANAGED_RULESET };
const name = (attribute: string) => `cloudflare_page_rule.p.actions.${attribute}`;
const FEED = 'lower(http.host) eq "a.b" and starts_with(http.request.uri, "/feed/")';
const skip = (expression: string) => ({ action: 'skip', expression, ruleset: 'current' });

describe('a page rule', () => {
  it.each([
    ['disables security', { disableSecurity: true }, 'disable_security', 'true'],
    ['switches the WAF off', { waf: 'off' }, 'waf', 'off'],
  ])('that %s becomes an exception from everything', (_, more, attribute, value) => {
    const translation = translate({ packages, pageRules: [page(more)] });
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
    const translation = translate({
      packages,
      pageRules: [page({ disableSecurity: true, waf: 'off' })],
    });
    expect(rulesOf(translation)).toHaveLength(2);
    expect(translation.parity.rules[0]!.from).toEqual([name('disable_security'), name('waf')]);
  });

  it('that switches the WAF on has no effect where it is on', () => {
    const translation = translate({ packages, pageRules: [page({ waf: 'on' })] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name('waf')).status).toBe('without-effect');
  });

  it('that is disabled has no effect', () => {
    const translation = translate({ packages, pageRules: [page({ waf: 'off', active: false })] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name('waf')).status).toBe('without-effect');
  });

  it('that says nothing of the WAF is no setting', () => {
    expect(translate({ packages, pageRules: [page()] }).parity.summary.settings).toBe(2);
  });

  it.each([
    ['contradicts itself', { disableSecurity: true, waf: 'on' }],
    ['says what nobody knows', { waf: 'maybe' }],
  ])('that %s is not decided here', (_, more) => {
    const translation = translate({ packages, pageRules: [page(more)] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(translation.findings.find(({ code }) => code === 'PAGE_RULE_UNCLEAR')).toMatchObject({
      severity: 'decision',
      subject: 'cloudflare_page_rule.p',
    });
    expect(row(translation, name('waf')).status).toBe('lost');
  });

  it.each([
    ['a.b:8080/*', 'PATTERN_UNSUPPORTED'],
    ['a.b/x|a.b/y', 'PATTERN_UNSUPPORTED'],
    ['a b', 'PATTERN_IMPOSSIBLE'],
  ])('with the URL %s is lost and reported', (target, code) => {
    const translation = translate({ packages, pageRules: [page({ waf: 'off', target })] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(translation.findings.find((each) => each.code === code)?.subject).toBe(
      'cloudflare_page_rule.p',
    );
  });

  it('gives way to one of higher priority, whatever that one is for', () => {
    const cache = page({
      from: 'cloudflare_page_rule.cache',
      target: 'a.b/feed/img/*',
      priority: 2,
    });
    const off = page({ waf: 'off' });
    const wanted = `${FEED} and not (lower(http.host) eq "a.b" and starts_with(http.request.uri, "/feed/img/"))`;
    expect(rulesOf(translate({ packages, pageRules: [off, cache] }))[0]).toEqual(skip(wanted));
    const lower = { ...cache, priority: 0 };
    expect(rulesOf(translate({ packages, pageRules: [off, lower] }))[0]).toEqual(skip(FEED));
    const elsewhere = { ...cache, target: 'c.d/*' };
    expect(rulesOf(translate({ packages, pageRules: [off, elsewhere] }))[0]).toEqual(skip(FEED));
    const disabled = { ...cache, active: false };
    expect(rulesOf(translate({ packages, pageRules: [off, disabled] }))[0]).toEqual(skip(FEED));
  });

  it('that is covered by one of higher priority has no effect', () => {
    const cache = page({ from: 'cloudflare_page_rule.cache', target: 'a.b/*', priority: 2 });
    const translation = translate({ packages, pageRules: [page({ waf: 'off' }), cache] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name('waf'))).toMatchObject({
      status: 'without-effect',
      why: expect.stringContaining('win') as string,
    });
    expect(codes(translation)).toContain('PAGE_RULES_ASSUMED');
  });

  it('is lost when one that wins over it cannot be expressed', () => {
    const obscure = page({
      from: 'cloudflare_page_rule.x',
      target: 'a.b:8080/feed/*',
      priority: 2,
    });
    const translation = translate({ packages, pageRules: [page({ waf: 'off' }), obscure] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name('waf')).why).toContain('cloudflare_page_rule.x');
  });
});
