import { blockersOf, CliLab, errorOf, jsonOf } from '../support/cli-lab';
import {
  CREDENTIALS,
  deploy,
  ENTERPRISE,
  entryPoint,
  FINISH,
  idOf,
  MANAGED,
  managedOf,
  NAME,
  oneZone,
  OWASP,
} from '../support/zones';

let lab: CliLab;
afterEach(() => lab.emulator.stop());

describe('blockers', () => {
  const pass = async (line = FINISH) => {
    const run = await lab.cli(line);
    return { exit: run.code, error: run.code === 0 ? undefined : errorOf(run), run };
  };
  const left = async () => {
    expect(lab.puts()).toEqual([]);
    expect((await lab.status()).migrationState).toBe('start');
  };

  test('all of them, where the service refuses to propose anything for one of them', async () => {
    const long = `http.host in {${Array.from({ length: 400 }, (_, at) => `"${at}.example"`).join(' ')}}`;
    const filters = [
      { id: idOf('f', 1), expression: 'ssl' },
      { id: idOf('f', 2), expression: long },
    ];
    const firewallRules = Array.from({ length: 202 }, (_, at) => ({
      ...{ id: idOf('a', at), filter: idOf('f', at === 0 ? 2 : 1) },
      ...{ action: 'bypass', products: ['waf'] },
    }));
    lab = await CliLab.of(oneZone({ filters, firewallRules }));
    for (const line of [FINISH, `start-validation --zone ${ENTERPRISE} --yes --json`]) {
      const run = await lab.cli(line);
      expect(blockersOf(run)).toEqual(['TOO_MANY_FIREWALL_RULES', 'EXPRESSION_TOO_LONG']);
      for (const { remedy } of errorOf(run).findings) {
        expect(remedy).toMatch(
          /if the limit does not apply to the zone, run `finish` with --accept/,
        );
      }
      expect((await lab.cli(line.replace(' --json', ''))).stderr).toContain('contact support');
    }
    const both = '--accept TOO_MANY_FIREWALL_RULES EXPRESSION_TOO_LONG';
    expect((await pass(`${FINISH} ${both}`)).error.code).toBe('API_REFUSED');
    await left();
  });

  test('a configuration without rules', async () => {
    lab = await CliLab.of({ ...oneZone(), packages: [] });
    const { exit, error } = await pass();
    expect([exit, error.code]).toEqual([1, 'RULESET_EMPTY']);
    await left();
  });

  test('a managed ruleset that was on and would be off', async () => {
    lab = await CliLab.of('enterprise');
    const config = await lab.config();
    const without = config.rules.filter((rule: any) => rule.action_parameters.id !== OWASP);
    const off = config.rules.map((rule: any) =>
      rule.action_parameters.id === MANAGED ? { ...rule, enabled: false } : rule,
    );
    const fewer = config.rules.map((rule: any) =>
      rule.action_parameters.id === MANAGED ? { ...rule, expression: 'http.host eq "a"' } : rule,
    );
    for (const [rules, ruleset] of [
      [without, OWASP],
      [off, MANAGED],
      [fewer, MANAGED],
    ]) {
      lab.save('edited.json', { ...config, rules });
      const run = await lab.cli(`${FINISH} --config edited.json --accept MIGRATION_CONFIG_CHANGED`);
      expect(blockersOf(run)).toContain('MANAGED_RULESET_OFF');
      expect(JSON.stringify(errorOf(run).findings)).toContain(ruleset);
    }
    await left();
  });

  test('a managed ruleset of the entry point that would be off', async () => {
    const rule = deploy(CREDENTIALS, { enabled: true });
    lab = await CliLab.of(
      oneZone({ migration: { state: 'validation' }, rulesets: [entryPoint(rule)] }),
    );
    lab.save('edited.json', {
      ...(await lab.config()),
      rules: [...(await lab.config()).rules, { ...rule, enabled: false }],
    });
    const run = await lab.cli(`${FINISH} --config edited.json --accept MIGRATION_CONFIG_CHANGED`);
    expect(blockersOf(run)).toEqual(['MANAGED_RULESET_OFF']);
    expect(lab.puts()).toEqual([]);
  });

  test('an edited configuration is sent when that was meant', async () => {
    lab = await CliLab.of('enterprise');
    const config = await lab.config();
    const rule = managedOf(config.rules);
    const { rules } = rule.action_parameters.overrides;
    rule.action_parameters.overrides = { rules: rules.slice(1) };
    lab.save('edited.json', config);
    expect(blockersOf(await lab.cli(`${FINISH} --config edited.json`))).toEqual([
      'MIGRATION_CONFIG_CHANGED',
    ]);
    await left();
    const line = `${PLAIN} --config edited.json --accept MIGRATION_CONFIG_CHANGED`;
    const { code, stderr, stdout } = await lab.cli(line);
    expect([code, `${stderr}${stdout}`.match(/\(MIGRATION_CONFIG_CHANGED\)/g)?.length]).toEqual([
      0, 1,
    ]);
    const sent = managedOf(lab.puts()[0]?.body.rules);
    expect(sent.action_parameters.overrides.rules).toHaveLength(rules.length - 1);
  });

  test('old settings that cannot be read, unless that is taken upon oneself', async () => {
    lab = await CliLab.of({
      name: 'strict',
      include: ['enterprise'],
      settings: { legacyApiRefusesTokens: true },
    });
    const { run } = await pass();
    expect(blockersOf(run)).toEqual(['OLD_SETTINGS_UNREAD']);
    await left();
    const { token, email, key } = lab.emulator.credentials;
    const environment = {
      CLOUDFLARE_BASE_URL: lab.emulator.baseUrl,
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_EMAIL: email,
      CLOUDFLARE_API_KEY: key,
    };
    expect((await lab.cli(FINISH, { environment })).code).toBe(0);
  });

  const later = 'run the same command again later';
  test.each<[string, object, string]>([
    ['a server error', { kind: 'status', status: 503 }, later],
    ['too many requests', { kind: 'status', status: 429 }, later],
    ['a broken connection', { kind: 'drop' }, later],
    [
      'a refusal of the token',
      { kind: 'status', status: 403, code: 10000 },
      'set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY',
    ],
  ])('old settings that are not read for %s, with the way out of that', async (_, fault, way) => {
    lab = await CliLab.of('enterprise');
    const failing: any = { ...fault, method: 'GET', path: '*/firewall/waf/packages*' };
    lab.emulator.setFaults([failing]);
    const run = await lab.cli(FINISH);
    expect(blockersOf(run)).toEqual(['OLD_SETTINGS_UNREAD']);
    const [{ remedy }] = errorOf(run).findings;
    expect(remedy).toContain(way);
    expect(remedy.includes('--accept')).toBe(!way.startsWith('run'));
    await left();
  });
});

const PLAIN = `finish --zone ${ENTERPRISE} --confirm ${NAME}`;

const codesOf = (findings: any[]): string[][] =>
  findings.map(({ code, severity }: any) => [severity, code]);
const allOff = (ruleset: string, number: number) =>
  deploy(ruleset, {
    id: idOf('8', number),
    ref: `r${number}`,
    enabled: true,
    action_parameters: { id: ruleset, overrides: { enabled: false } },
  });

describe('rules that only log, as start-validation --log-only leaves them,', () => {
  beforeEach(async () => {
    lab = await CliLab.of('enterprise');
    await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --log-only`);
  });

  test('do not take the place of an old WAF that blocks', async () => {
    const run = await lab.cli(`${FINISH} --source live`);
    expect([run.code, blockersOf(run)]).toEqual([1, ['NEW_RULES_LOG']]);
    // the old OWASP package of this zone only simulates: that one loses nothing
    expect(errorOf(run).findings).toContainEqual(
      expect.objectContaining({ code: 'NEW_RULES_LOG', subject: MANAGED }),
    );
    expect((await lab.status()).migrationState).toBe('validation');
  });

  test('are told where a stack takes them over as they stand', async () => {
    const generate = `generate --zone ${ENTERPRISE} --format hcl --force --json --source`;
    const live = await lab.cli(`${generate} live`);
    expect(live.code).toBe(2);
    expect(codesOf(jsonOf(live).findings)).toEqual([['decision', 'NEW_RULES_LOG']]);
    const proposed = await lab.cli(`${generate} config`);
    expect(codesOf(jsonOf(proposed).findings)).not.toContainEqual(['decision', 'NEW_RULES_LOG']);
  });

  test('are not offered as if they were like the others', async () => {
    const { findings } = errorOf(await lab.cli(FINISH));
    const remedies = findings
      .filter(({ code }: any) => code === 'STANDING_RULE_DIFFERS')
      .map(({ remedy }: any) => remedy);
    // OWASP logs as the config has it: the old package only simulates
    expect(remedies).toEqual([expect.stringContaining('--log-only')]);
  });

  test('are sent when that is accepted by name, and status says what they do', async () => {
    const run = await lab.cli(`${FINISH} --source live --accept NEW_RULES_LOG`);
    expect(run.code).toBe(0);
    expect(codesOf((await lab.status()).findings)).toEqual([['decision', 'NEW_RULES_LOG']]);
    expect((await lab.cli(`status --zone ${ENTERPRISE}`)).stdout).toContain('  log Cloudflare');
  });

  test('are adjusted in validation mode without being asked', async () => {
    const run = await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --source live --json`);
    expect(run.code).toBe(0);
  });
});

test('managed rulesets whose every rule is off by override are no WAF', async () => {
  const standing = entryPoint(allOff(MANAGED, 1), allOff(OWASP, 2));
  lab = await CliLab.of(oneZone({ migration: { state: 'validation' }, rulesets: [standing] }));
  const run = await lab.cli(`${FINISH} --source live`);
  expect(run.code).toBe(1);
  expect(blockersOf(run)).toEqual(['MANAGED_RULESET_OFF', 'MANAGED_RULESET_OFF', 'NOTHING_IS_ON']);
  expect(lab.puts()).toEqual([]);
});

test.each([
  ['scoring rule', { rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', enabled: false }] }],
  ['first paranoia level', { categories: [{ category: 'paranoia-level-1', enabled: false }] }],
])('OWASP without its %s does not take the place of one that acts', async (_, overrides) => {
  const owasp = deploy(OWASP, { enabled: true, action_parameters: { id: OWASP, overrides } });
  const managed = deploy(MANAGED, { id: idOf('8', 2), ref: 'managed', enabled: true });
  const rulesets = [entryPoint(managed, owasp)];
  lab = await CliLab.of(oneZone({ migration: { state: 'validation' }, rulesets }));
  const run = await lab.cli(`${FINISH} --source live`);
  expect([run.code, blockersOf(run)]).toEqual([1, ['MANAGED_RULESET_OFF']]);
  expect(errorOf(run).findings).toContainEqual(
    expect.objectContaining({ code: 'MANAGED_RULESET_OFF', subject: OWASP }),
  );
});

test.each([
  ['no rules', []],
  ['every rule off by override', [allOff(MANAGED, 1)]],
])(
  'a zone that has moved and has no WAF with %s: it is said, and asks for a decision',
  async (_, rules) => {
    lab = await CliLab.of(
      oneZone({ migration: { state: 'complete' }, rulesets: [entryPoint(...rules)] }),
    );
    const run = await lab.cli(FINISH);
    expect(run.code).toBe(2);
    expect(codesOf(jsonOf(run).findings)).toEqual([['decision', 'ZONE_UNPROTECTED']]);
    const text = await lab.cli(PLAIN);
    expect([text.code, text.stdout]).toEqual([2, expect.stringContaining('neither WAF is on')]);
    expect(codesOf((await lab.status()).findings)).toEqual([['decision', 'ZONE_UNPROTECTED']]);
  },
);

test('a zone whose old WAF is off loses none, and moves', async () => {
  lab = await CliLab.of(oneZone({ oldWaf: { enabled: false } }));
  const run = await lab.cli(FINISH);
  expect(run.code).toBe(0);
  expect(codesOf(jsonOf(run).findings)).toEqual([
    ['decision', 'NOTHING_IS_ON'],
    ['info', 'ZONE_UNPROTECTED'],
  ]);
  expect(jsonOf(run).findings[0].message).toContain('protection does not change');
  expect((await lab.cli(FINISH)).code).toBe(0);
});

test('a zone whose every rule is off is waited for, and keeps its legacy WAF', async () => {
  const standing = entryPoint(deploy(MANAGED));
  lab = await CliLab.of(oneZone({ migration: { state: 'pending' }, rulesets: [standing] }));
  const run = await lab.cli(`${FINISH} --wait 0`);
  expect([run.code, jsonOf(run)]).toMatchObject([2, { moved: false, oldWaf: 'on' }]);
  const [finding] = (await lab.status()).findings;
  expect(finding.code).toBe('MIGRATION_UNDER_WAY');
  expect(finding.message).toContain('while no rule of its entry point is on');
});

const skipAll = deploy(MANAGED, {
  id: idOf('8', 2),
  ref: 'everybody',
  action: 'skip',
  enabled: true,
  action_parameters: { ruleset: 'current' },
  logging: { enabled: true },
});
const subjectsOf = (findings: any[]): string[][] =>
  findings.map(({ code, severity, subject }) => [severity, code, subject]);
const GENERATE = `generate --zone ${ENTERPRISE} --format hcl --out waf --force --json`;

describe('an exception from every managed ruleset, for every request', () => {
  test('is no WAF: neither finish nor start-validation sends it, and generate says it', async () => {
    const standing = entryPoint(skipAll, deploy(MANAGED, { enabled: true }));
    lab = await CliLab.of(oneZone({ rulesets: [standing] }));
    const lost = ['MANAGED_RULESET_OFF', 'MANAGED_RULESET_OFF', 'NOTHING_IS_ON'];
    const finish = await lab.cli(`${FINISH} --accept STANDING_EXCEPTION_WIDER`);
    expect([finish.code, blockersOf(finish)]).toEqual([1, lost]);
    const validation = await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --json`);
    expect(blockersOf(validation)).toEqual(lost);
    expect(lab.puts()).toEqual([]);
    const generated = await lab.cli(GENERATE);
    expect(generated.code).toBe(2);
    for (const ruleset of [MANAGED, OWASP]) {
      expect(subjectsOf(jsonOf(generated).findings)).toContainEqual([
        'decision',
        'MANAGED_RULESET_OFF',
        ruleset,
      ]);
    }
    expect(errorOf(finish).code).toBe('MIGRATION_BLOCKED');
  });

  test('is told of a zone that has moved, by status and by generate', async () => {
    const standing = entryPoint(skipAll, deploy(MANAGED, { enabled: true }));
    lab = await CliLab.of(oneZone({ migration: { state: 'complete' }, rulesets: [standing] }));
    const { deployed, findings } = await lab.status();
    expect(deployed).toMatchObject([{ id: MANAGED, enabled: true, effect: 'off' }]);
    const told = ['decision', 'MANAGED_RULESET_OFF', MANAGED];
    expect(subjectsOf(findings)).toEqual([['decision', 'ZONE_UNPROTECTED', ENTERPRISE], told]);
    expect(findings[1].message).toContain('everybody');
    const generated = await lab.cli(`${GENERATE} --source live`);
    expect([generated.code, subjectsOf(jsonOf(generated).findings)]).toEqual([2, [told]]);
  });

  test('alone in the entry point is a blocker, because it would apply to what is new', async () => {
    lab = await CliLab.of(oneZone({ rulesets: [entryPoint(skipAll)] }));
    expect(blockersOf(await lab.cli(FINISH))).toContain('STANDING_EXCEPTION_WIDER');
    expect(lab.puts()).toEqual([]);
  });
});
