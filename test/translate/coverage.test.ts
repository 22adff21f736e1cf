import { translateZone } from '../../src/translate/translate-zone';
import { CREDENTIALS, core, managed, rulesetOf, SHOP, skip, to } from './support/compared-rulesets';
import {
  bypass,
  MANAGED_RULESET,
  override,
  owasp,
  OWASP_RULESET,
  pageRule,
  rule,
  SCORING,
  zone,
} from './support/old-zone';
import { smallCatalogue } from './support/small-catalogue';
import {
  all,
  blocking,
  compared,
  counting,
  HOST,
  IP,
  protection,
  rowsOf,
  statusesOf,
} from './support/weighed-rulesets';

describe('protection is kept', () => {
  it('where the rulesets run for all requests', () => {
    expect(statusesOf(protection, blocking(), counting())).toEqual(all('kept'));
  });

  it('where several rules together run for all requests', () => {
    const parts = [
      blocking({ expression: HOST }),
      blocking({ expression: `not (${HOST})` }),
      counting(),
    ];
    expect(statusesOf(protection, ...parts)).toEqual(all('kept'));
  });

  it('although old settings except requests from it, in other words', () => {
    const settings = {
      ...protection,
      firewallRules: [bypass({ expression: `${IP} and ssl` })],
      overrides: [override({ rules: { R1: 'disable' } })],
    };
    const rules = [
      skip({ ruleset: 'current' }, `ssl and (${IP})`),
      skip({ rules: { [MANAGED_RULESET]: [to(1).id] } }, SHOP),
      blocking(),
      counting(),
    ];
    const { parity, findings } = compared(settings, rulesetOf(...rules));
    expect(parity.settings.filter(({ partial }) => partial)).toEqual([]);
    expect(parity.summary).toMatchObject({ kept: 4, changed: 1 });
    expect(findings.map(({ code }) => code)).not.toContain('SETTINGS_PARTIAL');
  });

  it('where an override says otherwise for its requests, and the rest is one rule', () => {
    const settings = { ...protection, overrides: [override({ rules: { R1: 'simulate' } })] };
    const { ruleset } = translateZone(zone(settings), { catalogue: smallCatalogue });
    const { summary } = compared(settings, ruleset).parity;
    expect(summary).toMatchObject({ kept: 3, changed: 1, lost: 0 });
  });

  it('although an exception without effect stands before it', () => {
    const off = skip({ ruleset: 'current' }, 'true', { enabled: false });
    const credentials = skip({ rulesets: [CREDENTIALS] }, 'true');
    const late = skip({ ruleset: 'current' }, 'true');
    expect(statusesOf(protection, off, credentials, blocking(), counting(), late)).toEqual(
      all('kept'),
    );
  });

  it('although the service makes an exception of a page rule that never counts', () => {
    const target = 'a.com/*';
    const settings = {
      ...protection,
      pageRules: [
        pageRule({ from: 'off', target, waf: 'off' }),
        pageRule({ from: 'on', target, waf: 'on', priority: 2 }),
      ],
    };
    const never = skip({ ruleset: 'current' }, `(${HOST} and not ${HOST})`);
    const { parity } = compared(settings, rulesetOf(never, blocking(), counting()));
    expect(parity.summary).toMatchObject({ kept: 2, changed: 1, withoutEffect: 2 });
    expect(parity.rules[0]!.from).toEqual(['off.actions.waf']);
  });
});

describe('our own translation is never partial', () => {
  const urls = (count: number) =>
    Array.from({ length: count }, (_, at) => `${at % 2 ? '*' : 's'}${at}.example.com/p${at}/*`);
  const switchedOn = {
    wafSwitch: { from: 'settings', value: 'off' },
    pageRules: urls(40).map((target, at) =>
      pageRule({ from: `on${at}`, target, waf: 'on', priority: at }),
    ),
  };
  const overridden = { overrides: [override({ urls: urls(15), rules: { R1: 'simulate' } })] };

  it.each([
    ['of a WAF that 40 page rules switch on', switchedOn],
    ['of an override for 15 URLs', overridden],
    ['of both', { ...switchedOn, ...overridden }],
  ])('%s', (_, settings) => {
    const { parity, findings } = translateZone(zone({ ...protection, ...settings }), {
      catalogue: smallCatalogue,
    });
    expect(parity.settings.filter(({ partial }) => partial)).toEqual([]);
    expect(findings.map(({ code }) => code)).not.toContain('SETTINGS_PARTIAL');
  });
});

describe('protection is changed', () => {
  it('where the rulesets run for one host: every other one is unprotected', () => {
    const rules = [blocking({ expression: HOST }), counting({ expression: HOST })];
    expect(statusesOf(protection, ...rules)).toEqual(all('changed'));
    const [, action] = rowsOf(protection, ...rules);
    expect(action).toMatchObject({
      to: `the scoring rule does block (applies only where ${HOST})`,
      partial: true,
      remedy: expect.stringMatching(/^compare the expressions/) as string,
    });
    const { findings } = compared(protection, rulesetOf(...rules));
    expect(findings.find(({ code }) => code === 'SETTINGS_PARTIAL')).toMatchObject({
      severity: 'decision',
      message: expect.stringMatching(/^3 of 3 old settings/) as string,
    });
  });

  it('where an exception that no old setting asks for takes some requests out', () => {
    const exception = skip({ ruleset: 'current' }, IP);
    expect(statusesOf(protection, exception, blocking(), counting())).toEqual(all('changed'));
    const [, , mode] = rowsOf(protection, exception, blocking(), counting());
    expect(mode).toMatchObject({
      to: `rule ${to(1).id}: block (applies only where not (${IP}))`,
      why: `an exception that no old setting which can be compared asks for stands before it: ${IP}`,
    });
  });

  it('where an exception stands between the rulesets, for the second alone', () => {
    const between = skip({ ruleset: 'current' }, IP);
    expect(statusesOf(protection, blocking(), between, counting())).toEqual([
      ['sensitivity', 'changed'],
      ['action_mode', 'changed'],
      ['mode', 'kept'],
    ]);
  });

  it('for the requests of an override that an exception takes out', () => {
    const settings = { overrides: [override({ rules: { R1: 'simulate' } })] };
    const region = managed({ rules: [to(1, { action: 'log' })] }, { expression: SHOP });
    expect(statusesOf(settings, region, managed())).toEqual([['rules["R1"]', 'kept']]);
    const rules = [skip({ ruleset: 'current' }, IP), region, managed()];
    expect(statusesOf(settings, ...rules)).toEqual([['rules["R1"]', 'changed']]);
  });
});

describe('protection is lost', () => {
  it.each([
    ['everything', { ruleset: 'current' }, 'lost', 'lost'],
    ['the managed ruleset', { rulesets: [MANAGED_RULESET] }, 'kept', 'lost'],
    ['OWASP', { rulesets: [OWASP_RULESET] }, 'lost', 'kept'],
    ['the one rule', { rules: { [MANAGED_RULESET]: [to(1).id] } }, 'kept', 'lost'],
    ['the scoring rule', { rules: { [OWASP_RULESET]: [SCORING] } }, 'lost', 'kept'],
  ])('where all requests are excepted from %s first', (_, parameters, action, mode) => {
    const rows = rowsOf(protection, skip(parameters, 'true'), blocking(), counting());
    expect(rows.slice(1).map(({ status }) => status)).toEqual([action, mode]);
    expect(rows.find(({ status }) => status === 'lost')!.remedy).toContain('exception');
  });

  it.each([
    ['as a whole', { enabled: false, rules: [{ id: SCORING, action: 'block' }] }],
    ['level by level', { categories: [1, 2, 3, 4].map((one) => `paranoia-level-${one}`) }],
  ])('where OWASP is switched off %s', (_, overrides) => {
    const categories = ('categories' in overrides ? overrides.categories : undefined)?.map(
      (category) => ({ category, enabled: false }),
    );
    const off = core({ ...overrides, ...(categories && { categories }) });
    expect(statusesOf(protection, blocking(), off)).toEqual([
      ['sensitivity', 'lost'],
      ['action_mode', 'lost'],
      ['mode', 'kept'],
    ]);
  });

  it('where the WAF that a page rule switched on runs for all other requests', () => {
    const settings = {
      packages: [owasp('high', 'block')],
      wafSwitch: { from: 'settings', value: 'off' },
      pageRules: [pageRule({ from: 'on', target: 'a.com/*', waf: 'on' })],
    };
    const rules = (expression: string) => [managed({}, { expression }), counting({ expression })];
    const kept = ['kept', 'kept', 'changed', 'kept'];
    expect(statusesOf(settings, ...rules(HOST)).map(([, status]) => status)).toEqual(kept);
    const lost = statusesOf(settings, ...rules(`not (${HOST})`));
    expect(lost.map(([, status]) => status)).toEqual(['lost', 'lost', 'lost', 'lost']);
  });
});

describe('a rule that was off', () => {
  const off = { rules: [rule('R1', 'disable')] };
  const switched = managed({ rules: [to(1, { enabled: false })] });

  it('is changed where another rule lets it run', () => {
    const another = managed({}, { expression: HOST });
    expect(rowsOf(off, another, switched)[0]).toMatchObject({
      status: 'changed',
      to: expect.stringContaining(`it runs where ${HOST}`) as string,
      partial: true,
    });
  });

  it('is kept where exceptions keep it from running', () => {
    expect(rowsOf(off, skip({ ruleset: 'current' }, IP), switched)[0]!.status).toBe('kept');
  });
});
