import { CliLab, blockersOf, errorOf } from '../support/cli-lab';
import {
  CREDENTIALS,
  ENTERPRISE,
  FINISH,
  MANAGED,
  NOT_ELIGIBLE,
  OWASP,
  deploy,
  entryPoint,
  idOf,
  managedOf,
  oneZone,
} from '../support/zones';

let lab: CliLab;
afterEach(() => lab.emulator.stop());

describe('blockers', () => {
  const pass = async (line = FINISH) => {
    const run = await lab.cli(line);
    return { exit: run.code, error: run.code === 0 ? undefined : errorOf(run), run };
  };
  const left = async (zone = ENTERPRISE) => {
    expect(lab.puts()).toEqual([]);
    expect((await lab.status(zone)).migrationState).toBe('start');
  };

  test('URI-based overrides, one by one', async () => {
    lab = await CliLab.of('not-eligible');
    const { exit, error, run } = await pass(
      `finish --zone ${NOT_ELIGIBLE} --confirm legacy.example.com --json`,
    );
    expect([exit, error.code]).toEqual([1, 'MIGRATION_BLOCKED']);
    expect(blockersOf(run)).toEqual(['URI_OVERRIDE', 'URI_OVERRIDE']);
    expect(error.message).toMatch(/2 blockers \(URI_OVERRIDE\)$/);
    await left(NOT_ELIGIBLE);
  });

  test('more than 200 firewall rules, unless the support has agreed', async () => {
    const filters = [{ id: idOf('f', 1), expression: 'ssl' }];
    const firewallRules = Array.from({ length: 201 }, (_, index) => ({
      id: idOf('a', index),
      filter: idOf('f', 1),
      action: 'block',
    }));
    lab = await CliLab.of(oneZone({ filters, firewallRules }));
    const { run } = await pass();
    expect(blockersOf(run)).toEqual(['TOO_MANY_FIREWALL_RULES']);
    await left();
    expect((await lab.cli(`${FINISH} --accept TOO_MANY_FIREWALL_RULES`)).code).toBe(0);
  });

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
    lab = await CliLab.of(oneZone({ oldWaf: { packages: [] } }));
    const { exit, error } = await pass();
    expect([exit, error.code]).toEqual([1, 'RULESET_EMPTY']);
    await left();
  });

  test('a configuration in which nothing is on', async () => {
    lab = await CliLab.of('enterprise');
    const config = await lab.config();
    const rules = config.rules.map((rule: any) => ({ ...rule, enabled: false }));
    lab.save('edited.json', { ...config, rules });
    const run = await lab.cli(`${FINISH} --config edited.json --accept MIGRATION_CONFIG_CHANGED`);
    expect(blockersOf(run)).toContain('NOTHING_IS_ON');
    expect((await lab.cli(`${FINISH} --accept NOTHING_IS_ON`)).code).toBe(64);
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

  test('an answer of config that is no longer what was saved', async () => {
    lab = await CliLab.of('enterprise');
    const config = await lab.config();
    expect(
      (await lab.cli(`generate --zone ${ENTERPRISE} --config config.json --out waf`)).code,
    ).toBe(0);
    lab.save('config.json', { ...config, rules: config.rules.slice().reverse() });
    const { error, run } = await pass(`${FINISH} --config config.json`);
    expect(blockersOf(run)).toEqual(['MIGRATION_CONFIG_CHANGED']);
    expect(JSON.stringify(error.findings)).toContain('has another position');
    await left();
    lab.save('config.json', config);
    expect((await lab.cli(`${FINISH} --config config.json`)).code).toBe(0);
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
    const line = `${FINISH} --config edited.json --accept MIGRATION_CONFIG_CHANGED`;
    expect((await lab.cli(line)).code).toBe(0);
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

  test.each([
    [
      'a server error',
      { kind: 'status', status: 503 } as const,
      'run the same command again later',
    ],
    [
      'too many requests',
      { kind: 'status', status: 429 } as const,
      'run the same command again later',
    ],
    ['a broken connection', { kind: 'drop' } as const, 'run the same command again later'],
    [
      'a refusal of the token',
      { kind: 'status', status: 403, code: 10000 } as const,
      'set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY',
    ],
  ])('old settings that are not read for %s, with the way out of that', async (_, fault, way) => {
    lab = await CliLab.of('enterprise');
    lab.emulator.setFaults([{ ...fault, method: 'GET', path: '*/firewall/waf/packages*' }]);
    const run = await lab.cli(FINISH);
    expect(blockersOf(run)).toEqual(['OLD_SETTINGS_UNREAD']);
    const [{ remedy }] = errorOf(run).findings;
    expect(remedy).toContain(way);
    expect(remedy.includes('--accept')).toBe(!way.startsWith('run'));
    await left();
  });
});
