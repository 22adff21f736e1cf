import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import { FINISH, managedOf } from '../support/zones';

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
