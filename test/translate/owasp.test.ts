import {
  MANAGED_RULESET,
  OWASP,
  OWASP_RULESET,
  owasp,
  row,
  rule,
  rulesOf,
  codes,
  group,
  BAD_ROBOTS,
  SCORING,
  translate,
  ZONE,
} from './support/old-zone';

const sensitivity = 'cloudflare_waf_package.owasp.sensitivity';
const action = 'cloudflare_waf_package.owasp.action_mode';
const deployed = (...packages: ReturnType<typeof owasp>[]) =>
  rulesOf(translate({ packages })).find(({ id }: any) => id === OWASP_RULESET) as any;

describe('the old OWASP package', () => {
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
      why: expect.stringContaining('count differently') as string,
    });
  });

  it('with sensitivity off is not deployed', () => {
    const translation = translate({ packages: [owasp('off', 'simulate')] });
    expect(rulesOf(translation).map(({ id }: any) => id as string)).toEqual([MANAGED_RULESET]);
    expect(row(translation, sensitivity)).toMatchObject({
      status: 'kept',
      to: expect.stringContaining('does not run') as string,
    });
    expect(row(translation, action).status).toBe('without-effect');
  });

  it.each([
    ['simulate', 'log', 'kept'],
    ['block', 'block', 'kept'],
    ['challenge', 'managed_challenge', 'changed'],
  ])('with action %s lets the scoring rule do %s: %s', (old, now, status) => {
    const { overrides } = deployed(owasp('high', old));
    expect(overrides.rules[0].action).toBe(now);
    expect(overrides.action).toBeUndefined();
    const translation = translate({ packages: [owasp('high', old)] });
    expect(row(translation, action)).toMatchObject({ status, to: `the scoring rule does ${now}` });
    expect(codes(translation).includes('CHALLENGE_IS_MANAGED')).toBe(old === 'challenge');
  });

  it('shows the three doubts of the documentation once, and only where OWASP is deployed', () => {
    const doubts = [
      'OWASP_DEFAULT_LEVEL_UNCLEAR',
      'OWASP_LEVEL_CONTRADICTED',
      'OWASP_MEDIUM_STRICTER',
    ];
    const shown = (translation: ReturnType<typeof translate>) =>
      translation.findings.filter(({ code }) => doubts.includes(code));
    const twice = [owasp('low'), owasp('low', 'block', { from: 'other' })];
    expect(
      shown(translate({ packages: twice })).map(({ code, severity, subject }) => [
        code,
        severity,
        subject,
      ]),
    ).toEqual(doubts.map((code) => [code, 'info', ZONE]));
    expect(shown(translate({ packages: [owasp('off')] }))).toEqual([]);
  });

  it('is not deployed by a sensitivity that nobody knows', () => {
    const translation = translate({ packages: [owasp('extreme')] });
    expect(deployed(owasp('extreme'))).toBeUndefined();
    expect(codes(translation)).toContain('UNKNOWN_SENSITIVITY');
    expect(row(translation, sensitivity)).toMatchObject({
      status: 'lost',
      why: expect.stringContaining('"extreme"') as string,
    });
    expect(row(translation, action).status).toBe('lost');
  });

  it('keeps the action of the ruleset where the old one is not known', () => {
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
    const missing = translation.findings.find(({ code }) => code === 'PACKAGE_MISSING');
    expect(missing).toMatchObject({ severity: 'decision', subject: groups[0]!.from });
    expect(missing!.message).toContain(rules[0]!.from);
    expect(translate({}).findings.find(({ code }) => code === 'PACKAGE_MISSING')!.subject).toBe(
      ZONE,
    );
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

  it('is known by what the zone tells of a package, too', () => {
    const known = {
      packages: [{ id: 'e'.repeat(32), name: 'x', detectionMode: 'anomaly' }],
      groups: [],
      rules: [],
    };
    const packages = [owasp('high', 'block', { packageId: 'e'.repeat(32) })];
    expect(rulesOf(translate({ packages, known }))).toHaveLength(2);
  });
});

describe('what the old OWASP package said of groups and rules', () => {
  const settings = {
    groups: [group(BAD_ROBOTS, 'off', { packageId: undefined })],
    rules: [
      rule('981231', 'off', { packageId: undefined }),
      rule('960015', 'off', { packageId: OWASP }),
    ],
  };

  it('is lost, because there is no equivalence', () => {
    const { parity, findings } = translate({ packages: [owasp('high')], ...settings });
    const lost = parity.settings.filter(({ status }) => status === 'lost');
    expect(lost.map(({ from }) => from).sort()).toEqual(
      [...settings.rules, ...settings.groups].map(({ from }) => from).sort(),
    );
    for (const { why, remedy } of lost) {
      expect(why).toContain('no equivalent');
      expect(remedy).toContain('by hand');
    }
    expect(findings.find(({ code }) => code === 'SETTINGS_LOST')?.severity).toBe('decision');
  });

  it('has no effect where the package is off', () => {
    const { parity } = translate({ packages: [owasp('off')], ...settings });
    const others = parity.settings.filter(({ kind }) => kind !== 'package');
    expect(others.map(({ status }) => status)).toEqual(Array(3).fill('without-effect'));
  });

  it('has no effect where it is on: that is what they are without a setting', () => {
    const rules = [rule('981231', 'on', { packageId: OWASP })];
    const { parity } = translate({
      packages: [owasp('high')],
      rules,
      groups: [group(BAD_ROBOTS, 'on')],
    });
    expect(parity.summary).toMatchObject({ lost: 0, withoutEffect: 2 });
  });
});

describe('a traditional package', () => {
  it.each([
    ['of Cloudflare', '1e334934fd7ae32ad705667f8c1057aa', 'high', 'challenge'],
    ['of the customer', 'd'.repeat(32), 'high', 'challenge'],
    ['that is not known, without values', 'c'.repeat(32), '', ''],
  ])('%s carries no information', (_, packageId, old, actionMode) => {
    const known = {
      packages: [{ id: 'd'.repeat(32), name: 'USER', detectionMode: 'traditional' }],
      groups: [],
      rules: [],
    };
    const packages = [owasp('off'), owasp(old, actionMode, { packageId, from: 'p' })];
    const translation = translate({ packages, known });
    expect(row(translation, 'p.sensitivity').status).toBe('without-effect');
    expect(row(translation, 'p.action_mode').status).toBe('without-effect');
    expect(codes(translation)).not.toContain('UNKNOWN_PACKAGE');
    expect(rulesOf(translation)).toHaveLength(1);
  });

  it('that nobody knows is reported by its address', () => {
    const packages = [
      owasp('off'),
      owasp('high', 'block', { packageId: 'c'.repeat(32), from: 'p' }),
    ];
    const translation = translate({ packages });
    expect(translation.findings.find(({ code }) => code === 'UNKNOWN_PACKAGE')).toMatchObject({
      subject: 'p',
    });
    expect(row(translation, 'p.sensitivity').status).toBe('lost');
  });
});
