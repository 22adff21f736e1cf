import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliLab, blockersOf, jsonOf } from '../support/cli-lab';
import {
  CREDENTIALS,
  ENTERPRISE,
  FINISH,
  MANAGED,
  NAME,
  OWASP,
  deploy,
  entryPoint,
  idOf,
  managedOf,
  oneZone,
} from '../support/zones';

let lab: CliLab;
afterEach(() => lab.emulator.stop());

describe('the stack', () => {
  test.each(['cdktf', 'hcl', 'tfjson'])(
    'of format %s is compared with what is sent',
    async (format) => {
      lab = await CliLab.of('enterprise');
      for (const provider of ['3', '4', '5']) {
        const line = `generate --zone ${ENTERPRISE} --format ${format} --provider ${provider} --out ${provider} --json`;
        const [file] = jsonOf(await lab.cli(line)).files;
        const path = join(lab.cwd, file);
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace('true', 'false'));
        expect(blockersOf(await lab.cli(`${FINISH} --stack ${file}`))).toEqual(['STACK_DIFFERS']);
        expect(lab.puts()).toEqual([]);
        writeFileSync(path, text.replaceAll('\n', '\r\n'));
        if (provider === '5') expect((await lab.cli(`${FINISH} --stack ${file}`)).code).toBe(0);
      }
    },
  );

  test('of a module is found by the address that it was generated for', async () => {
    lab = await CliLab.of('enterprise');
    const name = 'module.waf["shop"].cloudflare_ruleset.edge';
    const address = `--address ${name}`;
    const line = `generate --zone ${ENTERPRISE} --format hcl ${address} --out waf --json`;
    const [file] = jsonOf(await lab.cli(line)).files;
    const { code, stdout } = await lab.cli(
      `${FINISH.replace(' --json', '')} --stack ${file} ${address}`,
    );
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`terraform import '${name}' zone/`),
    ]);
  });

  test('of a zone with an entry point declares what stands there too', async () => {
    lab = await CliLab.of(oneZone({ rulesets: [entryPoint(deploy(CREDENTIALS))] }));
    const [file] = jsonOf(
      await lab.cli(`generate --zone ${ENTERPRISE} --format hcl --out waf --json`),
    ).files;
    expect(lab.read(file)).toContain(CREDENTIALS);
    expect((await lab.cli(`${FINISH} --stack ${file}`)).code).toBe(0);
    expect(lab.puts()[0]?.body.rules[0]).toMatchObject({ id: idOf('8', 1), ref: 'ours' });
  });

  test('that was made offline from a saved answer is compared too', async () => {
    lab = await CliLab.of('enterprise');
    await lab.config();
    const line = `generate --zone ${ENTERPRISE} --config config.json --format hcl --out waf --address cloudflare_ruleset.waf --json`;
    const [file] = jsonOf(await lab.cli(line)).files;
    const compare = `${FINISH} --config config.json --stack ${file}`;
    expect(blockersOf(await lab.cli(compare))).toEqual(['STACK_DIFFERS']);
    expect((await lab.cli(`${compare} --address cloudflare_ruleset.waf`)).code).toBe(0);
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
    lab = await CliLab.of(oneZone({ rulesets: [entryPoint(skip, deploy(CREDENTIALS))] }));
    const run = await lab.cli(FINISH);
    expect(run.code).toBe(0);
    const { rules } = lab.puts()[0]!.body;
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
    lab = await CliLab.of('enterprise');
    const config = await lab.config();
    delete managedOf(config.rules).action_parameters.overrides;
    lab.save('edited.json', config);
    const adjust = `start-validation --zone ${ENTERPRISE} --yes --config edited.json`;
    expect((await lab.cli(adjust)).code).toBe(0);
    expect(blockersOf(await lab.cli(FINISH))).toEqual(['STANDING_RULE_DIFFERS']);
    expect((await lab.status(ENTERPRISE)).migrationState).toBe('validation');
    expect((await lab.cli(`${FINISH} --source live`)).code).toBe(0);
    const sent = lab.emulator.requests().filter(({ query }) => query.includes('pending'));
    const { rules } = sent[0]?.body as any;
    expect(managedOf(rules).action_parameters.overrides).toBeUndefined();
  });

  test('that a saved answer does not know is not lost either', async () => {
    lab = await CliLab.of(oneZone({ rulesets: [entryPoint(deploy(CREDENTIALS))] }));
    await lab.config();
    expect(blockersOf(await lab.cli(`${FINISH} --config config.json`))).toEqual([
      'STANDING_RULE_NOT_IN_FILE',
    ]);
    const line = `${FINISH} --config config.json --accept STANDING_RULE_NOT_IN_FILE`;
    expect((await lab.cli(line)).code).toBe(0);
    expect(lab.puts()[0]?.body.rules[0].ref).toBe('ours');
  });

  test('without rules gets those of the configuration, under its own name', async () => {
    lab = await CliLab.of(oneZone({ rulesets: [entryPoint()] }));
    const run = await lab.cli(FINISH);
    expect(run.code).toBe(0);
    expect(jsonOf(run).ruleset.id).toBe(idOf('9', 1));
    expect(lab.puts()[0]?.body).toMatchObject({ name: 'zone' });
  });
});

describe('a switch that takes time', () => {
  const slow = (statusReads: number) => ({
    name: 'slow',
    include: ['enterprise'],
    settings: { switchDelay: { statusReads } },
  });

  test('is waited for, with a word on what for', async () => {
    lab = await CliLab.of(slow(2));
    const run = await lab.cli(`finish --zone ${ENTERPRISE} --confirm ${NAME}`);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(
      'waiting for Cloudflare to switch (legacy WAF on, new WAF on, state pending)',
    );
    expect(run.stdout).toContain('is migrated');
  });

  test('longer than the bound leaves with 2, and the same command goes on', async () => {
    lab = await CliLab.of(slow(4));
    const first = await lab.cli(`${FINISH} --wait 0`);
    expect(first.code).toBe(2);
    expect(jsonOf(first)).toMatchObject({ migrationState: 'pending', moved: false });
    expect(jsonOf(first)).not.toHaveProperty('ruleset');
    const second = await lab.cli(`${FINISH} --wait 10`);
    expect(second.code).toBe(0);
    expect(jsonOf(second)).toMatchObject({
      migrationState: 'complete',
      ruleset: { id: expect.any(String) as string },
    });
    expect(lab.puts()).toHaveLength(1);
  });

  test('in which somebody changes the entry point is told at the end', async () => {
    lab = await CliLab.of(slow(3));
    expect((await lab.cli(`${FINISH} --wait 0`)).code).toBe(2);
    const { body } = lab.puts()[0]!;
    const path = `${lab.emulator.baseUrl}/zones/${ENTERPRISE}/rulesets/phases/http_request_firewall_managed/entrypoint`;
    const { token } = lab.emulator.credentials;
    const answer = await fetch(path, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, rules: body.rules.slice(1) }),
    });
    expect(answer.status).toBe(200);
    const run = await lab.cli(`${FINISH} --wait 10`);
    expect(run.code).toBe(2);
    expect(jsonOf(run).findings).toMatchObject([{ code: 'ENTRY_POINT_DIFFERS' }]);
  });
});
