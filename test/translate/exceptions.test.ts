import {
  bypass,
  codes,
  MANAGED_RULESET,
  OWASP_RULESET,
  owasp,
  row,
  rulesOf,
  translate,
} from './support/old-zone';

const packages = [owasp('off')];
const general = { action: 'execute', expression: 'true', id: MANAGED_RULESET };
const OFFICE = 'ip.src in {192.0.2.0/24} and http.host eq "a.b"';
const name = 'cloudflare_firewall_rule.office.products';
const skip = (expression: string) => ({ action: 'skip', expression, ruleset: 'current' });

describe('a firewall rule that bypasses the WAF', () => {
  it('becomes an exception with the expression of its filter, before everything', () => {
    const translation = translate({
      packages: [owasp('high')],
      firewallRules: [bypass({ description: 'Office' })],
    });
    expect(rulesOf(translation).map(({ action }) => action)).toEqual([
      'skip',
      'execute',
      'execute',
    ]);
    expect(rulesOf(translation)[0]).toEqual(skip(OFFICE));
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

  it('has no effect while it or its filter is paused', () => {
    const translation = translate({ packages, firewallRules: [bypass({ paused: true })] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(row(translation, name).status).toBe('without-effect');
  });

  it('keeps the order of the priorities, without one last', () => {
    const rules = (
      [
        [undefined, 'x'],
        [5, 'y'],
        [1, 'z'],
        [5, 'w'],
      ] as const
    ).map(([priority, host]) =>
      bypass({
        from: `f.${host}`,
        id: undefined,
        priority,
        expression: `http.host eq "${host}"`,
      }),
    );
    const orders = [rules, [...rules].reverse()].map((firewallRules) =>
      rulesOf(translate({ packages, firewallRules }))
        .slice(0, 4)
        .map(({ expression }) => expression.at(-2)),
    );
    expect(orders).toEqual([
      ['z', 'w', 'y', 'x'],
      ['z', 'w', 'y', 'x'],
    ]);
  });

  it('is reported when its filter is not known', () => {
    const translation = translate({ packages, firewallRules: [bypass({ expression: undefined })] });
    expect(translation.findings.find(({ code }) => code === 'FILTER_MISSING')).toMatchObject({
      severity: 'decision',
      subject: 'cloudflare_firewall_rule.office',
    });
    expect(row(translation, name).status).toBe('lost');
    expect(rulesOf(translation)).toEqual([general]);
  });

  it('is reported when its expression is longer than 4 KB, which needs support', () => {
    const fitting = `http.host eq "${'a'.repeat(4096 - 15)}"`;
    expect(
      rulesOf(translate({ packages, firewallRules: [bypass({ expression: fitting })] }))[0],
    ).toEqual(skip(fitting));
    const translation = translate({
      packages,
      firewallRules: [bypass({ expression: `${fitting} ` })],
    });
    expect(codes(translation)).toContain('EXPRESSION_TOO_LONG');
    expect(row(translation, name).remedy).toContain('support');
    // 4 KB are bytes
    const wide = bypass({ expression: `http.host eq "${'é'.repeat(2100)}"` });
    expect(codes(translate({ packages, firewallRules: [wide] }))).toContain('EXPRESSION_TOO_LONG');
  });

  it('is only carried for the WAF', () => {
    const translation = translate({
      packages,
      firewallRules: [bypass({ products: ['uaBlock', 'waf'] })],
    });
    expect(rulesOf(translation)[0]).toEqual(skip(OFFICE));
    expect(row(translation, name)).toMatchObject({ status: 'kept', value: 'bypass uaBlock, waf' });
    expect(codes(translation)).toContain('OTHER_PRODUCTS_BYPASSED');
  });

  it.each([
    ['another action', { action: 'allow' }],
    ['other products', { products: ['uaBlock'] }],
    ['no products', { products: [] }],
  ])('is no setting of the WAF with %s', (_, more) => {
    const translation = translate({ packages, firewallRules: [bypass(more)] });
    expect(rulesOf(translation)).toEqual([general]);
    expect(translation.parity.summary.settings).toBe(2);
  });
});

describe('the switch of the zone', () => {
  const wafSwitch = (value: string) => ({
    from: 'cloudflare_zone_settings_override.z.settings[0]',
    value,
  });
  const place = 'cloudflare_zone_settings_override.z.settings[0].waf';
  const page = (waf: string, target = 'a.b/admin/*') => ({
    from: 'cloudflare_page_rule.p',
    id: undefined,
    target,
    priority: 1,
    active: true,
    disableSecurity: false,
    waf,
  });

  it('that is on changes nothing', () => {
    const translation = translate({ packages, wafSwitch: wafSwitch('on') });
    expect(row(translation, place).status).toBe('without-effect');
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
    expect(row(translation, place)).toMatchObject({ status: 'kept' });
    expect(translation.parity.summary).toMatchObject({ settings: 4, kept: 1, withoutEffect: 3 });
  });

  it('that is off runs the rulesets for what page rules switch on', () => {
    const on = 'lower(http.host) eq "a.b" and starts_with(http.request.uri, "/admin/")';
    const translation = translate({
      packages: [owasp('high')],
      wafSwitch: wafSwitch('off'),
      pageRules: [page('on')],
    });
    expect(
      rulesOf(translation).map(({ expression, ...more }) => [expression, (more as any).id]),
    ).toEqual([
      [on, MANAGED_RULESET],
      [on, OWASP_RULESET],
    ]);
    expect(row(translation, place).status).toBe('kept');
    expect(row(translation, 'cloudflare_page_rule.p.actions.waf')).toMatchObject({
      status: 'kept',
      rules: [0],
    });
  });

  it('with an unknown value is taken to be on', () => {
    const translation = translate({ packages, wafSwitch: wafSwitch('maybe') });
    expect(rulesOf(translation)).toEqual([general]);
  });
});

describe('the Cloudflare package', () => {
  it('is deployed in every zone, with a word where nothing is said of it', () => {
    expect(rulesOf(translate({ packages }))).toEqual([general]);
    expect(codes(translate({ packages }))).toContain('CLOUDFLARE_PACKAGE_ASSUMED');
    const told = {
      packages: [
        {
          id: '1e334934fd7ae32ad705667f8c1057aa',
          name: 'CloudFlare',
          detectionMode: 'traditional',
        },
      ],
      groups: [],
      rules: [],
    };
    expect(codes(translate({ packages, known: told }))).not.toContain('CLOUDFLARE_PACKAGE_ASSUMED');
  });
});
