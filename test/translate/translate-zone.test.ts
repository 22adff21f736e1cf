import { type Ruleset } from '../../src/core/ruleset';
import {
  bypass,
  codes,
  group,
  override,
  owasp,
  OWASP,
  pageRule,
  rule,
  rulesOf,
  type Settings,
  translate,
} from './support/legacy-zone';
import {
  managed,
  MANAGED_RULESET,
  OWASP_RULESET,
  rulesetOf,
  SCORING,
  SHOP,
} from './support/rulesets';
import { groupId, newId } from './support/small-catalogue';

// What becomes of each setting in full: test/golden/translate/zones.

const settings = (parts: Settings): Settings => ({ packages: [owasp('off')], ...parts });
const FEED = 'lower(http.host) eq "a.b" and starts_with(http.request.uri, "/feed/")';
const except = (expression: string, what: object = { ruleset: 'current' }) => ({
  action: 'skip',
  expression,
  ...what,
});
/** The rule that runs the managed ruleset for these requests, with these overrides of rules. */
const runs = (expression = 'true', ...rules: object[]) => ({
  action: 'execute',
  expression,
  id: MANAGED_RULESET,
  ...(rules.length > 0 && { overrides: { rules } }),
});
const off = (number: number) => ({ id: newId(number), enabled: false });
const acts = (number: number, action: string) => ({ id: newId(number), action, enabled: true });
const wafOff = { from: 'settings', value: 'off' };

const mode = (value: string) => ({ rules: [rule('R1', value)] });
const five = (value: string) => ({ groups: [group(groupId('5'), value)] });
const bypassed = (expression: string) => ({ firewallRules: [bypass({ expression })] });
const page = (more: object) => ({ pageRules: [pageRule(more)] });
const uri = (more: object) => ({ overrides: [override(more)] });

describe('the translations of docs/report.md', () => {
  it.each<[string, Settings, object[], string]>([
    ['rule disable', mode('disable'), [runs('true', off(1))], 'kept'],
    ['rule off', mode('off'), [runs('true', off(1))], 'kept'],
    ['rule simulate', mode('simulate'), [runs('true', acts(1, 'log'))], 'kept'],
    ['rule block', mode('block'), [runs('true', acts(1, 'block'))], 'kept'],
    ['rule challenge', mode('challenge'), [runs('true', acts(1, 'managed_challenge'))], 'changed'],
    ['rule default', mode('default'), [runs()], 'without-effect'],
    ['rule on', mode('on'), [runs()], 'without-effect'],
    ['rule never off', { rules: [rule('wp0025b', 'disable')] }, [runs()], 'without-effect'],
    ['group on', five('on'), [runs()], 'without-effect'],
    ['group off', five('off'), [runs('true', off(11), off(12))], 'changed'],
    [
      'URI override: disable',
      uri({ rules: { R1: 'disable' } }),
      [except(SHOP, { rules: { [MANAGED_RULESET]: [newId(1)] } }), runs()],
      'kept',
    ],
    ['URI override: act', uri({ rules: { R1: 'block' } }), [runs()], 'lost'],
    ['URI override: rewrite', uri({ rewriteAction: { block: 'simulate' } }), [runs()], 'lost'],
    ['firewall rule', bypassed('ssl'), [except('ssl'), runs()], 'kept'],
    ['page: Disable Security', page({ disableSecurity: true }), [except(FEED), runs()], 'kept'],
    ['page rule: WAF off', page({ waf: 'off' }), [except(FEED), runs()], 'kept'],
    ['page rule: WAF on', page({ waf: 'on' }), [runs()], 'without-effect'],
    ['zone on', { wafSwitch: { from: 's', value: 'on' } }, [runs()], 'without-effect'],
    ['zone off', { wafSwitch: wafOff }, [], 'kept'],
    ['zone off, page on', { wafSwitch: wafOff, ...page({ waf: 'on' }) }, [runs(FEED)], 'kept'],
  ])('%s', (_, parts, rules, status) => {
    const translation = translate(settings(parts));
    expect(rulesOf(translation)).toEqual(rules);
    const rows = translation.parity.settings.filter(({ kind }) => kind !== 'package');
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set([status]));
  });

  it.each([
    ['high', 2, 40],
    ['medium', 1, 25],
    ['low', 1, 40],
    ['default', 2, 40],
  ])('OWASP sensitivity %s: paranoia level %i, threshold %i', (sensitivity, level, threshold) => {
    const [, deployed] = rulesOf(translate({ packages: [owasp(sensitivity)] }));
    expect(deployed).toEqual({
      ...{ action: 'execute', expression: 'true', id: OWASP_RULESET },
      overrides: {
        categories: [1, 2, 3, 4].map((number) => ({
          category: `paranoia-level-${number}`,
          enabled: number <= level,
        })),
        rules: [{ id: SCORING, action: 'block', score_threshold: threshold, enabled: true }],
      },
    });
  });

  it.each([
    ['simulate', 'log', 'kept'],
    ['block', 'block', 'kept'],
    ['challenge', 'managed_challenge', 'changed'],
  ])('OWASP action %s: %s', (legacy, action, status) => {
    const translation = translate({ packages: [owasp('high', legacy)] });
    expect(rulesOf(translation)[1]).toMatchObject({ overrides: { rules: [{ action }] } });
    expect(translation.parity.settings[1]).toMatchObject({
      status,
      to: `the scoring rule does ${action}`,
    });
  });
});

it.each<[string, Settings]>(
  ['', 'Block', 'captcha', '__proto__', 'constructor'].flatMap((word): [string, Settings][] => [
    [`mode "${word}"`, { rules: [rule('R1', word)] }],
    [`mode "${word}"`, { groups: [group(groupId('5'), word)] }],
    [`sensitivity "${word}"`, { packages: [owasp(word)] }],
    [`action "${word}"`, { packages: [owasp('high', word)] }],
  ]),
)('reports that the %s is unknown, and guesses nothing', (what, parts) => {
  const translation = translate(settings(parts));
  const lost = translation.parity.settings.filter(({ status }) => status === 'lost');
  expect(lost[0]!.why).toContain(`the ${what} is unknown`);
  expect(codes(translation)).toContain('SETTINGS_LOST');
  expect(JSON.stringify(rulesOf(translation))).not.toMatch(/"action":"(block|log|captcha)"/);
});

it.each(['disable', 'block'])('accepts the id of a rule in any case: %s', (value) => {
  const of = groupId('a');
  const inCase = (id: string): Settings => ({
    ...settings({ rules: [rule(id, value, { from: 'single' }), rule('R1', value)] }),
    groups: [group(of, 'off')],
    overrides: [override({ rules: { [id]: 'simulate' }, groups: { [of]: 'default' } })],
    known: {
      groups: [{ groupId: of, name: 'A', packageId: undefined, rulesCount: 1 }],
      rules: [{ ruleId: id, groupId: of, groupName: 'A', packageId: undefined }],
    },
  });
  const { ruleset, parity } = translate(inCase('r1'));
  expect(ruleset).toEqual(translate(inCase('R1')).ruleset);
  const subjects = parity.settings.filter(
    ({ kind, attribute }) => kind === 'rule' || attribute.startsWith('rules['),
  );
  expect(subjects.map(({ subject }) => subject)).toEqual(['R1', 'R1', 'R1']);
});

it('merges two settings of OWASP that is off, with any actions', () => {
  const packages = [owasp('off', 'block'), owasp('off', 'challenge', { from: 'again' })];
  const translation = translate({ packages });
  expect(translation.parity.summary).toMatchObject({ kept: 2, withoutEffect: 2, lost: 0 });
});

it('knows the package of a group from its resource, also in a URI override', () => {
  const mine = { packageId: groupId('d') };
  const { parity } = translate(
    settings({
      groups: [group(groupId('f'), 'on', mine)],
      rules: [
        rule('M1', 'default', mine),
        rule('M1', 'default', { packageId: undefined, from: 'x' }),
      ],
      overrides: [override({ groups: { [groupId('f')]: 'disable' }, rules: { M1: 'block' } })],
    }),
  );
  const rows = parity.settings.filter(({ kind }) => kind !== 'package');
  expect(rows.map((one) => one.package)).toEqual(Array(5).fill('user'));
});

it('leaves a rule on that the zone has in another group than the catalogue', () => {
  const place = { groupId: groupId('f'), groupName: 'Elsewhere', mode: 'block' };
  const rules = [rule('SHOP1', 'block', place), rule('SHOP2', 'default')];
  const translation = translate(settings({ rules, groups: [group(groupId('5'), 'off')] }));
  const blocked = { id: newId(11), action: 'block', enabled: true };
  expect(rulesOf(translation)[0]).toMatchObject({ overrides: { rules: [blocked, off(12)] } });
});

it('distinguishes a rule of OWASP from another with its id', () => {
  const rules = [rule('R1', 'off', { packageId: OWASP, from: 'owasp' }), rule('R2', 'off')];
  expect(rulesOf(translate(settings({ rules })))).toEqual([runs('true', off(2))]);
});

const many = Array.from({ length: 200 }, (_, at) => `host${at}.example.com/*`);
it.each([
  ['that it overlaps', ['*/shop/x'], 'other URI overrides may match', `where ${SHOP}`],
  ['of which one has unknown URLs', ['a.b:80/*'], 'other URI overrides may match', SHOP],
  ['of which one is paused', ['*'], undefined, ''],
  ['elsewhere', ['example.com/other/*', 'b.example.com/shop/*'], undefined, ''],
])('proposes the exception of a URI override beside one %s', (what, urls, why, where) => {
  const rules = { R1: 'disable' };
  const paused = what.includes('paused');
  const overrides = [override({ rules }), override({ from: 'other', urls, rules, paused })];
  const { parity } = translate(settings({ overrides }));
  expect(parity.settings.find(({ kind }) => kind === 'override')).toMatchObject(
    why === undefined
      ? { status: 'kept', to: `an exception from rule ${newId(1)}` }
      : {
          ...{ status: 'lost', why: expect.stringMatching(`^${why}`) },
          remedy: expect.stringContaining(`exception from rule ${newId(1)} `),
        },
  );
  expect(JSON.stringify(parity)).toContain(JSON.stringify(where).slice(1, -1));
});

it.each([
  ['an unknown URL', ['example.com/shop/*', 'a.b:80/*']],
  ['an expression that is too long', many],
])('refuses a URI override with %s', (_, urls) => {
  const { parity } = translate(settings({ overrides: [override({ urls, rules: { R1: 'off' } })] }));
  expect(parity.settings.at(-1)).toMatchObject({
    ...{ status: 'lost', why: expect.stringMatching(/4 KB$/) },
    remedy: `if you need it, add an exception from rule ${newId(1)} for these URLs`,
  });
});

const without = (ruleset: Ruleset) => ruleset.rules.map(({ fields }) => fields);
it('deploys the managed ruleset with its defaults for a zone without settings', () => {
  expect(without(translate({}).ruleset)).toEqual(without(rulesetOf(managed())));
});
