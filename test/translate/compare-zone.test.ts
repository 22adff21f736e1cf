import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject } from '../../src/core/json';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { compareZone } from '../../src/translate/translate-zone';
import {
  bypass,
  CLOUDFLARE,
  codes,
  group,
  override,
  owasp,
  pageRule,
  rule,
  type Settings,
  translate,
  zone,
} from './support/legacy-zone';
import {
  core,
  CREDENTIALS,
  managed,
  MANAGED_RULESET,
  OWASP_RULESET,
  type Rule,
  rulesetOf,
  SCORING,
  SHOP,
  skip,
  to,
} from './support/rulesets';
import { groupId, newId, smallCatalogue } from './support/small-catalogue';

const IP = 'ip.src eq 192.0.2.1';
const HOST = 'http.host eq "a.com"';
const OTHER = 'http.host eq "b.com"';
const HERE = { expression: HOST };
const REST = { expression: `not (${HOST})` };
const current = { ruleset: 'current' };
const fromManaged = { rulesets: [MANAGED_RULESET] };
const fromRule = (number: number) => ({ rules: { [MANAGED_RULESET]: [newId(number)] } });
/** Overrides of one rule, of a category, and of the scoring rule of OWASP. */
const own = (number: number, more: JsonObject) => ({ rules: [to(number, more)] });
const category = (more: JsonObject) => ({ categories: [{ category: 'x', ...more }] });
const scoring = (action: string, more: JsonObject = {}) => ({
  rules: [{ id: SCORING, action, ...more }],
});
/** Overrides of the paranoia levels that are on, and of those that are off. */
const levels = (on: readonly number[], off = [1, 2, 3, 4].filter((one) => !on.includes(one))) => [
  ...on.map((level) => ({ category: `paranoia-level-${level}`, enabled: true })),
  ...off.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
];
const withLevels = (on: readonly number[], threshold = 40, off?: number[]) => ({
  categories: levels(on, off),
  ...scoring('block', { score_threshold: threshold, enabled: true }),
});

/** A zone with OWASP and one rule, and rules of an entry point that do the same. */
const protection = { packages: [owasp('high', 'block')], rules: [rule('R1', 'block')] };
const blocking = (more: Rule = {}) => managed(own(1, { action: 'block', enabled: true }), more);
const counting = (more: Rule = {}) => core(withLevels([], 40, [3, 4]), more);

const compared = (settings: Settings, rules: readonly Rule[]) =>
  compareZone(zone(settings), rulesetOf(...rules), { catalogue: smallCatalogue });
const rowsOf = (settings: Settings, ...rules: Rule[]) => compared(settings, rules).parity.settings;
const statusesOf = (settings: Settings, ...rules: Rule[]) =>
  rowsOf(settings, ...rules)
    .map(({ status }) => status)
    .join(' ');
const rowOf = (kind: string, settings: Settings, ...rules: Rule[]) =>
  rowsOf(settings, ...rules).find((row) => row.kind === kind)!;
/** The row of one rule against one rule that runs the managed ruleset. */
const ruleRow = (id: string, mode: string, overrides?: JsonObject, more: Rule = {}) =>
  rowsOf({ rules: [rule(id, mode)] }, managed(overrides, more))[0]!;

describe('a legacy rule', () => {
  it.each<[string, JsonObject, string]>([
    ['disable', { enabled: false }, 'kept'],
    ['disable', { enabled: false, action: 'log' }, 'kept'],
    ['disable', { enabled: true }, 'changed'],
    ['disable', { action: 'log' }, 'changed'],
    ['simulate', { action: 'log' }, 'changed'],
    ['simulate', { action: 'log', enabled: true }, 'kept'],
    ['simulate', { action: 'log', enabled: false }, 'changed'],
    ['simulate', { action: 'block' }, 'changed'],
    ['simulate', { enabled: true }, 'changed'],
    ['block', { action: 'log', enabled: true }, 'changed'],
    ['block', { action: 'block', enabled: true }, 'kept'],
    ['challenge', { action: 'challenge', enabled: true }, 'kept'],
    ['challenge', { action: 'managed_challenge' }, 'changed'],
    ['challenge', { action: 'js_challenge' }, 'changed'],
  ])('with mode %s against its override %j is %s', (mode, entry, status) => {
    expect(ruleRow('R1', mode, own(1, entry))).toMatchObject({ status, rules: [0] });
  });

  it.each<[string, JsonObject | undefined, string, RegExp]>([
    ['disable', undefined, 'lost', /^no override of its new rule$/],
    ['disable', category({ enabled: false }), 'lost', /which categories it has$/],
    ['simulate', { action: 'log', enabled: true }, 'kept', /^$/],
    ['disable', { enabled: false }, 'kept', /^$/],
    ['simulate', { action: 'log', ...category({ enabled: true }) }, 'lost', /categories/],
  ])('with mode %s, without an override, in %j is %s', (mode, overrides, status, why) => {
    const found = ruleRow('R1', mode, overrides);
    expect([found.status, found.why ?? '']).toEqual([status, expect.stringMatching(why)]);
  });

  it.each<[string, JsonObject, boolean]>([
    ['its own override', own(1, { action: 'block' }), false],
    ['the whole ruleset', { action: 'block' }, false],
    ['its own override, switched on', own(1, { action: 'block', enabled: true }), true],
    ['the whole ruleset, switched on', { action: 'block', enabled: true }, true],
  ])('whose action is set by %s may be off unless it is switched on', (_, overrides, isOn) => {
    const { status, why = '' } = ruleRow('R1', 'block', overrides);
    expect([status, why.includes('may be off by default')]).toEqual(
      isOn ? ['kept', false] : ['changed', true],
    );
  });

  it.each<[string, string, boolean]>([
    ['simulate', 'log', false],
    ['simulate', 'block', false],
    ['challenge', 'log', true],
    ['challenge', 'js_challenge', false],
    ['challenge', 'block', false],
    ['block', 'managed_challenge', true],
    ['block', 'log', true],
    ['block', 'constructor', true],
  ])('with mode %s whose new rule has the action %s protects less: %s', (mode, action, isLess) => {
    const weaker = ({ findings }: Pick<ReturnType<typeof compared>, 'findings'>): boolean =>
      findings.some(({ code, severity }) => code === 'SETTINGS_WEAKER' && severity === 'decision');
    const against = (entry: JsonObject) =>
      weaker(compared({ rules: [rule('R1', mode)] }, [managed(own(1, entry))]));
    expect(against({ action, enabled: true })).toBe(isLess);
    expect(against({ action, enabled: false })).toBe(true);
  });

  it('is lost where its ruleset is disabled, and changed where overridden for some requests only', () => {
    const acts = own(1, { action: 'block', enabled: true });
    const none = 'no rule runs the ruleset for these requests';
    expect(ruleRow('R1', 'block', acts, { enabled: false })).toMatchObject({
      status: 'lost',
      to: none,
    });
    const some = managed(own(1, { enabled: false }), HERE);
    expect(rowOf('rule', { rules: [rule('R1', 'disable')] }, some, managed())).toMatchObject({
      status: 'changed',
      partial: true,
    });
  });
});

describe('a rule that was off', () => {
  const off = managed(own(1, { enabled: false }));
  const some = managed(undefined, HERE);
  const rest = { ...off, ...REST };
  const outcome = (rules: readonly Rule[], mode = 'disable') => {
    const { parity, findings } = compared({ rules: [rule('R1', mode)] }, rules);
    return [parity.settings[0]!.status, codes({ findings }).includes('MANAGED_RULES_LEFT_OUT')];
  };

  it.each<[string, readonly Rule[], boolean]>([
    ['its override', [off], false],
    ['the override of the whole ruleset', [managed({ enabled: false })], true],
    [
      'the override of the whole ruleset, and of another rule that is off as well',
      [managed({ enabled: false, ...own(2, { enabled: false }) })],
      true,
    ],
    ['an exception from it for all requests', [skip(fromRule(1), 'true'), managed()], false],
    ['an exception from its ruleset', [skip(fromManaged, 'true'), managed()], true],
    ['an exception from everything', [skip(current, 'true'), managed()], true],
    ['an exception here, an override elsewhere', [skip(fromRule(1), HOST), some, rest], true],
    ['an override here, an exception elsewhere', [skip(fromRule(1), HOST), rest, some], true],
    ['its override, behind an exception', [skip(current, IP), off], true],
  ])('is kept off by %s', (_, rules, isLeftOut) => {
    expect(outcome(rules)).toEqual(['kept', isLeftOut]);
  });

  it.each<[string, readonly Rule[]]>([
    ['an exception for some requests', [skip(fromRule(1), HOST), managed()]],
    ['an exception that is disabled', [skip(fromRule(1), 'true', { enabled: false }), managed()]],
    ['an exception behind the rule that runs it', [managed(), skip(fromRule(1), 'true')]],
    ['an exception from another rule', [skip(fromRule(2), 'true'), managed()]],
    ['a ruleset off, its rule on', [managed({ enabled: false, ...own(1, { enabled: true }) })]],
    ['its override, where another rule lets it run', [some, off]],
  ])('is not kept off by %s', (_, rules) => {
    expect(outcome(rules)).toEqual([expect.not.stringMatching('kept'), false]);
  });

  it.each<[string, string, readonly Rule[], boolean]>([
    ['a disabled rule', 'disable', [managed(undefined, { enabled: false })], true],
    ['an empty ruleset', 'disable', [], true],
    ['an empty ruleset', 'block', [], true],
    [
      'an exception for all requests',
      'block',
      [skip(fromRule(1), 'true'), managed(own(1, { action: 'block', enabled: true }))],
      false,
    ],
  ])('is lost with %s (%s)', (_, mode, rules, isLeftOut) => {
    expect(outcome(rules, mode)).toEqual(['lost', isLeftOut]);
  });
});

it.each<[string, JsonObject | undefined, Rule[], boolean]>([
  ['logs', { action: 'log' }, [counting()], true],
  ['blocks', undefined, [], false],
  ['blocks elsewhere', { action: 'log' }, [managed(undefined, REST)], false],
  ['is off, as required', undefined, [], false],
])('the Cloudflare Managed Ruleset that %s', (what, overrides, others, isDecision) => {
  const settings = what.includes('required') ? wafOff : protection;
  const { findings } = compared(settings, [managed(overrides, HERE), ...others]);
  const found = findings.filter(({ code }) => code === 'NEW_RULES_LOG');
  expect(found.map(({ severity }) => severity)).toEqual(isDecision ? ['decision'] : []);
});

describe('a legacy group of five rules', () => {
  const id = groupId('a');
  const five = ['R1', 'R2', 'R3', 'R4', 'R5'];
  const place = { groupId: id, groupName: 'Five', packageId: CLOUDFLARE };
  const known = {
    groups: [{ groupId: id, name: 'Five', packageId: CLOUDFLARE, rulesCount: 5 }],
    rules: five.map((one) => ({ ruleId: one, ...place })),
  };

  it.each([
    [5, 'kept', '5 rules off'],
    [2, 'changed', expect.any(String)],
    [0, 'lost', expect.any(String)],
  ])('of which %i are off is %s', (count, status, is) => {
    const off = five.slice(0, count).map((_, at) => to(at + 1, { enabled: false }));
    const rules = [...off, { id: 'a'.repeat(32), enabled: false }];
    const settings = { groups: [group(id, 'off')], known };
    expect(rowsOf(settings, managed({ rules }))[0]).toMatchObject({ status, to: is });
  });

  it('that a URI override disables is counted', () => {
    const ids = five.map((_, at) => newId(at + 1));
    const exception = skip({ rules: { [MANAGED_RULESET]: ids } }, SHOP);
    const settings = { overrides: [override({ groups: { [id]: 'disable' } })], known };
    const kept = { status: 'kept', to: '5 rules exempted' };
    expect(rowOf('override', settings, exception, managed())).toMatchObject(kept);
  });
});

describe('an exception from the whole ruleset that a URI override requires of one rule', () => {
  const overrides = [override({ rules: { R2: 'disable' } })];
  const everything = skip(fromManaged, SHOP);

  it('counts against the others', () => {
    const settings = { ...protection, overrides };
    const rules = [everything, blocking(), counting()];
    expect(statusesOf(settings, ...rules)).toBe('changed kept changed changed');
  });

  it('is a decision, unless another setting requires it', () => {
    const rules = [everything, managed()];
    const comparison = compared({ overrides }, rules);
    expect(comparison.parity.settings[0]).toMatchObject({
      status: 'changed',
      to: `an exception from rule ${newId(2)} and the rest of its ruleset`,
    });
    expect(codes(comparison)).toContain('SETTINGS_WEAKER');
    const pageRules = [pageRule({ target: 'example.com/shop/*', waf: 'off' })];
    const both = [skip(current, SHOP.replaceAll('.path', '')), skip(fromRule(2), SHOP), managed()];
    expect(codes(compared({ overrides, pageRules }, both))).not.toContain('SETTINGS_WEAKER');
  });
});

describe('protection', () => {
  it.each<[string, string, Rule[]]>([
    ['kept', 'the rulesets run for all requests', [blocking(), counting()]],
    [
      'kept',
      'exceptions have no effect',
      [
        skip(current, 'true', { enabled: false }),
        skip({ rulesets: [CREDENTIALS] }, 'true'),
        blocking(),
        counting(),
        skip(current, 'true'),
      ],
    ],
    ['changed', 'the rulesets run for one host', [blocking(HERE), counting(HERE)]],
    ['changed', 'some requests are excepted', [skip(current, IP), blocking(), counting()]],
    ['lost', 'all requests are excepted', [skip(current, 'true'), blocking(), counting()]],
  ])('is %s where %s', (status, _, rules) => {
    const sensitivity = status === 'kept' ? 'changed' : status;
    expect(statusesOf(protection, ...rules)).toBe(`${sensitivity} ${status} ${status}`);
  });

  it.each<[string, string, JsonObject]>([
    ['changed kept lost', 'the managed ruleset', fromManaged],
    ['lost lost kept', 'OWASP', { rulesets: [OWASP_RULESET] }],
    ['changed kept lost', 'the one rule', fromRule(1)],
    ['lost lost kept', 'the scoring rule', { rules: { [OWASP_RULESET]: [SCORING] } }],
  ])('is %s where all requests are excepted from %s', (statuses, _, parameters) => {
    const rows = rowsOf(protection, skip(parameters, 'true'), blocking(), counting());
    expect(rows.map(({ status }) => status).join(' ')).toBe(statuses);
    expect(rows.find(({ status }) => status === 'lost')!.remedy).toContain('exception');
  });

  it('is kept where legacy settings ask for the exceptions, in other words', () => {
    const settings = {
      ...protection,
      firewallRules: [bypass({ expression: `${IP} and ssl` })],
      overrides: [override({ rules: { R1: 'disable' } })],
    };
    const exceptions = [skip(current, `ssl and (${IP})`), skip(fromRule(1), SHOP)];
    const comparison = compared(settings, [...exceptions, blocking(), counting()]);
    expect(comparison.parity.settings.filter(({ partial }) => partial)).toEqual([]);
    expect(comparison.parity.summary).toMatchObject({ kept: 4, changed: 1 });
    expect(codes(comparison)).not.toContain('SETTINGS_PARTIAL');
  });

  it('that is partial names the requests, and is a decision', () => {
    const rules = [blocking(HERE), counting(HERE)];
    const { parity, findings } = compared(protection, rules);
    expect(parity.settings[1]).toMatchObject({
      to: `the scoring rule does block (applies only where ${HOST})`,
      partial: true,
    });
    expect(findings.find(({ code }) => code === 'SETTINGS_PARTIAL')).toMatchObject({
      severity: 'decision',
      message: expect.stringMatching(/^3 of 3 /),
    });
    const excepted = [skip(current, IP), skip(current, 'ssl'), blocking(HERE)];
    expect(rowOf('rule', protection, ...excepted)).toMatchObject({
      to: `rule ${newId(1)}: block (applies only where ${HOST} and not (${IP}) and not (ssl))`,
      why: expect.stringMatching(`${IP}, ssl$`),
      remedy: expect.stringMatching(/page rule or firewall rule/),
    });
  });

  it('is changed where one of several rules does less', () => {
    const challenge = { rules: [rule('R1', 'challenge')] };
    const acts = (action: string, expression: string) =>
      managed(own(1, { action, enabled: true }), { expression });
    const both = (here: string, elsewhere: string) =>
      rowOf('rule', challenge, acts(here, 'a'), acts(elsewhere, 'not a'));
    expect(both('log', 'challenge')).toMatchObject({ status: 'changed', partial: true });
  });
});

describe('a WAF that a page rule switched on', () => {
  const wafSwitch = { from: 'settings', value: 'off' };
  const on = pageRule({ from: 'on', target: 'a.com/*', waf: 'on' });
  const off = pageRule({ from: 'off', target: 'b.com/*', waf: 'off', priority: 2 });
  const settings = { wafSwitch, pageRules: [on] };
  const runs = (expression: string) => managed({}, { expression });

  it.each<[string, Rule[]]>([
    ['kept kept changed kept', [runs(HOST), counting(HERE)]],
    ['changed changed changed changed', [runs(REST.expression), counting(REST)]],
    ['changed changed lost lost', [skip(fromManaged, IP), runs(HOST)]],
    ['lost lost changed kept', [core()]],
    ['changed changed changed kept', [managed(), counting({})]],
    ['changed changed changed kept', [runs(HOST), counting({})]],
  ])('is %s', (statuses, rules) => {
    expect(statusesOf({ ...settings, packages: [owasp('high')] }, ...rules)).toBe(statuses);
  });

  it('counts for its own requests', () => {
    const both = { rules: [rule('R1', 'block')], wafSwitch, pageRules: [on, off] };
    expect(statusesOf(both, blocking(HERE))).toBe('without-effect kept kept kept');
    expect(rowOf('rule', both, blocking({ expression: `${HOST} and ssl` })).status).toBe('changed');
    expect(rowOf('rule', both, blocking({ expression: OTHER })).status).toBe('changed');
  });
});

describe('a firewall rule that bypasses the WAF', () => {
  const settings = { firewallRules: [bypass({ expression: ` (${IP}) ` })] };
  const from = (...rulesets: string[]) => skip({ rulesets }, IP);
  const everything = skip(current, IP);
  const MOVE = /^move the exception/;
  const phases = (phase: string) => [skip({ phases: [phase] }, IP), managed(), core()];

  it.each<[string, Rule[], string, RegExp]>([
    ['before both rulesets', [everything, managed(), core()], 'kept', /^$/],
    ['from the phase', phases('http_request_firewall_managed'), 'kept', /^$/],
    ['from another phase', phases('http_ratelimit'), 'lost', /./],
    ['from both', [from(MANAGED_RULESET), from(OWASP_RULESET), managed(), core()], 'kept', /^$/],
    ['from the one that runs', [from(MANAGED_RULESET), managed()], 'kept', /^$/],
    ['from the one that does not run', [from(OWASP_RULESET), managed()], 'lost', /./],
    ['from one rule', [skip(fromRule(1), IP), managed()], 'lost', /./],
    ['for others', [skip(current, 'ip.src eq 192.0.2.2'), managed()], 'lost', /^compare the expr/],
    ['that is disabled', [skip(current, IP, { enabled: false }), managed()], 'changed', /^$/],
    ['behind both', [managed(), core(), everything], 'lost', MOVE],
    ['between them', [managed(), everything, core()], 'changed', MOVE],
    [
      'between two rules that run one of them',
      [managed({}, { expression: SHOP }), everything, managed(), core()],
      'changed',
      MOVE,
    ],
    ['all but OWASP', [from(MANAGED_RULESET, CREDENTIALS), managed(), core()], 'changed', MOVE],
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
    ['that is late, and names one', [managed(), from(MANAGED_RULESET), core()], 'lost', MOVE],
  ])('against an exception %s', (_, rules, status, remedy) => {
    const [found] = rowsOf(settings, ...rules);
    expect([found!.status, found!.remedy ?? '']).toEqual([status, expect.stringMatching(remedy)]);
  });
});

describe('the OWASP package', () => {
  const against = (sensitivity: string, overrides?: JsonObject) => {
    const packages = [owasp(sensitivity)];
    const { parity, findings } = compared({ packages }, [core(overrides)]);
    const isDecision = findings.some(
      ({ code, severity }) => code === 'OWASP_WEAKER' && severity === 'decision',
    );
    return { level: parity.settings[0]!, does: parity.settings[1]!, isDecision };
  };

  it.each<[string, JsonObject, string]>([
    ['level 1', withLevels([2, 3, 4]), 'paranoia level 1 is off'],
    ['level 1, the rest by default', withLevels([], 40, [1]), 'paranoia level 1 is off'],
    ['all levels', { categories: levels([]) }, 'paranoia level 1 is off'],
    ['the whole', { enabled: false, ...scoring('block') }, 'the scoring rule is off'],
  ])('is lost without %s', (_, overrides, is) => {
    const { level, does } = against('high', overrides);
    const lost = { status: 'lost', to: is };
    expect([level, does]).toMatchObject([lost, lost]);
  });

  it.each<[string, JsonObject | undefined, string, RegExp, boolean]>([
    // what Cloudflare proposes only switches the higher levels off
    ['high', withLevels([], 40, [3, 4]), '2, score threshold 40', /^the OWASP rules/, false],
    ['medium', withLevels([], 25, [2, 3, 4]), '1, score threshold 25', /^the OWASP rules/, false],
    ['low', withLevels([], 40, [2, 3, 4]), '1, score threshold 40', /^the OWASP rules/, false],
    ['default', withLevels([1, 2]), '2, score threshold 40', /^the OWASP rules/, false],
    ['high', withLevels([1]), '1, score threshold 40', /level 2;/, true],
    ['high', withLevels([1, 3, 4]), '1, score', /level 2;/, true],
    ['high', withLevels([1, 2, 4]), '2, score', /^the OWASP rules/, false],
    ['high', withLevels([1, 2, 3]), '3, score threshold 40', /level 2;/, false],
    ['low', withLevels([1, 2]), '2, score threshold 40', /level 1;/, false],
    ['high', undefined, '1 (not known whether higher ones too)', /level 2, and the default/, true],
    ['low', undefined, '1 (not known whether higher ones too)', /level 1, and the default/, false],
    ['high', withLevels([2], 40, []), '2 (not known', /and the default/, false],
    ['high', { enabled: true }, '4, score threshold 40', /level 2;/, false],
    ['high', withLevels([1, 2], 1_000_000), '2, score threshold 1000000', /threshold 40/, true],
    ['medium', withLevels([1], 40), '1, score threshold 40', /score threshold 25/, true],
    ['high', withLevels([1, 2], 25), '2, score threshold 25', /score threshold 40/, false],
  ])('with sensitivity %s against %j has paranoia level %s', (old, overrides, is, why, weaker) => {
    const { level, isDecision } = against(old, overrides);
    expect(level).toMatchObject({ status: 'changed', why: expect.stringMatching(why) });
    expect(level.to).toContain(`paranoia level ${is}`);
    expect([isDecision, level.weaker]).toEqual([weaker, weaker ? true : undefined]);
  });

  it.each<[string, JsonObject, string, string]>([
    ['block', scoring('log'), 'changed', 'the scoring rule does log'],
    ['block', { action: 'block' }, 'kept', 'the scoring rule does block'],
    ['block', { action: 'log' }, 'changed', 'the scoring rule does log'],
    ['simulate', { action: 'block' }, 'changed', 'the scoring rule does block'],
    // an action of the whole ruleset may not reach the scoring rule
    ['simulate', { action: 'log' }, 'changed', 'the scoring rule does log, perhaps'],
    ['challenge', { action: 'challenge' }, 'changed', 'does challenge, perhaps'],
    ['challenge', { action: 'managed_challenge' }, 'changed', 'managed_challenge, perhaps'],
  ])('with action %s against %j is %s: %s', (action, overrides, status, is) => {
    const [, does] = rowsOf({ packages: [owasp('high', action)] }, core(overrides));
    expect(does).toMatchObject({ status, to: expect.stringContaining(is) });
    expect(does!.weaker ?? false).toBe(action === 'block' && is.endsWith('log'));
    expect(does!.remedy?.startsWith('give the scoring rule') ?? false).toBe(is.endsWith('perhaps'));
  });

  it.each<[string, string, Rule[]]>([
    ['lost lost lost', 'off there', [core({ categories: levels([]) }, HERE)]],
    ['changed changed lost', 'logging there', [core(scoring('log'), HERE)]],
    [
      'changed changed kept',
      'off there and on elsewhere',
      [core({ enabled: false }, HERE), counting(REST), blocking()],
    ],
  ])('is %s where it runs for some requests, and is %s', (statuses, _, rules) => {
    expect(statusesOf(protection, ...rules)).toBe(statuses);
  });

  it('is weaker where some requests meet a higher threshold, and partial with an unsure action', () => {
    const [level] = rowsOf(
      { packages: [owasp('high')] },
      core(withLevels([1, 2], 1_000_000), HERE),
      core(withLevels([1, 2]), REST),
    );
    expect(level).toMatchObject({ weaker: true, to: expect.stringContaining('1000000') });
    const simulating = { packages: [owasp('high', 'simulate')] };
    const [, does] = rowsOf(simulating, core({ action: 'log' }, HERE));
    expect(does).toMatchObject({ status: 'changed', partial: true });
  });
});

const wafOff = { wafSwitch: { from: 's', value: 'off' } };
it.each<[string, string, Rule[]]>([
  ['kept', 'nothing runs', []],
  ['kept', 'its rule is disabled', [managed({}, { enabled: false })]],
  ['changed', 'OWASP runs', [core()]],
])('a WAF that is off is %s if %s', (status, _, rules) => {
  expect(statusesOf(wafOff, ...rules)).toBe(status);
});

it.each<[string, Settings, Rule[], boolean]>([
  ['the WAF is off', wafOff, [], false],
  [
    'everything is excepted',
    { firewallRules: [bypass({ expression: 'true' })] },
    [skip(current, 'true'), managed()],
    true,
  ],
  ['a page rule turns the WAF on', { ...wafOff, pageRules: [pageRule({ waf: 'on' })] }, [], true],
])('reports missing managed rules unless settings ask for it: %s', (_, settings, rules, is) => {
  expect(codes(compared(settings, rules)).includes('MANAGED_RULES_LEFT_OUT')).toBe(is);
});

it.each<[string, readonly Rule[], string]>([
  ['one host', [managed({}, HERE)], `is only known to run where ${HOST}`],
  ['all but some addresses', [skip(current, IP), managed()], `run where not (${IP})`],
  ['no request', [managed({}, { enabled: false })], 'does nothing for any request'],
])('reports managed rules that run for %s, without a setting of them', (_, rules, words) => {
  const { findings } = compared({ packages: [owasp('off')] }, rules);
  expect(findings.find(({ code }) => code === 'MANAGED_RULES_LEFT_OUT')?.message).toContain(words);
});

it('our own translation of a WAF that 40 page rules switch on is whole, and explains all of its rules', () => {
  const pageRules = Array.from({ length: 40 }, (_, at) => {
    const target = `${at % 2 ? '*' : 's'}${at}.example.com/p${at}/*`;
    return pageRule({ from: `on${at}`, target, waf: 'on', priority: at });
  });
  const settings = { ...protection, ...wafOff, pageRules };
  const { parity, ruleset } = translate(settings);
  expect(parity.settings.filter(({ partial }) => partial)).toEqual([]);
  expect(parity.summary.withoutOrigin).toBe(0);
  expect(compared(settings, ruleset.rules).parity).toEqual(parity);
});

it('traces a live ruleset of seven awkward rules back as far as legacy settings explain it', () => {
  const file = join(__dirname, '../fixtures/terraform/canonical/api-entrypoint.json');
  const live = parseRuleset(JSON.parse(readFileSync(file, 'utf8'))).ruleset;
  const packages = [owasp('medium', 'simulate')];
  const { rules } = compared({ packages }, live.rules).parity;
  expect(rules.map(({ action }) => action).join(' ')).toBe(
    'skip skip skip execute execute execute execute',
  );
  expect(rules[3]!.overrides.map(({ from }) => from.length)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(rules[4]!.from).toHaveLength(2);
  expect(rules[5]).toMatchObject({
    ...{ enabled: false, from: [] },
    rulesetName: 'Cloudflare Exposed Credentials Check',
  });
  expect(rules[5]!.because).toBeUndefined();
});
