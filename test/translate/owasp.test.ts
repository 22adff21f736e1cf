import { core, managed, rulesetOf } from './support/compared-rulesets';
import {
  BAD_ROBOTS,
  codes,
  group,
  MANAGED_RULESET,
  OWASP,
  owasp,
  OWASP_RULESET,
  row,
  rule,
  rulesOf,
  SCORING,
  translate,
  ZONE,
} from './support/old-zone';
import {
  all,
  blocking,
  compared,
  counting,
  HOST,
  protection,
  rowsOf,
  statusesOf,
} from './support/weighed-rulesets';

const sensitivity = 'cloudflare_waf_package.owasp.sensitivity';
const action = 'cloudflare_waf_package.owasp.action_mode';
const deployed = (...packages: ReturnType<typeof owasp>[]) =>
  rulesOf(translate({ packages })).find(({ id }: any) => id === OWASP_RULESET) as any;
const ofCustomer = {
  packages: [{ id: 'd'.repeat(32), name: 'USER', detectionMode: 'traditional' }],
  groups: [],
  rules: [],
};

describe('the legacy OWASP package', () => {
  it.each([
    ['high', 2, 40],
    ['medium', 1, 25],
    ['low', 1, 40],
    ['default', 2, 40],
  ])('with sensitivity %s becomes paranoia level %i and threshold %i', (old, level, threshold) => {
    const { action: does, expression, overrides } = deployed(owasp(old));
    expect([does, expression]).toEqual(['execute', 'true']);
    expect(overrides.categories).toEqual(
      [1, 2, 3, 4].map((number) => ({
        category: `paranoia-level-${number}`,
        enabled: number <= level,
      })),
    );
    expect(overrides.rules).toEqual([
      { id: SCORING, action: 'block', score_threshold: threshold, enabled: true },
    ]);
    expect(row(translate({ packages: [owasp(old)] }), sensitivity)).toMatchObject({
      status: 'changed',
      value: old,
      to: `paranoia level ${level}, score threshold ${threshold}`,
      why: expect.stringContaining('count differently'),
    });
  });

  it('with sensitivity off is not deployed', () => {
    const translation = translate({ packages: [owasp('off', 'simulate')] });
    expect(rulesOf(translation).map(({ id }: any) => id as string)).toEqual([MANAGED_RULESET]);
    expect(row(translation, sensitivity)).toMatchObject({
      status: 'kept',
      to: expect.stringContaining('does not run'),
    });
    expect(row(translation, action).status).toBe('without-effect');
  });

  it.each([
    ['simulate', 'log', 'kept'],
    ['block', 'block', 'kept'],
    ['challenge', 'managed_challenge', 'changed'],
  ])('with action %s lets the scoring rule do %s: %s', (old, now, status) => {
    const { overrides } = deployed(owasp('high', old));
    expect([overrides.rules[0].action, overrides.action]).toEqual([now, undefined]);
    const translation = translate({ packages: [owasp('high', old)] });
    expect(row(translation, action)).toMatchObject({ status, to: `the scoring rule does ${now}` });
    expect(codes(translation).includes('CHALLENGE_IS_MANAGED')).toBe(old === 'challenge');
  });

  it('shows the three doubts of the documentation once, and only where OWASP is deployed', () => {
    const doubts = /^OWASP_(DEFAULT_LEVEL_UNCLEAR|LEVEL_CONTRADICTED|MEDIUM_STRICTER)$/;
    const shown = (packages: ReturnType<typeof owasp>[]) =>
      translate({ packages }).findings.filter(({ code }) => doubts.test(code));
    const twice = shown([owasp('low'), owasp('low', 'block', { from: 'other' })]);
    expect(twice).toHaveLength(3);
    expect(new Set(twice.map((one) => `${one.severity} ${one.subject}`))).toEqual(
      new Set([`info ${ZONE}`]),
    );
    expect(shown([owasp('off')])).toEqual([]);
  });

  it('is not deployed by an unknown sensitivity', () => {
    const translation = translate({ packages: [owasp('extreme')] });
    expect(deployed(owasp('extreme'))).toBeUndefined();
    expect(codes(translation)).toContain('UNKNOWN_SENSITIVITY');
    expect(row(translation, sensitivity)).toMatchObject({
      status: 'lost',
      why: expect.stringContaining('"extreme"'),
    });
    expect(row(translation, action).status).toBe('lost');
  });

  it('keeps the action of the ruleset where the legacy one is not known', () => {
    const translation = translate({ packages: [owasp('high', 'captcha')] });
    expect(deployed(owasp('high', 'captcha')).overrides.rules).toStrictEqual([
      { id: SCORING, score_threshold: 40, enabled: true },
    ]);
    expect(codes(translation)).toContain('UNKNOWN_ACTION_MODE');
    expect(row(translation, action).status).toBe('lost');
  });

  it('is not guessed when the state does not hold it', () => {
    const groups = [group(BAD_ROBOTS, 'off', { packageId: undefined })];
    const rules = [rule('981231', 'off', { packageId: OWASP })];
    const translation = translate({ groups, rules });
    expect(rulesOf(translation).map(({ id }: any) => id as string)).toEqual([MANAGED_RULESET]);
    expect(translation.findings.find(({ code }) => code === 'PACKAGE_MISSING')).toMatchObject({
      severity: 'decision',
      subject: groups[0]!.from,
      message: expect.stringContaining(rules[0]!.from),
    });
    const [missing] = translate({}).findings.filter(({ code }) => code === 'PACKAGE_MISSING');
    expect(missing!.subject).toBe(ZONE);
  });

  it('is not deployed when it is set twice and differently', () => {
    const packages = [owasp('high'), owasp('low', 'block', { from: 'second' })];
    const translation = translate({ packages });
    expect(rulesOf(translation)).toHaveLength(1);
    expect(codes(translation).filter((code) => code === 'CONTRADICTING_SETTINGS')).toHaveLength(2);
    expect(translation.parity.summary).toMatchObject({ settings: 4, lost: 4 });
  });

  it('is off where it is off twice, whatever actions it would have', () => {
    const packages = [owasp('off', 'block'), owasp('off', 'challenge', { from: 'again' })];
    const translation = translate({ packages });
    expect(translation.parity.summary).toMatchObject({ kept: 2, withoutEffect: 2, lost: 0 });
    expect(codes(translation)).not.toContain('CONTRADICTING_SETTINGS');
  });

  it('is known by its detection mode, too', () => {
    const id = 'e'.repeat(32);
    const known = {
      packages: [{ id, name: 'x', detectionMode: 'anomaly' }],
      groups: [],
      rules: [],
    };
    const packages = [owasp('high', 'block', { packageId: id })];
    expect(rulesOf(translate({ packages, known }))).toHaveLength(2);
  });
});

describe('legacy OWASP groups and rules', () => {
  const settings = {
    groups: [group(BAD_ROBOTS, 'off', { packageId: undefined })],
    rules: [
      rule('981231', 'off', { packageId: undefined }),
      rule('960015', 'off', { packageId: OWASP }),
    ],
  };

  it('are lost, because there is no equivalence', () => {
    const { parity, findings } = translate({ packages: [owasp('high')], ...settings });
    const lost = parity.settings.filter(({ status }) => status === 'lost');
    expect(lost).toHaveLength(3);
    for (const { why, remedy } of lost) {
      expect(why).toContain('no equivalent');
      expect(remedy).toContain('by hand');
    }
    expect(findings.find(({ code }) => code === 'SETTINGS_LOST')?.severity).toBe('decision');
  });

  it('have no effect where the package is off, or where they are on', () => {
    const { parity } = translate({ packages: [owasp('off')], ...settings });
    const others = parity.settings.filter(({ kind }) => kind !== 'package');
    expect(others.map(({ status }) => status)).toEqual(Array(3).fill('without-effect'));
    const on = translate({
      packages: [owasp('high')],
      rules: [rule('981231', 'on', { packageId: OWASP })],
      groups: [group(BAD_ROBOTS, 'on')],
    });
    expect(on.parity.summary).toMatchObject({ lost: 0, withoutEffect: 2 });
  });
});

describe('a traditional package', () => {
  it.each([
    ['of Cloudflare', '1e334934fd7ae32ad705667f8c1057aa', 'high', 'challenge', 'without-effect'],
    ['of the customer', 'd'.repeat(32), 'high', 'challenge', 'without-effect'],
    ['that is not known, without values', 'c'.repeat(32), '', '', 'without-effect'],
    ['that is not known', 'c'.repeat(32), 'high', 'block', 'lost'],
  ])('%s', (_, packageId, old, actionMode, status) => {
    const packages = [owasp('off'), owasp(old, actionMode, { packageId, from: 'p' })];
    const translation = translate({ packages, known: ofCustomer });
    expect(row(translation, 'p.sensitivity').status).toBe(status);
    expect(row(translation, 'p.action_mode').status).toBe(status);
    const unknown = translation.findings.filter(({ code }) => code === 'UNKNOWN_PACKAGE');
    expect(unknown.map(({ subject }) => subject)).toEqual(status === 'lost' ? ['p'] : []);
    expect(rulesOf(translation)).toHaveLength(1);
  });
});

type Overrides = Parameters<typeof core>[0];
const LEVELS = [1, 2, 3, 4];
/** Overrides of levels: those that are on, and those that are off. */
const levels = (on: readonly number[], off = LEVELS.filter((level) => !on.includes(level))) => [
  ...on.map((level) => ({ category: `paranoia-level-${level}`, enabled: true })),
  ...off.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
];
const scoring = (does: string, more: object = {}) => ({
  rules: [{ id: SCORING, action: does, ...more }],
});
const withLevels = (on: readonly number[], threshold = 40, off?: readonly number[]) => ({
  categories: levels(on, off as number[]),
  ...scoring('block', { score_threshold: threshold, enabled: true }),
});
const against = (old: string, overrides: Overrides, actionMode = 'block') => {
  const settings = { packages: [owasp(old, actionMode)] };
  const { parity, findings } = compared(settings, rulesetOf(core(overrides)));
  const isDecision = findings.some(
    ({ code, severity }) => code === 'OWASP_WEAKER' && severity === 'decision',
  );
  const [level, does] = parity.settings;
  return { level: level!, does: does!, isDecision };
};

describe('against a ruleset of another author, OWASP', () => {
  it.each<[string, Overrides, string]>([
    ['without level 1 and 2', withLevels([3, 4]), 'off: paranoia level 1 and 2'],
    ['with level 2 alone', withLevels([2]), 'off: paranoia level 1, 3 and 4'],
    ['without level 1', withLevels([2, 3, 4]), 'off: paranoia level 1'],
    ['without level 1, the rest by default', withLevels([], 40, [1]), 'off: paranoia level 1'],
    ['without levels', { categories: levels([]) }, 'every paranoia level is off'],
    ['as a whole off', { enabled: false, ...scoring('block') }, 'the scoring rule is off'],
  ])('%s is lost', (_, overrides, to) => {
    const { level, does } = against('high', overrides);
    expect([level, does]).toMatchObject([
      { status: 'lost', to },
      { status: 'lost', to },
    ]);
  });

  it.each<[string, Overrides, string, RegExp, boolean]>([
    // what Cloudflare proposes only switches the higher levels off
    ['high', withLevels([], 40, [3, 4]), '2, score threshold 40', /^the OWASP rules/, false],
    ['medium', withLevels([], 25, [2, 3, 4]), '1, score threshold 25', /^the OWASP rules/, false],
    ['low', withLevels([], 40, [2, 3, 4]), '1, score threshold 40', /^the OWASP rules/, false],
    ['default', withLevels([1, 2]), '2, score threshold 40', /^the OWASP rules/, false],
    ['high', withLevels([1]), '1, score threshold 40', /level 2;/, true],
    ['high', withLevels([1, 3, 4]), '4 without 2, score', /level 2, and each level adds/, true],
    ['high', withLevels([1, 2, 4]), '4 without 3, score', /level 2, and each level adds/, false],
    ['high', withLevels([1, 2, 3]), '3, score threshold 40', /level 2;/, false],
    ['low', withLevels([1, 2]), '2, score threshold 40', /level 1;/, false],
    ['high', undefined, '1 (not known whether 2, 3 and 4 too)', /level 2, and the default/, true],
    ['low', undefined, '1 (not known whether 2, 3 and 4 too)', /level 1, and the default/, false],
    ['high', withLevels([2], 40, []), '2 (not known', /and the default/, false],
    ['high', { enabled: true }, '4, score threshold 40', /level 2;/, false],
    ['high', withLevels([1, 2], 1_000_000), '2, score threshold 1000000', /threshold 40/, true],
    ['medium', withLevels([1], 40), '1, score threshold 40', /score threshold 25/, true],
    ['high', withLevels([1, 2], 25), '2, score threshold 25', /score threshold 40/, false],
  ])('of sensitivity %s and %j has paranoia level %s', (old, overrides, to, why, weaker) => {
    const { level, isDecision } = against(old, overrides);
    expect(level).toMatchObject({ status: 'changed', why: expect.stringMatching(why) });
    expect(level.to).toContain(`paranoia level ${to}`);
    expect(isDecision).toBe(weaker);
    expect(level.weaker).toBe(weaker ? true : undefined);
  });

  it.each([
    ['block', core(scoring('log')), 'changed', 'the scoring rule does log'],
    ['block', core({ action: 'block' }), 'kept', 'the scoring rule does block'],
    ['block', core({ action: 'log' }), 'changed', 'the scoring rule does log'],
    ['simulate', core({ action: 'block' }), 'changed', 'the scoring rule does block'],
    ['simulate', core({ action: 'log' }), 'changed', 'the scoring rule does log, perhaps'],
    ['challenge', core({ action: 'challenge' }), 'changed', 'does challenge, perhaps'],
    ['challenge', core({ action: 'managed_challenge' }), 'changed', 'managed_challenge, perhaps'],
  ])('of action %s and %j is %s: %s', (asked, rule, status, to) => {
    const [, does] = rowsOf({ packages: [owasp('high', asked)] }, rule);
    expect(does).toMatchObject({ status, to: expect.stringContaining(to) });
    if (to.endsWith('perhaps')) {
      expect(does).toMatchObject({
        why: expect.stringContaining('not to reach the scoring rule'),
        remedy: 'give the scoring rule an override with this action',
      });
    }
  });

  it('is lost where it is not deployed, and changed where it runs although it was off', () => {
    const none = rowsOf({ packages: [owasp('high')] }, managed());
    expect(none.map(({ status }) => status)).toEqual(['lost', 'lost']);
    expect(against('off', { categories: levels([], [4]) }).level).toMatchObject({
      status: 'changed',
      to: 'Cloudflare OWASP Core Ruleset runs',
    });
  });

  it('acts where its score and a level are on, although the whole is off', () => {
    const on = core({
      enabled: false,
      categories: levels([1], []),
      ...scoring('block', { enabled: true }),
    });
    expect(rowsOf(protection, on, blocking()).map(({ to }) => to?.split(',')[0])).toEqual([
      'paranoia level 1',
      'the scoring rule does block',
      expect.stringContaining('block'),
    ]);
    expect(statusesOf(protection, on, blocking())).toEqual(all('kept'));
  });
});

describe('OWASP that runs by several rules', () => {
  it('is lost where it is off, for however few requests it runs, and something else as a whole', () => {
    const some = { expression: HOST };
    const [level] = rowsOf(protection, core({ categories: levels([]) }, some));
    expect(level).toMatchObject({ status: 'lost', to: 'every paranoia level is off' });
    const [, does] = rowsOf(protection, core(scoring('log'), some));
    expect(does).toMatchObject({ status: 'changed', to: 'the scoring rule does log' });
  });

  it('is changed in part where another rule runs it switched off', () => {
    const off = core({ enabled: false }, { expression: HOST });
    const rules = [off, counting({ expression: `not (${HOST})` }), blocking()];
    expect(statusesOf(protection, ...rules)).toEqual([
      ['sensitivity', 'changed'],
      ['action_mode', 'changed'],
      ['mode', 'kept'],
    ]);
    expect(rowsOf(protection, ...rules)[1]!.partial).toBe(true);
  });

  it.each([
    ['challenge', 'challenge', { status: 'kept' }],
    ['managed_challenge', 'challenge', { status: 'changed', partial: true }],
    ['challenge', 'managed_challenge', { status: 'changed' }],
  ])('does %s here and %s elsewhere: %j', (here, elsewhere, wanted) => {
    const [, does] = rowsOf(
      { packages: [owasp('high', 'challenge')] },
      core(scoring(here), { expression: HOST }),
      core(scoring(elsewhere), { expression: `not (${HOST})` }),
    );
    const { status, partial } = does!;
    expect({ status, ...(partial && { partial }) }).toEqual(wanted);
  });

  it('holds in part where some requests meet another threshold, or an unsure action', () => {
    const [level] = rowsOf(
      { packages: [owasp('high')] },
      core(withLevels([1, 2], 1_000_000), { expression: HOST }),
      core(withLevels([1, 2]), { expression: `not (${HOST})` }),
    );
    expect(level).toMatchObject({ partial: true, to: expect.stringContaining('not (') });
    const simulating = { packages: [owasp('high', 'simulate')] };
    const [, does] = rowsOf(simulating, core({ action: 'log' }, { expression: HOST }));
    expect(does).toMatchObject({ status: 'changed', partial: true });
  });
});
