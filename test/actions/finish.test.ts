import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import {
  type CliOverOptions,
  cliOver,
  errorOf,
  jsonOf,
  wrongCredentials,
} from '../support/cli-over';
import { type CliRun } from '../support/run-cli';
import { seen } from '../support/over-emulator';
import { temporaryFolder } from '../support/temporary-folder';
import { ENTERPRISE, idOf, MIGRATED, NOT_ELIGIBLE, oneZone, PRO } from '../support/zones';

const NAME = 'shop.example.com';
const FINISH = `finish --zone ${ENTERPRISE} --confirm ${NAME} --json`;
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const CREDENTIALS = 'c2e184081120413c86c3ab7e14069605';

let emulator: Emulator;
let cwd: string;
const start = async (scenario: string | object) => {
  emulator = await startEmulator({ scenario });
  cwd = temporaryFolder();
};
const cli = (line: string | string[], options: CliOverOptions = {}) =>
  cliOver(emulator)(line, { cwd, ...options });
const puts = () => emulator.requests().filter(({ method }) => method === 'PUT');
const statusOf = async (zone: string) => jsonOf(await cli(`status --zone ${zone} --json`));
const codes = (run: CliRun): string[] =>
  errorOf(run)
    .findings.filter(({ severity }: any) => severity === 'blocker')
    .map(({ code }: any) => code);
const save = (name: string, document: unknown) => {
  writeFileSync(join(cwd, name), JSON.stringify(document));
};
const savedConfig = async (zone = ENTERPRISE) => {
  await cli(`fetch-config --zone ${zone} --out config.json`);
  return JSON.parse(readFileSync(join(cwd, 'config.json'), 'utf8')).result;
};
const managedOf = (rules: any[]) =>
  rules.find((rule) => rule.action === 'execute' && rule.action_parameters.id === MANAGED);
const entryPoint = (...rules: object[]) => ({
  id: idOf('9', 1),
  name: 'zone',
  description: '',
  kind: 'zone',
  phase: 'http_request_firewall_managed',
  version: '1',
  last_updated: '2024-01-01T00:00:00Z',
  rules,
});
const deploy = (ruleset: string, rest: object = {}) => ({
  id: idOf('8', 1),
  ref: 'ours',
  version: '1',
  action: 'execute',
  expression: 'true',
  enabled: false,
  action_parameters: { id: ruleset },
  ...rest,
});

afterEach(() => emulator.stop());

describe('a zone that nothing blocks', () => {
  test('moves, and the answer says where to go on', async () => {
    await start('enterprise');
    const run = await cli(`finish --zone ${ENTERPRISE} --confirm ${NAME}`);
    expect(run.code).toBe(0);
    const { oldWaf, newWaf, migrationState } = await statusOf(ENTERPRISE);
    expect({ oldWaf, newWaf, migrationState }).toEqual({
      oldWaf: 'off',
      newWaf: 'on',
      migrationState: 'complete',
    });
    const id = /ruleset ([0-9a-f]{32})/.exec(run.stdout)?.[1] ?? '';
    expect(run.stdout).toContain(`zones/${ENTERPRISE}/${id}   # provider 5`);
    expect(run.stdout).toContain(`zone/${ENTERPRISE}/${id}   # provider 3, 4`);
    expect(run.stdout).toContain(`plan --zone ${ENTERPRISE} --ruleset-id ${id}`);
  });

  test('is asked the fewest questions', async () => {
    await start('enterprise');
    expect((await cli(FINISH)).code).toBe(0);
    const zone = `/zones/${ENTERPRISE}`;
    const packages = new Set(
      seen(emulator).flatMap((line) => /packages\/([0-9a-f]{32})/.exec(line)?.[1] ?? []),
    );
    const settings = [...packages].flatMap((id) => [
      `GET ${zone}/firewall/waf/packages/${id}/groups?per_page=100`,
      `GET ${zone}/firewall/waf/packages/${id}/rules?per_page=100`,
    ]);
    expect(seen(emulator).sort()).toEqual(
      [
        `GET ${zone}`,
        `GET ${zone}/waf_migration/status`,
        `GET ${zone}/waf_migration/check?phase_two=1`,
        `GET ${zone}/firewall/rules?per_page=100`,
        `GET ${zone}/pagerules`,
        `GET ${zone}/firewall/waf/packages?per_page=100`,
        ...settings,
        `GET ${zone}/waf_migration/config?phase_two=1`,
        `GET ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`,
        `PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1`,
        `GET ${zone}/waf_migration/status`,
        `GET ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`,
      ].sort(),
    );
  });

  test('gets exactly what the stack declares, refs included', async () => {
    await start('enterprise');
    await cli(`generate --zone ${ENTERPRISE} --format tfjson --out waf`);
    const [file] = jsonOf(
      await cli(`generate --zone ${ENTERPRISE} --format tfjson --out waf --json`),
    ).files;
    const stack = JSON.parse(readFileSync(join(cwd, file), 'utf8'));
    const declared = stack.resource.cloudflare_ruleset.managed_rules;
    expect((await cli(FINISH)).code).toBe(0);
    const body = puts()[0]?.body as any;
    expect(body.name).toBe(declared.name);
    expect(body.rules).toHaveLength(declared.rules.length);
    body.rules.forEach((rule: any, index: number) => {
      expect(declared.rules[index]).toMatchObject({
        ref: rule.ref,
        action: rule.action,
        expression: rule.expression,
        enabled: rule.enabled,
      });
      expect(rule.ref).not.toBe('');
      expect(declared.rules[index].action_parameters.id).toBe(rule.action_parameters.id);
    });
  });

  test('has its old settings saved before, for the owner alone', async () => {
    await start('enterprise');
    const { backup } = jsonOf(await cli(FINISH));
    expect(statSync(join(cwd, backup)).mode & 0o777).toBe(0o600);
    const saved = JSON.parse(readFileSync(join(cwd, backup), 'utf8'));
    expect(saved).toMatchObject({ zone: { id: ENTERPRISE, name: NAME }, entryPoint: null });
    const rules = saved.oldWaf.flatMap((one: any) => one.rules);
    expect(rules.find(({ id }: any) => id === '100532')).toMatchObject({ mode: 'simulate' });
    const groups = saved.oldWaf.flatMap((one: any) => one.groups);
    expect(groups.filter(({ mode }: any) => mode === 'off')).toHaveLength(2);
    expect(saved.sends).toEqual(puts()[0]?.body);
  });

  test('is not moved when the old settings cannot be written', async () => {
    await start('enterprise');
    const run = await cli(`${FINISH} --backup /dev/null/x`);
    expect([run.code, errorOf(run).code]).toEqual([1, 'FILE_UNWRITABLE']);
    expect(puts()).toEqual([]);
  });

  test('may be a Pro zone whose entry point was prepared with every rule off', async () => {
    const zone = { id: PRO, name: 'blog.example.com', plan: 'pro' };
    await start(oneZone({ ...zone, rulesets: [entryPoint(deploy(MANAGED))] }));
    const run = await cli(`finish --zone ${PRO} --confirm blog.example.com --json`);
    expect(run.code).toBe(0);
    expect(jsonOf(run).ruleset.id).toBe(idOf('9', 1));
    expect((puts()[0]?.body as any).rules[0]).toMatchObject({
      id: idOf('8', 1),
      ref: 'ours',
      enabled: true,
    });
  });
});

describe('the name of the zone', () => {
  test.each([
    ['other.example.com', undefined],
    ['SHOP.example.com', undefined],
    ['', undefined],
  ])('"%s" is not confirmed', async (name) => {
    await start('enterprise');
    const run = await cli(['finish', '--zone', ENTERPRISE, '--confirm', name, '--json']);
    expect([run.code, errorOf(run).code]).toEqual([3, 'DECLINED']);
    expect(seen(emulator)).toEqual([`GET /zones/${ENTERPRISE}`]);
  });

  test('is asked on a terminal, with what would happen', async () => {
    await start('enterprise');
    for (const answers of [['y'], [''], ['shop']]) {
      const run = await cli(`finish --zone ${ENTERPRISE}`, { answers });
      expect(run.code).toBe(3);
      expect(run.stderr).toContain(`on  execute execute_${MANAGED} where true`);
    }
    expect(puts()).toEqual([]);
    expect((await cli(`finish --zone ${ENTERPRISE}`, { answers: [NAME] })).code).toBe(0);
  });

  test('without a terminal and without --confirm the answer is no, and nothing is asked', async () => {
    await start('enterprise');
    const run = await cli(`finish --zone ${ENTERPRISE} --json`);
    expect([run.code, errorOf(run).code]).toEqual([3, 'DECLINED']);
    expect(seen(emulator)).toEqual([]);
  });
});

describe('blockers', () => {
  const pass = async (line = FINISH) => {
    const run = await cli(line);
    return { exit: run.code, error: run.code === 0 ? undefined : errorOf(run), run };
  };
  const left = async (zone = ENTERPRISE) => {
    expect(puts()).toEqual([]);
    expect((await statusOf(zone)).migrationState).toBe('start');
  };

  test('URI-based overrides, one by one', async () => {
    await start('not-eligible');
    const { exit, error, run } = await pass(
      `finish --zone ${NOT_ELIGIBLE} --confirm legacy.example.com --json`,
    );
    expect([exit, error.code]).toEqual([1, 'MIGRATION_BLOCKED']);
    expect(codes(run)).toEqual(['URI_OVERRIDE', 'URI_OVERRIDE', 'ZONE_NOT_COMPATIBLE']);
    await left(NOT_ELIGIBLE);
  });

  test('more than 200 firewall rules, unless the support has agreed', async () => {
    const filters = [{ id: idOf('f', 1), expression: 'ssl' }];
    const firewallRules = Array.from({ length: 201 }, (_, index) => ({
      id: idOf('a', index),
      filter: idOf('f', 1),
      action: 'block',
    }));
    await start(oneZone({ filters, firewallRules }));
    const { run } = await pass();
    expect(codes(run)).toEqual(['TOO_MANY_FIREWALL_RULES']);
    await left();
    expect((await cli(`${FINISH} --accept TOO_MANY_FIREWALL_RULES`)).code).toBe(0);
  });

  test('a configuration without rules', async () => {
    await start(oneZone({ oldWaf: { packages: [] } }));
    const { exit, error } = await pass();
    expect([exit, error.code]).toEqual([1, 'RULESET_EMPTY']);
    await left();
  });

  test('a configuration in which nothing is on', async () => {
    await start(oneZone({ oldWaf: { enabled: false } }));
    const { run } = await pass();
    expect(codes(run)).toEqual(['NOTHING_IS_ON']);
    expect((await cli(`${FINISH} --accept NOTHING_IS_ON`)).code).toBe(64);
    await left();
  });

  test('a managed ruleset that was on and would be off', async () => {
    await start('enterprise');
    const config = await savedConfig();
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
      save('edited.json', { ...config, rules });
      const run = await cli(`${FINISH} --config edited.json --accept MIGRATION_CONFIG_CHANGED`);
      expect(codes(run)).toContain('MANAGED_RULESET_OFF');
      expect(JSON.stringify(errorOf(run).findings)).toContain(ruleset);
    }
    await left();
  });

  test('a managed ruleset of the entry point that would be off', async () => {
    const rule = deploy(CREDENTIALS, { enabled: true });
    await start(oneZone({ migration: { state: 'validation' }, rulesets: [entryPoint(rule)] }));
    save('edited.json', {
      ...(await savedConfig()),
      rules: [...(await savedConfig()).rules, { ...rule, enabled: false }],
    });
    const run = await cli(`${FINISH} --config edited.json --accept MIGRATION_CONFIG_CHANGED`);
    expect(codes(run)).toEqual(['MANAGED_RULESET_OFF']);
    expect(puts()).toEqual([]);
  });

  test('an answer of config that is no longer what was saved', async () => {
    await start('enterprise');
    const config = await savedConfig();
    expect((await cli(`generate --zone ${ENTERPRISE} --config config.json --out waf`)).code).toBe(
      0,
    );
    save('config.json', { ...config, rules: config.rules.slice().reverse() });
    const { error, run } = await pass(`${FINISH} --config config.json`);
    expect(codes(run)).toEqual(['MIGRATION_CONFIG_CHANGED']);
    expect(JSON.stringify(error.findings)).toContain('stands elsewhere');
    await left();
    save('config.json', config);
    expect((await cli(`${FINISH} --stack-config config.json`)).code).toBe(0);
  });

  test('an edited configuration is sent when that was meant', async () => {
    await start('enterprise');
    const config = await savedConfig();
    const rule = managedOf(config.rules);
    const { rules } = rule.action_parameters.overrides;
    rule.action_parameters.overrides = { rules: rules.slice(1) };
    save('edited.json', config);
    expect(codes(await cli(`${FINISH} --config edited.json`))).toEqual([
      'MIGRATION_CONFIG_CHANGED',
    ]);
    await left();
    const line = `${FINISH} --config edited.json --accept MIGRATION_CONFIG_CHANGED`;
    expect((await cli(line)).code).toBe(0);
    const sent = managedOf((puts()[0]?.body as any).rules);
    expect(sent.action_parameters.overrides.rules).toHaveLength(rules.length - 1);
  });

  test('old settings that cannot be read, unless that is taken upon oneself', async () => {
    await start({
      name: 'strict',
      include: ['enterprise'],
      settings: { oldInterfacesRefuseTokens: true },
    });
    const { run } = await pass();
    expect(codes(run)).toEqual(['OLD_SETTINGS_UNREAD']);
    await left();
    const { token, email, key } = emulator.credentials;
    const environment = {
      CLOUDFLARE_BASE_URL: emulator.baseUrl,
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_EMAIL: email,
      CLOUDFLARE_API_KEY: key,
    };
    expect((await cli(FINISH, { environment })).code).toBe(0);
  });
});

describe('the stack', () => {
  test.each(['cdktf', 'hcl', 'tfjson'])(
    'of format %s is compared with what is sent',
    async (format) => {
      await start('enterprise');
      for (const provider of ['3', '4', '5']) {
        const line = `generate --zone ${ENTERPRISE} --format ${format} --provider ${provider} --out ${provider} --json`;
        const [file] = jsonOf(await cli(line)).files;
        const path = join(cwd, file);
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace('true', 'false'));
        expect(codes(await cli(`${FINISH} --stack ${file}`))).toEqual(['STACK_DIFFERS']);
        expect(puts()).toEqual([]);
        writeFileSync(path, text.replaceAll('\n', '\r\n'));
        if (provider === '5') expect((await cli(`${FINISH} --stack ${file}`)).code).toBe(0);
      }
    },
  );

  test('of a zone with an entry point declares what stands there too', async () => {
    await start(oneZone({ rulesets: [entryPoint(deploy(CREDENTIALS))] }));
    const [file] = jsonOf(
      await cli(`generate --zone ${ENTERPRISE} --format hcl --out waf --json`),
    ).files;
    expect(readFileSync(join(cwd, file), 'utf8')).toContain(CREDENTIALS);
    expect((await cli(`${FINISH} --stack ${file}`)).code).toBe(0);
    expect((puts()[0]?.body as any).rules[0]).toMatchObject({ id: idOf('8', 1), ref: 'ours' });
  });

  test('that was made offline from a saved answer is compared too', async () => {
    await start('enterprise');
    await savedConfig();
    const line = `generate --zone ${ENTERPRISE} --config config.json --format hcl --out waf --address cloudflare_ruleset.waf --json`;
    const [file] = jsonOf(await cli(line)).files;
    const compare = `${FINISH} --config config.json --stack ${file}`;
    expect(codes(await cli(compare))).toEqual(['STACK_DIFFERS']);
    expect((await cli(`${compare} --address cloudflare_ruleset.waf`)).code).toBe(0);
  });
});

describe('an entry point that stands', () => {
  test('loses no rule', async () => {
    const skip = {
      ...deploy(MANAGED),
      id: idOf('8', 2),
      ref: 'office',
      action: 'skip',
      expression: 'ip.src eq 192.0.2.1',
      action_parameters: { ruleset: 'current' },
      logging: { enabled: true },
    };
    await start(oneZone({ rulesets: [entryPoint(skip, deploy(CREDENTIALS))] }));
    const run = await cli(FINISH);
    expect(run.code).toBe(0);
    const { rules } = puts()[0]?.body as any;
    expect(rules.map(({ ref }: any) => ref)).toEqual([
      'office',
      'ours',
      `execute_${MANAGED}`,
      `execute_${OWASP}`,
    ]);
    expect(jsonOf(run).findings.map(({ code }: any) => code)).toEqual([
      'STANDING_RULE_KEPT',
      'STANDING_RULE_KEPT',
    ]);
  });

  test('that was adjusted in validation mode is not undone in silence', async () => {
    await start('enterprise');
    const config = await savedConfig();
    delete managedOf(config.rules).action_parameters.overrides;
    save('edited.json', config);
    const adjust = `start-validation --zone ${ENTERPRISE} --config edited.json`;
    expect((await cli(adjust)).code).toBe(0);
    expect(codes(await cli(FINISH))).toEqual(['STANDING_RULE_DIFFERS']);
    expect((await statusOf(ENTERPRISE)).migrationState).toBe('validation');
    expect((await cli(`${FINISH} --source live`)).code).toBe(0);
    const sent = emulator.requests().filter(({ query }) => query.includes('pending'));
    const { rules } = sent[0]?.body as any;
    expect(managedOf(rules).action_parameters.overrides).toBeUndefined();
  });

  test('that a saved answer does not know is not lost either', async () => {
    await start(oneZone({ rulesets: [entryPoint(deploy(CREDENTIALS))] }));
    await savedConfig();
    expect(codes(await cli(`${FINISH} --config config.json`))).toEqual([
      'STANDING_RULE_NOT_IN_FILE',
    ]);
    const line = `${FINISH} --config config.json --accept STANDING_RULE_NOT_IN_FILE`;
    expect((await cli(line)).code).toBe(0);
    expect((puts()[0]?.body as any).rules[0].ref).toBe('ours');
  });

  test('without rules gets those of the configuration, under its own name', async () => {
    await start(oneZone({ rulesets: [entryPoint()] }));
    const run = await cli(FINISH);
    expect(run.code).toBe(0);
    expect(jsonOf(run).ruleset.id).toBe(idOf('9', 1));
    expect(puts()[0]?.body).toMatchObject({ name: 'zone' });
  });
});

describe('a switch that takes time', () => {
  const slow = (statusReads: number) => ({
    name: 'slow',
    include: ['enterprise'],
    settings: { switchDelay: { statusReads } },
  });

  test('is waited for, with a word on what for', async () => {
    await start(slow(2));
    const run = await cli(`finish --zone ${ENTERPRISE} --confirm ${NAME}`);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(
      'waiting until the service has switched (old WAF on, new WAF on, state pending)',
    );
    expect(run.stdout).toContain('has moved');
  });

  test('longer than the bound leaves with 2, and the same command goes on', async () => {
    await start(slow(4));
    const first = await cli(`${FINISH} --wait 0`);
    expect(first.code).toBe(2);
    expect(jsonOf(first)).toMatchObject({ migrationState: 'pending', moved: false });
    expect(jsonOf(first)).not.toHaveProperty('ruleset');
    const second = await cli(`${FINISH} --wait 10`);
    expect(second.code).toBe(0);
    expect(jsonOf(second)).toMatchObject({
      migrationState: 'complete',
      ruleset: { id: expect.any(String) as string },
    });
    expect(puts()).toHaveLength(1);
  });

  test('in which somebody changes the entry point is told at the end', async () => {
    await start(slow(3));
    expect((await cli(`${FINISH} --wait 0`)).code).toBe(2);
    const { body } = puts()[0] as { body: any };
    const path = `${emulator.baseUrl}/zones/${ENTERPRISE}/rulesets/phases/http_request_firewall_managed/entrypoint`;
    await fetch(path, {
      method: 'PUT',
      headers: { authorization: `Bearer ${emulator.credentials.token}` },
      body: JSON.stringify({ ...body, rules: body.rules.slice(1) }),
    });
    const run = await cli(`${FINISH} --wait 10`);
    expect(run.code).toBe(2);
    expect(jsonOf(run).findings).toMatchObject([{ code: 'ENTRY_POINT_DIFFERS' }]);
  });
});

test('a zone that has moved is not moved again', async () => {
  await start('migrated');
  const name = emulator.zones.find(({ id }) => id === MIGRATED)?.name ?? '';
  const run = await cli(`finish --zone ${MIGRATED} --confirm ${name} --json`);
  expect(run.code).toBe(0);
  expect(jsonOf(run)).toMatchObject({ moved: true, ruleset: { id: expect.any(String) as string } });
  expect(puts()).toEqual([]);
});

test('two at once on one zone move it once, and both say so', async () => {
  await start('enterprise');
  const other = temporaryFolder();
  const runs = await Promise.all([cli(FINISH), cli(FINISH, { cwd: other })]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect(puts().filter(({ status }) => status === 200)).toHaveLength(1);
  expect(jsonOf(runs[0]).ruleset).toEqual(jsonOf(runs[1]).ruleset);
});

test('wrong credentials move nothing', async () => {
  await start('enterprise');
  for (const environment of Object.values(wrongCredentials(emulator))) {
    const run = await cli(FINISH, { environment });
    expect([run.code, errorOf(run).code, run.stdout]).toEqual([1, 'API_UNAUTHORIZED', '']);
  }
  expect((await statusOf(ENTERPRISE)).migrationState).toBe('start');
});

test.each([
  ['--wait soon', 'a time in words'],
  ['--wait -1', 'a time before now'],
  ['--accept EVERYTHING', 'a code that cannot be overruled'],
  ['--address module.a.cloudflare_ruleset.b', 'an address in a module'],
  ['--source guess', 'an unknown source'],
])('%s is a usage error (%s)', async (flags) => {
  await start('enterprise');
  expect((await cli(`${FINISH} ${flags}`)).code).toBe(64);
  expect(seen(emulator)).toEqual([]);
});
