import enterprise from '../../src/emulator/scenarios/enterprise.json';
import { CliLab, blockersOf, errorOf, jsonOf } from '../support/cli-lab';
import {
  ENTERPRISE,
  FINISH,
  MANAGED,
  deploy,
  entryPoint,
  idOf,
  managedOf,
  oneZone,
} from '../support/zones';

let lab: CliLab;
afterEach(() => lab.emulator.stop());

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
  const skip = {
    ...deploy(MANAGED),
    id: idOf('8', 2),
    ref: 'office',
    action: 'skip',
    expression: 'ip.src eq 192.0.2.1',
    enabled: true,
    action_parameters: { ruleset: 'current' },
  };
  const standing = entryPoint(skip, deploy(MANAGED, { enabled: true }));

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
    const { message } = errorOf(refused).findings.find(
      ({ code }: any) => code === 'STANDING_RULE_NOT_IN_FILE',
    );
    expect(message).toContain('The rule stays, and would also apply to new rules');
    expect(lab.puts()).toEqual([]);
    const validation = `start-validation --zone ${ENTERPRISE} --yes --config file.json --json`;
    expect(jsonOf(await lab.cli(validation)).findings).toContainEqual(
      expect.objectContaining({ code: 'STANDING_EXCEPTION_WIDER', severity: 'info' }),
    );
    const run = await lab.cli(`${accepted} --accept STANDING_EXCEPTION_WIDER`);
    expect(run.code).toBe(0);
  });
});
