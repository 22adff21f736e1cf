import { translateZone } from '../../src/translate/translate-zone';
import { CREDENTIALS, core, managed, rulesetOf, SHOP, skip, to } from './support/compared-rulesets';
import {
  bypass,
  codes,
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
  type More,
  protection,
  rowsOf,
  statusesOf,
} from './support/weighed-rulesets';

const current = { ruleset: 'current' };
const OTHER = 'http.host eq "b.com"';
const wafSwitch = { from: 'settings', value: 'off' };
/** The WAF is off, but for one host, less what Cloudflare takes out of it. */
const switchedOn = {
  rules: [rule('R1', 'block')],
  wafSwitch,
  pageRules: [
    pageRule({ from: 'on', target: 'a.com/*', waf: 'on' }),
    pageRule({ from: 'off', target: 'b.com/*', waf: 'off', priority: 2 }),
  ],
};
const ruleOf = (...parameters: Parameters<typeof rowsOf>) =>
  rowsOf(...parameters).find(({ kind }) => kind === 'rule')!;
const does = `rule ${to(1).id}: block`;

describe('protection is kept', () => {
  it.each<[string, More[]]>([
    ['the rulesets run for all requests', [blocking(), counting()]],
    [
      'several rules together run for all requests',
      [blocking({ expression: HOST }), blocking({ expression: `not (${HOST})` }), counting()],
    ],
    [
      'exceptions without effect come with it',
      [
        skip(current, 'true', { enabled: false }),
        skip({ rulesets: [CREDENTIALS] }, 'true'),
        blocking(),
        counting(),
        skip(current, 'true'),
      ],
    ],
  ])('where %s', (_, rules) => {
    expect(statusesOf(protection, ...rules)).toEqual(all('kept'));
  });

  it('although legacy settings except requests from it, in other words', () => {
    const settings = {
      ...protection,
      firewallRules: [bypass({ expression: `${IP} and ssl` })],
      overrides: [override({ rules: { R1: 'disable' } })],
    };
    const exceptions = [
      skip(current, `ssl and (${IP})`),
      skip({ rules: { [MANAGED_RULESET]: [to(1).id] } }, SHOP),
    ];
    const comparison = compared(settings, rulesetOf(...exceptions, blocking(), counting()));
    expect(comparison.parity.settings.filter(({ partial }) => partial)).toEqual([]);
    expect(comparison.parity.summary).toMatchObject({ kept: 4, changed: 1 });
    expect(codes(comparison)).not.toContain('SETTINGS_PARTIAL');
  });

  it('although Cloudflare makes an exception of a page rule that never counts', () => {
    const target = 'a.com/*';
    const pageRules = [
      pageRule({ from: 'off', target, waf: 'off' }),
      pageRule({ from: 'on', target, waf: 'on', priority: 2 }),
    ];
    const never = skip(current, `(${HOST} and not ${HOST})`);
    const ruleset = rulesetOf(never, blocking(), counting());
    const { parity } = compared({ ...protection, pageRules }, ruleset);
    expect(parity.summary).toMatchObject({ kept: 2, changed: 1, withoutEffect: 2 });
    expect(parity.rules[0]!.from).toEqual(['off.actions.waf']);
  });
});

describe('our own translation is never partial, and explains all of its rules', () => {
  const urls = (count: number) =>
    Array.from({ length: count }, (_, at) => `${at % 2 ? '*' : 's'}${at}.example.com/p${at}/*`);
  const pages = {
    wafSwitch,
    pageRules: urls(40).map((target, at) =>
      pageRule({ from: `on${at}`, target, waf: 'on', priority: at }),
    ),
  };
  const overridden = { overrides: [override({ urls: urls(15), rules: { R1: 'simulate' } })] };

  it.each([
    ['of a WAF that 40 page rules switch on', pages],
    ['of an override for 15 URLs', overridden],
    ['of both', { ...pages, ...overridden }],
    [
      'of an override that skips and acts',
      { overrides: [override({ rules: { R1: 'disable', R2: 'block' } })] },
    ],
  ])('%s', (_, settings) => {
    const translation = translateZone(zone({ ...protection, ...settings }), {
      catalogue: smallCatalogue,
    });
    const { parity, ruleset } = translation;
    expect(parity.settings.filter(({ partial }) => partial)).toEqual([]);
    expect(codes(translation)).not.toContain('SETTINGS_PARTIAL');
    expect(parity.summary.withoutOrigin).toBe(0);
    const again = compared({ ...protection, ...settings }, ruleset);
    expect(again.parity).toEqual(parity);
  });
});

describe('protection is changed', () => {
  it('where the rulesets run for one host: every other one is unprotected', () => {
    const rules = [blocking({ expression: HOST }), counting({ expression: HOST })];
    expect(statusesOf(protection, ...rules)).toEqual(all('changed'));
    expect(rowsOf(protection, ...rules)[1]).toMatchObject({
      to: `the scoring rule does block (applies only where ${HOST})`,
      why: 'nothing says that these are all of the requests that it is asked for',
      partial: true,
      remedy: expect.stringMatching(/^compare the expressions/),
    });
    const { findings } = compared(protection, rulesetOf(...rules));
    expect(findings.find(({ code }) => code === 'SETTINGS_PARTIAL')).toMatchObject({
      severity: 'decision',
      message: expect.stringMatching(/^3 of 3 old settings/),
    });
  });

  it('where exceptions that no legacy setting asks for take some requests out', () => {
    const exception = skip(current, IP);
    expect(statusesOf(protection, exception, blocking(), counting())).toEqual(all('changed'));
    const two = [exception, skip(current, 'ssl'), blocking({ expression: HOST })];
    expect(ruleOf(protection, ...two)).toMatchObject({
      to: `${does} (applies only where ${HOST} and not (${IP}) and not (ssl))`,
      why: expect.stringMatching(`before it: ${IP}, ssl$`),
      remedy: expect.stringMatching(/^look for the page rule or firewall rule/),
    });
    expect(ruleOf(protection, exception, blocking()).to).toBe(
      `${does} (applies only where not (${IP}))`,
    );
    // what legacy settings except is not counted
    const settings = { ...protection, firewallRules: [bypass({ expression: `${IP} and ssl` })] };
    const asked = [skip(current, `ssl and ${IP}`), blocking({ expression: HOST })];
    expect(ruleOf(settings, ...asked).to).toBe(`${does} (applies only where ${HOST})`);
  });

  it('where an exception comes between the rulesets, for the second alone', () => {
    expect(statusesOf(protection, blocking(), skip(current, IP), counting())).toEqual([
      ['sensitivity', 'changed'],
      ['action_mode', 'changed'],
      ['mode', 'kept'],
    ]);
  });

  it('where one rule nearly does it, or does something else, for all but some requests', () => {
    const challenge = { rules: [rule('R1', 'challenge')] };
    const acts = (action: string, expression: string) =>
      managed({ rules: [to(1, { action })] }, { expression });
    const both = (here: string, elsewhere: string) =>
      ruleOf(challenge, acts(here, 'a'), acts(elsewhere, 'not a'));
    expect(both('challenge', 'challenge').status).toBe('kept');
    expect(both('managed_challenge', 'challenge')).toMatchObject({ partial: true });
    expect(both('challenge', 'managed_challenge')).not.toHaveProperty('partial');
    expect(both('log', 'challenge').status).toBe('changed');
    const nearly = ruleOf(challenge, skip(current, 'x'), acts('managed_challenge', 'true'));
    expect(nearly.why).toMatch(/^the previous Challenge .*; an exception .* before it: x$/);
  });
});

describe('an override for some requests', () => {
  const region = (overrides: object) => managed({ ...overrides }, { expression: SHOP });
  const its = (more: object) => ({ rules: [to(1, { ...more })] });
  const rowOf = (mode: string, ...rules: More[]) =>
    rowsOf(
      { overrides: [override({ rules: { R1: mode } })], rules: [rule('R1', 'simulate')] },
      ...rules,
    ).find(({ kind }) => kind === 'override')!;

  it.each<[string, object, string, string]>([
    ['default', {}, 'kept', 'its default'],
    ['default', { rules: [to(2, { enabled: false })] }, 'kept', 'its default'],
    ['default', its({ action: '' }), 'kept', 'its default'],
    ['default', its({ action: 'log' }), 'changed', 'log'],
    ['default', its({ enabled: true }), 'changed', 'on'],
    ['default', { enabled: false }, 'changed', 'off'],
    ['default', { action: 'log' }, 'changed', 'log'],
    ['default', { categories: [{ category: 'broad', enabled: false }] }, 'changed', 'its default'],
    ['block', its({ action: 'block' }), 'kept', 'block'],
    ['block', its({ action: 'log' }), 'changed', 'log'],
  ])('that says %s and meets %j is %s: %s', (mode, overrides, status, state) => {
    const found = rowOf(mode, region(overrides), managed(its({ action: 'log' })));
    expect(found).toMatchObject({ status, to: `rule ${to(1).id}: ${state}` });
    if ('categories' in overrides) expect(found.why).toMatch(/categories .* not known/);
  });

  it.each([
    ['everything', current],
    ['its ruleset', { rulesets: [MANAGED_RULESET] }],
    ['the rule', { rules: { [MANAGED_RULESET]: [to(1).id] } }],
  ])('is changed by an exception from %s', (_, parameters) => {
    const rules = [skip(parameters, IP), region(its({ action: 'block' })), managed()];
    expect(rowOf('block', ...rules)).toMatchObject({ status: 'changed', partial: true });
  });
});

describe('protection is lost', () => {
  it.each([
    ['everything', current, 'lost', 'lost'],
    ['the managed ruleset', { rulesets: [MANAGED_RULESET] }, 'kept', 'lost'],
    ['OWASP', { rulesets: [OWASP_RULESET] }, 'lost', 'kept'],
    ['the one rule', { rules: { [MANAGED_RULESET]: [to(1).id] } }, 'kept', 'lost'],
    ['the scoring rule', { rules: { [OWASP_RULESET]: [SCORING] } }, 'lost', 'kept'],
  ])('where all requests are excepted from %s first', (_, parameters, action, mode) => {
    const rows = rowsOf(protection, skip(parameters, 'true'), blocking(), counting());
    expect(rows.slice(1).map(({ status }) => status)).toEqual([action, mode]);
    expect(rows.find(({ status }) => status === 'lost')!.remedy).toContain('exception');
  });
});

describe('a WAF that a page rule switched on', () => {
  const settings = { wafSwitch, pageRules: [switchedOn.pageRules[0]!] };
  const run = (expression: string) => managed({}, { expression });

  it.each([
    [HOST, ['kept', 'kept', 'changed', 'kept']],
    [`not (${HOST})`, ['lost', 'lost', 'lost', 'lost']],
  ])('that runs where %s is %j', (expression, statuses) => {
    const rules = [run(expression), counting({ expression })];
    const rows = rowsOf({ ...settings, packages: [owasp('high')] }, ...rules);
    expect(rows.map(({ status }) => status)).toEqual(statuses);
  });

  it('is kept by several rules together, and changed by an exception', () => {
    const parts = [run(`${HOST} and ssl`), run(`${HOST} and not ssl`)];
    expect(rowsOf(settings, ...parts).map(({ status, to: is }) => [status, is])).toEqual(
      Array(2).fill(['kept', `it runs for: ${HOST} and ssl, and ${HOST} and not ssl`]),
    );
    const exception = skip({ rulesets: [MANAGED_RULESET] }, IP);
    const statuses = rowsOf(settings, exception, run(HOST)).map(({ status }) => status);
    expect(statuses).toEqual(['changed', 'changed']);
  });

  it('holds for its requests, less those of page rules that win over it and never match', () => {
    const rows = rowsOf(switchedOn, blocking({ expression: `${HOST} and not (${OTHER})` }));
    expect(rows.map(({ kind, status }) => [kind, status])).toEqual([
      ['page-rule', 'without-effect'],
      ['page-rule', 'kept'],
      ['zone', 'kept'],
      ['rule', 'kept'],
    ]);
    const parts = [`${HOST} and ssl`, OTHER].map((expression) => blocking({ expression }));
    expect(ruleOf(switchedOn, ...parts).status).toBe('changed');
    expect(ruleOf(switchedOn, blocking({ expression: OTHER }))).toMatchObject({
      status: 'lost',
      to: `${does} (for none of its requests)`,
      why: `it runs for other requests: ${OTHER}`,
      remedy: 'correct the expression of the rule',
    });
    const disabled = { ...switchedOn, rules: [rule('R1', 'disable')] };
    const off = managed({ rules: [to(1, { enabled: false })] }, { expression: HOST });
    expect(ruleOf(disabled, run(OTHER), off).status).toBe('kept');
  });

  it('is no exception, where others cover all of its requests', () => {
    const covered = { ...switchedOn.pageRules[0]!, from: 'covered', target: 'b.com/*' };
    const more = { ...switchedOn, pageRules: [...switchedOn.pageRules, covered] };
    const never = skip(current, `(${OTHER} and not ${OTHER})`);
    const found = rowsOf(more, never, blocking()).find(({ from }) => from === 'covered');
    expect(found).toMatchObject({ status: 'without-effect', rules: [] });
  });
});

describe('a legacy exception', () => {
  const settings = { firewallRules: [bypass({ expression: ` (${IP}) ` })] };
  const from = (...rulesets: string[]) => skip({ rulesets }, IP);
  const everything = skip(current, IP);
  const MOVE = /^move the exception/;

  it.each<[string, More[], string, RegExp]>([
    ['before both rulesets', [everything, managed(), core()], 'kept', /^$/],
    [
      'from the phase of the managed rulesets',
      [skip({ phases: ['http_request_firewall_managed'] }, IP), managed(), core()],
      'kept',
      /^$/,
    ],
    [
      'from another phase',
      [skip({ phases: ['http_ratelimit'] }, IP), managed(), core()],
      'lost',
      /./,
    ],
    [
      'from each ruleset',
      [from(MANAGED_RULESET), from(OWASP_RULESET), managed(), core()],
      'kept',
      /^$/,
    ],
    ['from the one that runs', [from(MANAGED_RULESET), managed()], 'kept', /^$/],
    ['from the one that does not run', [from(OWASP_RULESET), managed()], 'lost', /./],
    [
      'from one rule',
      [skip({ rules: { [MANAGED_RULESET]: [to(1).id] } }, IP), managed()],
      'lost',
      /./,
    ],
    ['for others', [skip(current, 'ip.src eq 192.0.2.2'), managed()], 'lost', /./],
    ['that is disabled', [skip(current, IP, { enabled: false }), managed()], 'changed', /^$/],
    ['behind both', [managed(), core(), everything], 'lost', MOVE],
    ['between them', [managed(), everything, core()], 'changed', MOVE],
    [
      'between two rules that run one of them',
      [managed({}, { expression: SHOP }), everything, managed(), core()],
      'changed',
      MOVE,
    ],
    [
      'from all but OWASP',
      [from(MANAGED_RULESET, CREDENTIALS), managed(), core()],
      'changed',
      /^add/,
    ],
    [
      'from all but OWASP, which is off',
      [from(MANAGED_RULESET), managed(), core({}, { enabled: false })],
      'kept',
      /^$/,
    ],
    [
      'of which one is late and another is not',
      [from(OWASP_RULESET), managed(), from(MANAGED_RULESET), core()],
      'changed',
      MOVE,
    ],
    ['that is late, and names one alone', [managed(), from(MANAGED_RULESET), core()], 'lost', MOVE],
  ])('%s', (_, rules, status, remedy) => {
    const [found] = rowsOf(settings, ...rules);
    expect([found!.status, found!.remedy ?? '']).toEqual([status, expect.stringMatching(remedy)]);
  });

  it('says what it misses', () => {
    expect(rowsOf(settings, managed(), core(), everything)[0]).toMatchObject({
      to: 'an exception from all managed rules, but not from Cloudflare Managed Ruleset and Cloudflare OWASP Core Ruleset',
      why: 'an exception acts on the rules after it, and before it runs Cloudflare Managed Ruleset and Cloudflare OWASP Core Ruleset',
    });
    expect(rowsOf(settings, from(MANAGED_RULESET), managed(), core())[0]!.why).toBe(
      'the exception does not name Cloudflare OWASP Core Ruleset',
    );
  });
});
