import { deploymentsOf } from '../../src/ruleset/protection';
import { CliLab, blockersOf, errorOf, jsonOf } from '../support/cli-lab';
import {
  CREDENTIALS,
  ENTERPRISE,
  MANAGED,
  MIGRATED,
  PRO,
  deploy,
  entryPoint,
  idOf,
  managedOf,
  oneZone,
} from '../support/zones';
import { seen } from '../support/over-emulator';

const VALIDATE = `start-validation --zone ${ENTERPRISE} --yes --json`;

let lab: CliLab;
afterEach(() => lab.emulator.stop());

test('both WAFs are on, and the new one has what the service proposes', async () => {
  lab = await CliLab.of('enterprise');
  const run = await lab.cli(VALIDATE);
  expect(run.code).toBe(0);
  expect(jsonOf(run)).toMatchObject({ migrationState: 'validation', oldWaf: 'on', newWaf: 'on' });
  expect(jsonOf(run).findings.map(({ code }: any) => code)).toEqual(['NEW_RULES_RUN_FIRST']);
  const [put] = lab.puts();
  expect(put?.query).toBe('waf_migration=validation&phase_two=1');
  expect(managedOf(put?.body.rules).ref).toBe(`execute_${MANAGED}`);
});

test.each([
  ['check', 'status'],
  ['status', 'review'],
  ['report', 'review'],
])('%s leads on in this mode with %s', async (command, next) => {
  lab = await CliLab.of('enterprise');
  await lab.cli(VALIDATE);
  const { stdout } = await lab.cli(`${command} --zone ${ENTERPRISE}`);
  expect(stdout).toMatch(new RegExp(`\\n {2}cf-waf-migrate ${next} --zone `));
});

test('--log-only deploys every new rule with log, and says who protects the zone meanwhile', async () => {
  lab = await CliLab.of('enterprise');
  const run = await lab.cli(`${VALIDATE} --log-only`);
  expect(run.code).toBe(0);
  expect(jsonOf(run).findings.map(({ code }: any) => code)).toContain('NEW_RULES_LOG');
  const { rules } = lab.puts()[0]!.body;
  const deployed = deploymentsOf(rules.map((rule: any) => ({ ...rule, fields: rule })));
  expect(deployed.map(({ effect }) => effect)).toEqual(['logs', 'logs']);
});

test('[S84] run again with a changed config it adjusts the mode, and rules keep their ids', async () => {
  lab = await CliLab.of('enterprise');
  const config = await lab.config();
  await lab.cli(VALIDATE);
  managedOf(config.rules).action_parameters.overrides = { action: 'log' };
  lab.save('edited.json', config);
  const again = await lab.cli(`${VALIDATE} --config edited.json`);
  expect(again.code).toBe(0);
  expect(jsonOf(again)).toMatchObject({ migrationState: 'validation', oldWaf: 'on', newWaf: 'on' });
  expect(jsonOf(again).findings.map(({ code }: any) => code)).toContain('MIGRATION_CONFIG_CHANGED');
  // this command has no --accept
  for (const { remedy } of jsonOf(again).findings) expect(remedy).not.toMatch(/pass --accept/);
  for (const flags of ['--yes', '--yes --quiet']) {
    const line = `start-validation --zone ${ENTERPRISE} --config edited.json ${flags}`;
    const { stdout, stderr } = await lab.cli(line);
    expect(`${stderr}${stdout}`.match(/\(MIGRATION_CONFIG_CHANGED\)/g)).toHaveLength(1);
  }
  const [first, second] = lab.puts();
  const [before, after] = [first, second].map((put) => managedOf(put?.body.rules));
  expect(after.ref).toBe(before.ref);
  expect(after.id).toMatch(/^[0-9a-f]{32}$/);
  expect(after.action_parameters.overrides).toEqual({ action: 'log' });
});

test('run again without one, it does not undo what was adjusted', async () => {
  lab = await CliLab.of('enterprise');
  const config = await lab.config();
  managedOf(config.rules).action_parameters.overrides = { action: 'log' };
  lab.save('edited.json', config);
  await lab.cli(`${VALIDATE} --config edited.json`);
  expect(blockersOf(await lab.cli(VALIDATE))).toEqual(['STANDING_RULE_DIFFERS']);
  expect((await lab.cli(`${VALIDATE} --source config`)).code).toBe(0);
  expect(managedOf(lab.puts()[1]?.body.rules).action_parameters.overrides).not.toEqual({
    action: 'log',
  });
});

test('--log-only can be run again without a file, unless a file was sent', async () => {
  lab = await CliLab.of('enterprise');
  const config = await lab.config();
  for (const run of [1, 2]) {
    const { code } = await lab.cli(`${VALIDATE} --log-only`);
    expect([run, code]).toEqual([run, 0]);
  }
  const [first, second] = lab.puts();
  expect(second?.body.rules.map(({ ref }: any) => ref)).toEqual(
    first?.body.rules.map(({ ref }: any) => ref),
  );
  const rules = [{ id: 'bba3d37891a440fb8bc95b970cbd9abc', enabled: false }];
  managedOf(config.rules).action_parameters.overrides = { rules };
  lab.save('edited.json', config);
  expect((await lab.cli(`${VALIDATE} --log-only --config edited.json`)).code).toBe(0);
  expect((await lab.cli(`${VALIDATE} --log-only`)).code).toBe(1);
});

test('a rule that stands is part of what is sent', async () => {
  lab = await CliLab.of(oneZone({ rulesets: [entryPoint(deploy(CREDENTIALS))] }));
  expect((await lab.cli(VALIDATE)).code).toBe(0);
  expect(lab.puts()[0]?.body.rules.map(({ ref }: any) => ref)).toContain('ours');
});

test('limits of the migration block only the last call', async () => {
  const filters = [
    { id: idOf('f', 1), expression: 'ssl' },
    { id: idOf('f', 2), expression: `http.host eq "${'a'.repeat(4096)}"` },
  ];
  const firewallRules = Array.from({ length: 201 }, (_, at) => ({
    ...{ id: idOf('a', at), filter: idOf('f', at === 0 ? 2 : 1), action: 'block' },
  }));
  lab = await CliLab.of(oneZone({ filters, firewallRules }));
  const run = await lab.cli(VALIDATE);
  expect(run.code).toBe(0);
  for (const code of ['TOO_MANY_FIREWALL_RULES', 'EXPRESSION_TOO_LONG']) {
    expect(jsonOf(run).findings).toContainEqual(
      expect.objectContaining({ code, severity: 'info' }),
    );
  }
  expect(lab.puts()).toHaveLength(1);
});

describe('is refused, and nothing changes,', () => {
  const override = { id: 'c'.repeat(32), urls: ['a.example/*'], rules: { '100001': 'block' } };
  const refused = async (line: string, codes: string[]) => {
    const run = await lab.cli(line);
    expect([run.code, errorOf(run).code]).toEqual([1, 'MIGRATION_BLOCKED']);
    expect(blockersOf(run)).toEqual(codes);
    expect(lab.puts()).toEqual([]);
  };

  test('for a zone that is not Enterprise', async () => {
    lab = await CliLab.of('pro');
    await refused(`start-validation --zone ${PRO} --yes --json`, ['VALIDATION_NOT_AVAILABLE']);
    expect(seen(lab.emulator)).toEqual([
      `GET /zones/${PRO}`,
      `GET /zones/${PRO}/waf_migration/check?phase_two=1`,
    ]);
  });

  test.each([
    ['with URI-based overrides', { overrides: [override] }, 'URI_OVERRIDE'],
    ['in which nothing would be on', { enabled: false }, 'NOTHING_IS_ON'],
  ])('for a zone %s', async (_, oldWaf, code) => {
    lab = await CliLab.of(oneZone({ oldWaf }));
    await refused(VALIDATE, [code]);
  });

  test('for a zone that the service does not let migrate for a reason that is not to be seen', async () => {
    lab = await CliLab.of(oneZone({ oldWaf: { overrides: [override] } }));
    const path = `/zones/${ENTERPRISE}/firewall/waf/overrides`;
    lab.emulator.setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
    await refused(VALIDATE, ['ZONE_NOT_COMPATIBLE']);
    const { findings } = errorOf(await lab.cli(VALIDATE));
    expect(findings.map(({ code }: any) => code)).toContain('NOT_CHECKED');
  });

  test('for a zone that is being moved, or has moved', async () => {
    lab = await CliLab.of({
      name: 'slow',
      include: ['enterprise'],
      settings: { switchDelay: { statusReads: 100 } },
    });
    await lab.cli(`finish --zone ${ENTERPRISE} --confirm shop.example.com --wait 0`);
    const run = await lab.cli(VALIDATE);
    expect(blockersOf(run)).toEqual(['MIGRATION_UNDER_WAY']);
    expect(lab.puts()).toHaveLength(1);
    await lab.emulator.stop();
    lab = await CliLab.of('migrated');
    // below Enterprise, too, it is not told to finish what is finished
    expect(lab.emulator.zones.find(({ id }) => id === MIGRATED)?.plan).toBe('business');
    await refused(`start-validation --zone ${MIGRATED} --yes --json`, ['ALREADY_MIGRATED']);
  });
});

describe('its call', () => {
  const put = { method: 'PUT', path: '*/entrypoint', times: 1 } as const;
  const lost = { kind: 'drop', when: 'after' } as const;
  const down = { kind: 'status', status: 503 } as const;

  test.each([
    ['without an answer', '', lost, 'API_UNREACHABLE'],
    ['that has not arrived, from the start,', '', down, 'API_UNAVAILABLE'],
    ['that has not arrived, in validation mode,', VALIDATE, down, 'API_UNAVAILABLE'],
  ])('%s fails, says how to find out, and can be repeated', async (_, before, fault, code) => {
    lab = await CliLab.of('enterprise');
    if (before !== '') await lab.cli(before);
    lab.emulator.setFaults([{ ...put, ...fault }]);
    const line = `${VALIDATE} --source config --log-only`;
    const failed = await lab.cli(line);
    expect([failed.code, errorOf(failed).code]).toEqual([1, code]);
    expect(errorOf(failed).hint).toContain('cf-waf-migrate status');
    expect((await lab.cli(line)).code).toBe(0);
  });

  test('has arrived, says the error, where what follows is answered with a server error', async () => {
    lab = await CliLab.of('enterprise');
    lab.emulator.setFaults([
      { kind: 'status', html: true, status: 500, method: 'GET', path: '*/status', after: 1 },
    ]);
    const failed = await lab.cli(VALIDATE);
    expect([failed.code, errorOf(failed).code]).toEqual([1, 'API_UNAVAILABLE']);
    expect(errorOf(failed).hint).toMatch(
      new RegExp(
        `^do not send the configuration again: .*:\\ncf-waf-migrate status --zone ${ENTERPRISE}$`,
      ),
    );
    lab.emulator.setFaults([]);
    expect(await lab.status()).toMatchObject({ migrationState: 'validation' });
  });
});
