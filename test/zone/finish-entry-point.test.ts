import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import enterprise from '../../src/emulator/scenarios/enterprise.json';
import { blockersOf, CliLab, errorOf, jsonOf } from '../support/cli-lab';
import { writeInto } from '../support/temporary-folder';
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

const slow = (statusReads: number) => ({
  name: 'slow',
  include: ['enterprise'],
  settings: { switchDelay: { statusReads } },
});
/** An exception of the entry point. */
const office = {
  ...deploy(MANAGED),
  id: idOf('8', 2),
  ref: 'office',
  action: 'skip',
  expression: 'ip.src eq 192.0.2.1',
  action_parameters: { ruleset: 'current' },
  logging: { enabled: true },
};

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
        const ran = await lab.cli(`${FINISH} --stack ${file}`);
        expect(blockersOf(ran)).toEqual(['STACK_DIFFERS']);
        expect(ran.stderr).toMatch(/differs from the ruleset to send, first in: \S.*false/);
        expect(lab.puts()).toEqual([]);
        writeFileSync(path, text.replaceAll('\n', '\r\n'));
        if (provider === '5') expect((await lab.cli(`${FINISH} --stack ${file}`)).code).toBe(0);
      }
    },
  );

  test.each([
    [
      'other code in the line of an import',
      'cdktf',
      /^import \{ Ruleset \} (.*)$/m,
      'import { Ruleset as R } $1 class Ruleset extends R {}',
    ],
    [
      'the construct of another file',
      'cdktf',
      /^import \{ Ruleset \} .*$/m,
      'import { Ruleset } from "../lib-ruleset";',
    ],
    [
      'another member in the line of the comment',
      'tfjson',
      /^( {2}"\/\/": .*)$/m,
      '$1 "data": {},',
    ],
  ])('with %s is not the one that is sent', async (_, format, pattern, replacement) => {
    lab = await CliLab.of('enterprise');
    const line = `generate --zone ${ENTERPRISE} --format ${format} --out stacks --json`;
    const [file] = jsonOf(await lab.cli(line)).files;
    const text = lab.read(file);
    const changed = text.replace(pattern, replacement);
    writeFileSync(join(lab.cwd, file), changed);
    expect(changed).not.toBe(text);
    expect(blockersOf(await lab.cli(`${FINISH} --stack ${file}`))).toEqual(['STACK_DIFFERS']);
    expect(lab.puts()).toEqual([]);
  });

  test('is not read from what is no file', async () => {
    lab = await CliLab.of('enterprise');
    const { code, stderr } = await lab.cli(`${FINISH} --stack /dev/zero`);
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot read /dev/zero')]);
  });

  test('of a module is accepted', async () => {
    lab = await CliLab.of('enterprise');
    const address = '--address module.waf.cloudflare_ruleset.edge';
    const line = `generate --zone ${ENTERPRISE} --format hcl ${address} --out waf --json`;
    const [file] = jsonOf(await lab.cli(line)).files;
    expect((await lab.cli(`${FINISH} --stack ${file}`)).code).toBe(0);
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
    const text = lab.read(file);
    const others = {
      'mine.tf': '# no ruleset\n',
      'other.tf': text.replaceAll(ENTERPRISE, 'f'.repeat(32)),
      'cdk.tf.json': text,
    };
    const compare = `${FINISH} --config config.json --stack`;
    for (const [name, content] of Object.entries(others)) {
      writeFileSync(join(lab.cwd, name), content);
      const refused = await lab.cli(`${compare} ${name}`);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(`/${name} is not`),
      ]);
    }
    expect((await lab.cli(`${compare} ${file}`)).code).toBe(0);
  });
});

const aliased =
  'terraform {\n  required_providers {\n    cloudflare = {\n      source = "cloudflare/cloudflare"\n    }\n  }\n}\nprovider "cloudflare" {\n  alias = "prod"\n}\n';
const bindings = JSON.stringify({
  language: 'typescript',
  app: 'node main.js',
  terraformProviders: ['cloudflare/cloudflare@~> 5.19'],
});
const cdktn = '{"dependencies":{"cdktn":"^0.24.0"}}';
const onlyAlias = '{"provider":{"cloudflare":[{"alias":"prod"}]}}';

test.each<[string, string, Record<string, string>]>([
  ['of CDK Terrain', 'cdktf', { 'package.json': cdktn }],
  ['that is a construct of CDK Terrain', 'construct', { 'package.json': cdktn }],
  ['of a project with bindings', 'cdktf', { 's/cdktf.json': bindings }],
  [
    'that is a construct with a provider configuration',
    'construct',
    { 's/cdktf.json': bindings, 's/cdktf.out/stacks/a/cdk.tf.json': onlyAlias },
  ],
  ['with a provider configuration, in HCL', 'hcl', { 's/main.tf': aliased }],
  ['with a provider configuration, in Terraform JSON', 'tfjson', { 's/main.tf': aliased }],
])('a stack of another form %s is accepted', async (form, format, files) => {
  lab = await CliLab.of('enterprise');
  writeInto(lab.cwd, files);
  const line = `generate --zone ${ENTERPRISE} --format ${format} --out s --json`;
  const [file] = jsonOf(await lab.cli(line)).files;
  if (file.endsWith('.ts')) expect(lab.read(file)).toContain('.gen/providers');
  if (form.includes('configuration')) expect(lab.read(file)).toContain('cloudflare.prod');
  expect((await lab.cli(`${FINISH} --stack ${file}`)).code).toBe(0);
});

describe('an entry point that stands', () => {
  test('loses no rule', async () => {
    lab = await CliLab.of(oneZone({ rulesets: [entryPoint(office, deploy(CREDENTIALS))] }));
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

  describe('can be in Terraform, whose next apply would remove the new rules', () => {
    const note = '\nIf Terraform already has this entry point, apply nothing there';

    test('says finish of one zone', async () => {
      lab = await CliLab.of(oneZone({ rulesets: [entryPoint(office)] }));
      const { code, stdout } = await lab.cli(FINISH.replace(' --json', ''));
      expect([code, stdout]).toEqual([0, expect.stringContaining(note)]);
    });

    test('says finish of many zones', async () => {
      lab = await CliLab.of(oneZone({ rulesets: [entryPoint(office)] }));
      const asked = await lab.cli(`finish --zone ${ENTERPRISE} ${NAME}`);
      const [command = ''] = /finish .*--confirm \S+/.exec(asked.stderr) ?? [];
      const { code, stdout } = await lab.cli(command);
      expect([code, stdout]).toEqual([0, expect.stringContaining(note)]);
    });
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
    const listed = await lab.cli(`finish --zone ${ENTERPRISE} --source config`);
    expect([listed.code, listed.stderr]).toEqual([
      3,
      expect.stringContaining('(STANDING_RULE_DIFFERS)'),
    ]);
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

  test('in which another process changes the entry point is reported at the end', async () => {
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

describe('the order of a file', () => {
  const VALIDATE = `start-validation --zone ${ENTERPRISE} --yes --config`;
  const withDeploymentOff = () =>
    CliLab.of(oneZone({ ...enterprise.zones[0], rulesets: [entryPoint(deploy(MANAGED))] }));

  /** What the service proposes, with its exception before the deployment with this number. */
  async function saveWithExceptionAt(place: number): Promise<string[]> {
    const config = await lab.config();
    const [skips, others] = [true, false].map((is) =>
      config.rules.filter(({ action }: any) => (action === 'skip') === is),
    );
    config.rules = [...others!.slice(0, place), ...skips!, ...others!.slice(place)];
    lab.save('ordered.json', config);
    return config.rules.map(purpose);
  }
  const purpose = ({ action, action_parameters: parameters }: any): string =>
    `${action} ${String(parameters.id ?? '')}`;
  const sent = () => lab.puts().at(-1)!.body.rules.map(purpose);
  const FINISH_ORDERED = `${FINISH} --config ordered.json`;

  test('is sent, whatever stands', async () => {
    lab = await withDeploymentOff();
    const wanted = await saveWithExceptionAt(1);
    expect(wanted.indexOf('skip ')).toBe(1);
    expect((await lab.cli(`${VALIDATE} ordered.json`)).code).toBe(0);
    expect(sent()).toEqual(wanted);
    const moved = await saveWithExceptionAt(2);
    expect((await lab.cli(`${VALIDATE} ordered.json`)).code).toBe(0);
    expect(sent()).toEqual(moved);
  });

  test('is told where it is not the order that is proposed, before the last call and after it', async () => {
    lab = await withDeploymentOff();
    const wanted = await saveWithExceptionAt(1);
    const refused = await lab.cli(FINISH_ORDERED);
    expect(blockersOf(refused)).toEqual(['MIGRATION_CONFIG_CHANGED']);
    expect((await lab.cli(`${FINISH_ORDERED} --accept MIGRATION_CONFIG_CHANGED`)).code).toBe(0);
    expect(sent()).toEqual(wanted);
  });

  test('is declared by a stack of the file, once that has the name and the refs of the entry point', async () => {
    lab = await withDeploymentOff();
    await saveWithExceptionAt(1);
    const generate = `generate --zone ${ENTERPRISE} --config ordered.json --format hcl --out waf --force --json`;
    const [stack] = jsonOf(await lab.cli(generate)).files;
    const line = `${FINISH_ORDERED} --stack ${stack} --accept MIGRATION_CONFIG_CHANGED`;
    const refused = await lab.cli(line);
    expect(blockersOf(refused)).toEqual(['STACK_DIFFERS']);
    const file = JSON.parse(lab.read('ordered.json'));
    managedOf(file.rules).ref = 'ours';
    file.name = 'zone';
    lab.save('ordered.json', file);
    await lab.cli(generate);
    const run = await lab.cli(line);
    expect([run.code, jsonOf(run).findings.map(({ code }: any) => code)]).toEqual([
      0,
      ['MIGRATION_CONFIG_CHANGED'],
    ]);
  });
});

describe('an exception that would hold for new rules', () => {
  const standing = entryPoint({ ...office, enabled: true }, deploy(MANAGED, { enabled: true }));

  test('is a blocker, unless that is accepted', async () => {
    lab = await CliLab.of(oneZone({ rulesets: [standing] }));
    const line = `generate --zone ${ENTERPRISE} --format hcl --out waf --json`;
    const generated = await lab.cli(line);
    expect(generated.code).toBe(2);
    expect(jsonOf(generated).findings).toContainEqual(
      expect.objectContaining({ code: 'STANDING_EXCEPTION_WIDER', severity: 'decision' }),
    );
    for (const flags of ['', ' --source config']) {
      expect(blockersOf(await lab.cli(`${FINISH}${flags}`))).toEqual(['STANDING_EXCEPTION_WIDER']);
    }
    expect((await lab.cli(`${FINISH} --accept STANDING_EXCEPTION_WIDER`)).code).toBe(0);
  });

  test('is one with a file, too, which does not name it, and nothing says the reverse', async () => {
    lab = await CliLab.of(oneZone({ ...enterprise.zones[0], rulesets: [standing] }));
    const config = await lab.config();
    config.rules = config.rules.filter(({ action }: any) => action === 'execute');
    lab.save('file.json', config);
    const accepted = `${FINISH} --config file.json --accept MIGRATION_CONFIG_CHANGED --accept STANDING_RULE_NOT_IN_FILE`;
    const refused = await lab.cli(accepted);
    expect([refused.code, blockersOf(refused)]).toEqual([1, ['STANDING_EXCEPTION_WIDER']]);
    expect(lab.puts()).toEqual([]);
    const validation = `start-validation --zone ${ENTERPRISE} --yes --config file.json --json`;
    expect(jsonOf(await lab.cli(validation)).findings).toContainEqual(
      expect.objectContaining({ code: 'STANDING_EXCEPTION_WIDER', severity: 'info' }),
    );
    const run = await lab.cli(`${accepted} --accept STANDING_EXCEPTION_WIDER`);
    expect(run.code).toBe(0);
  });
});

/** Saves what the service proposes as `config.json`, and with other overrides as `other.json`. */
async function saveTwo(): Promise<void> {
  const config = await lab.config();
  managedOf(config.rules).action_parameters.overrides.rules.pop();
  lab.save('other.json', config);
}

test('the entry point is compared with what the last run sent, also where an earlier one tried the same', async () => {
  lab = await CliLab.of(slow(2));
  await saveTwo();
  const refused = { kind: 'status', method: 'PUT', path: '*/entrypoint', status: 400 } as const;
  const accepting = `${FINISH} --wait 0 --accept MIGRATION_CONFIG_CHANGED --config`;
  lab.emulator.setFaults([refused]);
  for (const file of ['config.json', 'other.json']) {
    expect((await lab.cli(`${accepting} ${file}`)).code).toBe(1);
  }
  lab.emulator.setFaults([]);
  expect((await lab.cli(`${accepting} config.json`)).code).toBe(2);
  const moved = await lab.cli(FINISH);
  expect([moved.code, jsonOf(moved).findings]).toEqual([0, []]);
});

test.each([
  ['changed by hand', (saved: object) => ({ ...saved, sends: null })],
  ['not from `finish`', () => ({})],
])('a backup that is %s is not compared', async (_, change) => {
  lab = await CliLab.of('enterprise');
  const { backup } = jsonOf(await lab.cli(FINISH));
  lab.save(backup, change(JSON.parse(lab.read(backup))));
  const again = await lab.cli(FINISH);
  expect([again.code, jsonOf(again).findings]).toEqual([0, []]);
});

test.each(['--stack', '--config'])('a missing file of %s is refused', async (flag) => {
  lab = await CliLab.of('enterprise');
  const missing = await lab.cli(`${FINISH} ${flag} missing`);
  expect([missing.code, errorOf(missing).code]).toEqual([1, 'FILE_UNREADABLE']);
});
