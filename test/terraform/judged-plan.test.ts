import { judgeEmptyPlan } from '../../src/terraform/subcommands';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

/** Terraform, whose plans end with a code, and do so with one resource. */
function planning(code: number, action = 'update') {
  const shown = JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.11.4',
    planned_values: {},
    configuration: {},
    resource_changes: [{ address: 'a.b', change: { actions: [action], before: 1, after: 2 } }],
  });
  const dir = temporaryFolder();
  const body = `[ "$1" = show ] && { echo '${shown}'; exit 0; }; exit ${code}`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const options = { binary: fake.path, dir, environment: { PATH: process.env['PATH'] } };
  const calls = (): string[] =>
    fake.calls().map(([word = '', ...flags]) => {
      const saves = flags.some((flag) => flag.startsWith('-out='));
      return saves ? `${word} saved` : word;
    });
  const judge = (expectsNone: boolean, flags = ['-x']) =>
    judgeEmptyPlan(flags, options, expectsNone);
  return { judge, calls, words: () => fake.calls() };
}

describe('a plan that is to change nothing', () => {
  it('is not saved where it changes nothing', async () => {
    const { judge, calls } = planning(0);
    expect(await judge(true)).toMatchObject({ verdict: 'clean', differences: [] });
    expect(calls()).toEqual(['plan']);
  });

  it('is made once more where it would, and judged by its JSON', async () => {
    const { judge, calls } = planning(2);
    const { differences } = await judge(true);
    expect(differences).toMatchObject([{ address: 'a.b', actions: ['update'] }]);
    expect(calls()).toEqual(['plan', 'plan saved', 'show']);
  });

  it('is one that only reads data, as the `check` blocks of a project have it always', async () => {
    expect((await planning(2, 'read').judge(true)).verdict).toBe('clean');
  });

  it('is not one of which Terraform says that it changes something, and not what', async () => {
    await expect(planning(2, 'no-op').judge(true)).rejects.toMatchObject({
      code: 'TERRAFORM_PLAN_INVALID',
    });
  });

  it('is saved at once where differences are expected', async () => {
    const { judge, calls } = planning(2);
    expect((await judge(false)).differences).toHaveLength(1);
    expect(calls()).toEqual(['plan saved', 'show']);
  });

  it('waits for a lock, which the Terraform of a killed run may still hold', async () => {
    const { judge, words } = planning(2);
    await judge(true);
    const plans = words().filter(([word]) => word === 'plan');
    expect(plans.map((flags) => flags.includes('-lock-timeout=60s'))).toEqual([true, true]);
  });

  it.each(['-lock=false', '-lock-timeout=5s'])('waits as the user says: %s', async (flag) => {
    const { judge, words } = planning(0);
    await judge(true, [flag]);
    expect(words()[0]!.filter((word) => word.startsWith('-lock'))).toEqual([flag]);
  });

  it('fails where Terraform does', async () => {
    const { judge, calls } = planning(1);
    await expect(judge(true)).rejects.toMatchObject({ code: 'TERRAFORM_FAILED' });
    expect(calls()).toEqual(['plan']);
  });
});
