import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import { ENTERPRISE, FINISH, managedOf } from '../support/zones';

const switchingAfter = (statusReads: number) => ({
  name: 'slow',
  include: ['enterprise'],
  settings: { switchDelay: { statusReads } },
});

let lab: CliLab;
afterEach(() => lab.emulator.stop());

/** Saves what the service proposes as `config.json`, and with other overrides as `other.json`. */
async function saveTwo(): Promise<void> {
  const config = await lab.config();
  managedOf(config.rules).action_parameters.overrides.rules.pop();
  lab.save('other.json', config);
}

async function generate(flags: string): Promise<string> {
  const line = `generate --zone ${ENTERPRISE} --format hcl --json ${flags}`;
  return jsonOf(await lab.cli(line)).files[0];
}

test('a configuration or a stack that is given when the call has arrived is not compared, and that is said', async () => {
  lab = await CliLab.of(switchingAfter(2));
  await saveTwo();
  const stack = await generate('--config other.json --out other');
  expect((await lab.cli(`${FINISH} --config config.json --wait 0`)).code).toBe(2);
  for (const flags of ['--config other.json', '--config config.json', `--stack ${stack}`]) {
    const run = await lab.cli(`${FINISH} ${flags}`);
    expect([run.code, jsonOf(run).findings]).toMatchObject([
      0,
      [{ code: 'NOT_COMPARED', severity: 'info' }],
    ]);
  }
  const plain = await lab.cli(FINISH);
  expect([plain.code, jsonOf(plain).findings]).toEqual([0, []]);
  expect(lab.puts()).toHaveLength(1);
});

test('the entry point is compared with what the last run sent, also where an earlier one tried the same', async () => {
  lab = await CliLab.of(switchingAfter(2));
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
