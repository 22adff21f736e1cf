import { join } from 'node:path';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { runCli } from '../support/run-cli';
import { errorOf } from './support/cli-with-emulator';

const zone = ['--zone', ZONE, '--ruleset-id', RULESET];
const plan = (name: string, ...flags: string[]) =>
  runCli(['plan', '--state', join(statesFolder, name), '--json', ...flags]);
const notices = (stdout: string): string[] =>
  JSON.parse(stdout)
    .findings.filter(({ code }: { code: string }) => code === 'PROVIDER_NEWER_THAN_TESTED')
    .map(
      ({ severity, message }: { severity: string; message: string }) => `${severity} ${message}`,
    );

describe('plan, to a provider version', () => {
  it.each(['5.0', '5.19.0', '5.21.1'])('%s is refused, with the reason', async (to) => {
    const ran = await plan('old-waf-3.35.tfstate', ...zone, '--from', '3.35.0', '--to', to);
    expect([ran.code, ran.stdout]).toEqual([64, '']);
    const { code, message, hint } = errorOf(ran);
    expect([code, hint]).toEqual(['USAGE', 'pass --to 5.22.0 or a later version']);
    expect(message).toContain(`provider ${to}`);
    expect(message).toContain('cannot read every state that 4.52 wrote');
  });

  it.each([
    ['3.35.0', '4.52.8', []],
    ['3.35.0', '5.22', []],
    ['5.19.0', undefined, []],
    ['4.52.8', '5.22.1', ['5.22.1 is newer than 5.22.0']],
    ['3.35.0', '5.28.0', ['5.28.0 is newer than 5.22.0']],
    ['4.52.9', '5.28.0', ['4.52.9 is newer than 4.52.8', '5.28.0 is newer than 5.22.0']],
    ['4.52.9', undefined, ['4.52.9 is newer than 4.52.8']],
  ])('from %s to %s works, and newer ones than tested are named', async (from, to, expected) => {
    const flags = to === undefined ? [] : ['--to', to];
    const { stdout } = await plan('old-waf-3.35.tfstate', ...zone, '--from', from, ...flags);
    expect(JSON.parse(stdout).steps.length).toBeGreaterThan(1);
    expect(notices(stdout)).toEqual(
      expected.map((text) => `info provider ${text}, the newest version that was tested`),
    );
  });

  it('that is newer than tested is named without a zone too', async () => {
    const { stdout } = await plan('filter-fwrule-4.52.8.tfstate', '--from', '5.28.0');
    expect(notices(stdout)).toHaveLength(1);
  });
});
