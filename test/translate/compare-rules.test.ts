import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject } from '../../src/core/json';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { translateZone } from '../../src/translate/translate-zone';
import { core, managed, rulesetOf, skip, to } from './support/compared-rulesets';
import {
  bypass,
  CLOUDFLARE,
  codes,
  group,
  MANAGED_RULESET,
  override,
  owasp,
  pageRule,
  rule,
  type Settings,
  zone,
} from './support/old-zone';
import { groupId, newId, smallCatalogue } from './support/small-catalogue';
import { compared, HOST, IP, type More, rowsOf } from './support/weighed-rulesets';

const catalogue = smallCatalogue;
/** The row of one rule with this mode, against a rule that runs the managed ruleset so. */
const ruleRow = (legacyId: string, mode: string, overrides?: object, more: More = {}) =>
  rowsOf({ rules: [rule(legacyId, mode)] }, managed(overrides as JsonObject, more))[0]!;
const own = (number: number, more: object) => ({ rules: [to(number, { ...more })] });
const category = (more: object) => ({ categories: [{ category: 'x', ...more }] });

describe('a legacy rule against a ruleset of another author', () => {
  it.each([
    ['disable', { enabled: false }, 'kept'],
    ['disable', { enabled: false, action: 'log' }, 'kept'],
    ['disable', { enabled: true }, 'changed'],
    ['disable', { action: 'log' }, 'changed'],
    ['simulate', { action: 'log' }, 'kept'],
    ['simulate', { action: 'log', enabled: true }, 'kept'],
    ['simulate', { action: 'log', enabled: false }, 'changed'],
    ['simulate', { action: 'block' }, 'changed'],
    ['simulate', { enabled: true }, 'changed'],
    ['block', { action: 'block', enabled: true }, 'kept'],
    ['challenge', { action: 'challenge', enabled: true }, 'kept'],
    ['challenge', { action: 'managed_challenge' }, 'changed'],
    ['challenge', { action: 'js_challenge' }, 'changed'],
  ])('that says %s and meets %j is %s', (mode, entry, status) => {
    expect(ruleRow('R1', mode, own(1, entry))).toMatchObject({ status, rules: [0] });
  });

  it.each<[string, string, object | undefined, string, RegExp]>([
    ['without an override', 'disable', undefined, 'lost', /^no override of rule 0*1$/],
    ['in a category', 'disable', category({ enabled: false }), 'lost', /which categories it has$/],
    ['in the whole ruleset', 'simulate', { action: 'log' }, 'kept', /^$/],
    ['in the whole ruleset that is off', 'disable', { enabled: false }, 'kept', /^$/],
    [
      'in the whole ruleset beside a category',
      'simulate',
      { action: 'log', ...category({ enabled: true }) },
      'lost',
      /categories/,
    ],
  ])('%s, that says %s of %j, is %s', (_, mode, overrides, status, why) => {
    const found = ruleRow('R1', mode, overrides);
    expect([found.status, found.why ?? '']).toEqual([status, expect.stringMatching(why)]);
  });

  it('is lost where the ruleset is disabled, or overrides it for some requests alone', () => {
    const acts = own(1, { action: 'block' });
    expect(ruleRow('R1', 'block', acts, { enabled: false })).toMatchObject({
      status: 'lost',
      to: 'no rule runs the ruleset for these requests',
    });
    const some = managed(own(1, { enabled: false }), { expression: 'http.host eq "a"' });
    expect(rowsOf({ rules: [rule('R1', 'disable')] }, some, managed())[0]!.status).toBe('lost');
  });

  // an override that sets the action alone switches no rule on
  it.each<[string, string, object, string | undefined]>([
    ['OFF', 'block', own(81, { action: 'block' }), 'its default is off'],
    ['OFF', 'simulate', own(81, { action: 'log' }), 'its default is off'],
    ['OFF', 'block', { action: 'block' }, 'its default is off'],
    ['SILENT', 'block', own(82, { action: 'block' }), 'its default is not known'],
    ['SILENT', 'block', { action: 'block' }, 'its default is not known'],
    [
      'R1',
      'block',
      { ...own(1, { action: 'block' }), ...category({ enabled: false }) },
      'which categories it has is not known',
    ],
    [
      'R1',
      'block',
      { ...own(1, { action: 'block' }), enabled: false, ...category({ action: 'block' }) },
      'the whole ruleset is off',
    ],
    ['OFF', 'block', own(81, { action: 'block', enabled: true }), undefined],
    ['SILENT', 'block', { action: 'block', enabled: true }, undefined],
    ['R1', 'block', own(1, { action: 'block' }), undefined],
    ['R1', 'block', { ...own(1, { action: 'block' }), ...category({ enabled: true }) }, undefined],
  ])('%s that says %s of %j may be off because %s', (legacyId, mode, overrides, doubt) => {
    const found = ruleRow(legacyId, mode, overrides);
    expect(found.status).toBe(doubt === undefined ? 'kept' : 'changed');
    if (doubt !== undefined) expect(found.why).toContain(`nothing switches it on: ${doubt}`);
  });

  it('that is off or unknown by default is kept by our own translation', () => {
    const rules = [rule('OFF', 'block'), rule('SILENT', 'simulate')];
    const { parity } = translateZone(zone({ rules }), { catalogue });
    expect(parity.settings.map(({ status }) => status)).toEqual(['kept', 'kept']);
  });

  it('that became two holds in part where one of them does, and says what to do', () => {
    const acts = managed({ rules: [41, 42].map((at) => to(at, { action: 'block' })) });
    const exception = skip({ rules: { [MANAGED_RULESET]: [newId(42)] } }, IP);
    expect(rowsOf({ rules: [rule('PAIR', 'block')] }, exception, acts)[0]).toMatchObject({
      status: 'changed',
      partial: true,
      remedy: expect.stringContaining('the exception'),
    });
  });
});

describe('a legacy rule whose new rule is not sure', () => {
  it.each([
    ['SEVERAL', { id: newId(51), enabled: false }, 'kept'],
    ['SEVERAL', { id: `${'0'.repeat(24)}00000052`, action: 'log' }, 'changed'],
  ])('%s is judged by the override %j: %s', (legacyId, entry, status) => {
    expect(ruleRow(legacyId, 'disable', { rules: [entry] })).toMatchObject({
      status,
      why: expect.stringContaining('not known for sure'),
    });
  });

  it.each(['disable', 'default', 'block'])(
    'in a URI override that says %s is not judged by an override for all requests',
    (mode) => {
      const settings = { overrides: [override({ rules: { ENDING: mode } })] };
      const { parity } = compared(settings, rulesetOf(managed(own(61, { enabled: false }))));
      expect(parity.settings[0]).toMatchObject({
        status: 'lost',
        why: expect.stringContaining('may stand for it'),
      });
      expect(parity.summary.withoutOrigin).toBe(1);
    },
  );

  it('may stand behind an override without a known origin, as a group or a URI override may', () => {
    const stranger = managed({ rules: [{ id: 'a'.repeat(32), enabled: false }] });
    const settings: Settings = {
      rules: [rule('NONE', 'disable')],
      groups: [group(groupId('5'), 'maybe')],
      overrides: [override({ rules: { NONE: 'disable' } })],
      packages: [owasp('maybe')],
      pageRules: [pageRule({ target: 'a.b/x|a.b/y', waf: 'off' })],
      firewallRules: [bypass({ expression: '' })],
      wafSwitch: { from: 'settings', value: 'maybe' },
    };
    const { settings: rows, rules, summary } = compared(settings, rulesetOf(stranger)).parity;
    const unsure = rows.filter(({ why = '' }) =>
      why.includes('the one override without a known origin may stand for it'),
    );
    expect(unsure.map(({ kind }) => kind).sort()).toEqual(['group', 'override', 'rule']);
    expect(rows.filter(({ status }) => status === 'lost').length).toBeGreaterThan(unsure.length);
    expect(rules[0]!.overrides).toEqual([
      { kind: 'rule', id: 'a'.repeat(32), enabled: false, from: [] },
    ]);
    expect(summary.withoutOrigin).toBe(1);
  });
});

describe('a legacy group against a ruleset of another author', () => {
  const id = groupId('a');
  const five = ['R1', 'R2', 'R3', 'R4', 'R5'];
  const place = { groupId: id, groupName: 'Five', packageId: CLOUDFLARE };
  const known = {
    packages: [],
    groups: [{ id, name: 'Five', packageId: CLOUDFLARE, rulesCount: 5 }],
    rules: five.map((one) => ({ id: one, ...place })),
  };

  it.each([
    [5, 'kept', '5 rules off'],
    [2, 'changed', expect.any(String)],
    [0, 'lost', expect.any(String)],
  ])('of which %i of 5 rules are off is %s', (count, status, is) => {
    const off = five.slice(0, count).map((_, at) => to(at + 1, { enabled: false }));
    const rules = [...off, { id: 'a'.repeat(32), enabled: false }];
    const settings = { groups: [group(id, 'off')], known };
    expect(rowsOf(settings, managed({ rules }))[0]).toMatchObject({ status, to: is });
  });

  it('that an override disables is exempted, however many rules it has', () => {
    const ids = five.map((_, at) => newId(at + 1));
    const exception = skip(
      { rules: { [MANAGED_RULESET]: ids } },
      'lower(http.host) eq "example.com" and starts_with(http.request.uri.path, "/shop/")',
    );
    const settings = { overrides: [override({ groups: { [id]: 'disable' } })], known };
    const rows = rowsOf(settings, exception, managed());
    expect(rows.find(({ kind }) => kind === 'override')).toMatchObject({
      status: 'kept',
      to: '5 rules exempted',
    });
  });

  it('that an override switches on is as it was, where some of its rules were off and others on', () => {
    const modes = ['disable', 'simulate', 'block', 'simulate', 'block'];
    const settings = {
      groups: [group(id, 'off')],
      rules: modes.map((mode, at) => rule(five[at]!, mode, place)),
      overrides: [override({ groups: { [id]: 'on' } })],
      known,
    };
    const { parity } = translateZone(zone(settings), { catalogue });
    expect(parity.settings.find(({ attribute }) => attribute.startsWith('groups['))).toMatchObject({
      status: 'kept',
      to: '4 rules as they were',
    });
  });
});

describe('a rule that was off', () => {
  const its = { rules: { [MANAGED_RULESET]: [newId(1)] } };
  const others = { rules: { [MANAGED_RULESET]: [newId(2)] } };
  const off = managed(own(1, { enabled: false }));
  const some = managed(undefined, { expression: HOST });
  const rest = { ...off, expression: `not (${HOST})` };
  const outcome = (mode: string, rules: readonly More[]) => {
    const { parity, findings } = compared({ rules: [rule('R1', mode)] }, rulesetOf(...rules));
    const isLeftOut = findings.some(
      ({ code, severity }) => code === 'MANAGED_RULES_LEFT_OUT' && severity === 'decision',
    );
    return { parity, status: parity.settings[0]!.status, isLeftOut };
  };

  it.each<[string, readonly More[], boolean]>([
    ['its override', [off], false],
    ['the override of the whole ruleset', [managed({ enabled: false })], true],
    [
      'the override of the whole ruleset, and of another rule that is off as well',
      [managed({ enabled: false, ...own(2, { enabled: false }) })],
      true,
    ],
    ['an exception from it for all requests', [skip(its, 'true'), managed()], false],
    ['one from its ruleset', [skip({ rulesets: [MANAGED_RULESET] }, 'true'), managed()], true],
    ['one from everything', [skip({ ruleset: 'current' }, 'true'), managed()], true],
    ['a rule for no request', [managed(undefined, { expression: 'false' })], true],
    ['an exception for one part, an override for the other', [skip(its, HOST), some, rest], false],
    ['an override for one part, an exception for the other', [skip(its, HOST), rest, some], false],
  ])('is kept off by %s', (_, rules, leftOut) => {
    expect(outcome('disable', rules)).toMatchObject({ status: 'kept', isLeftOut: leftOut });
  });

  it.each<[string, readonly More[]]>([
    ['an exception for some requests', [skip(its, HOST), managed()]],
    ['an exception that is disabled', [skip(its, 'true', { enabled: false }), managed()]],
    ['an exception behind the rule that runs it', [managed(), skip(its, 'true')]],
    ['an exception from another rule', [skip(others, 'true'), managed()]],
    [
      'a whole ruleset that is off, and the rule on',
      [managed({ enabled: false, ...own(1, { enabled: true }) })],
    ],
  ])('is not kept off by %s', (_, rules) => {
    const { status, isLeftOut } = outcome('disable', rules);
    expect([status === 'kept', isLeftOut]).toEqual([false, false]);
  });

  it.each<[string, string, readonly More[]]>([
    ['that was off', 'disable', [managed(undefined, { enabled: false })]],
    ['that was off', 'disable', []],
    ['that acted', 'block', []],
    ['that acted', 'block', [skip(its, 'true'), managed(own(1, { action: 'block' }))]],
  ])('%s (%s) is lost with what runs it: %j', (_, mode, rules) => {
    const runs = rules.some(({ action, enabled }) => action !== 'skip' && enabled !== false);
    expect(outcome(mode, rules)).toMatchObject({ status: 'lost', isLeftOut: !runs });
  });

  it('is traced to the exceptions that name it, and to no other', () => {
    const disabled = skip(its, HOST, { enabled: false });
    const rules = [skip(others, HOST), skip(its, 'true'), disabled, managed()];
    const { parity } = outcome('disable', rules);
    expect(parity.settings[0]).toMatchObject({
      rules: [1],
      to: `rule ${newId(1)}: runs for none of its requests`,
    });
    const from = `${parity.settings[0]!.from}.mode`;
    expect(parity.rules.map((one) => one.from)).toEqual([[], [from], [], []]);
  });

  it('is changed where another rule lets it run, and kept where exceptions keep it from running', () => {
    const settings = { rules: [rule('R1', 'disable')] };
    expect(rowsOf(settings, some, off)[0]).toMatchObject({
      status: 'changed',
      to: expect.stringContaining(`it runs where ${HOST}`),
      partial: true,
    });
    expect(rowsOf(settings, skip({ ruleset: 'current' }, IP), off)[0]!.status).toBe('kept');
  });
});

it.each<[string, Settings, More[], boolean]>([
  ['the WAF is off', { wafSwitch: { from: 's', value: 'off' } }, [], false],
  [
    'everything is excepted',
    { firewallRules: [bypass({ expression: 'true' })] },
    [skip({ ruleset: 'current' }, 'true'), managed()],
    false,
  ],
  [
    'all that a page rule switches on is excepted',
    {
      wafSwitch: { from: 's', value: 'off' },
      pageRules: [
        pageRule({ from: 'on', target: 'a.com/*', waf: 'on' }),
        pageRule({ from: 'off', target: 'b.com/*', waf: 'off', priority: 2 }),
      ],
      firewallRules: [bypass({ expression: `${HOST} and not http.host eq "b.com"` })],
    },
    [],
    false,
  ],
  [
    'a page rule switches the WAF on',
    { wafSwitch: { from: 's', value: 'off' }, pageRules: [pageRule({ waf: 'on' })] },
    [],
    true,
  ],
])(
  'managed rules are reported as left out unless settings ask for it: %s',
  (_, settings, rules, is) => {
    const found = codes(compared(settings, rulesetOf(...rules)));
    expect(found.includes('MANAGED_RULES_LEFT_OUT')).toBe(is);
  },
);

it('a live ruleset of seven awkward rules is traced back as far as legacy settings explain it', () => {
  const file = join(__dirname, '../fixtures/terraform/canonical/api-entrypoint.json');
  const live = parseRuleset(JSON.parse(readFileSync(file, 'utf8'))).ruleset;
  const packages = [owasp('medium', 'simulate')];
  const { rules } = compared({ packages }, live).parity;
  expect(rules.map(({ action }) => action).join(' ')).toBe(
    'skip skip skip execute execute execute execute',
  );
  expect(rules[3]!.overrides.map(({ from }) => from.length)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(rules[4]!.from).toHaveLength(2);
  expect(rules[5]).toMatchObject({
    enabled: false,
    rulesetName: 'Cloudflare Exposed Credentials Check',
    from: [],
  });
  expect(rules[5]).not.toHaveProperty('because');
  expect(rowsOf({ packages }, core()).map(({ rules: [first] }) => first)).toEqual([0, 0]);
});
