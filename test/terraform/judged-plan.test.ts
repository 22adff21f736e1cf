import { judgeEmptyPlan } from '../../src/terraform/judged-plan';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

const shown = JSON.stringify({
  format_version: '1.2',
  terraform_version: '1.11.4',
  planned_values: {},
  configuration: {},
  resource_changes: [{ address: 'a.b', change: { actions: ['update'], before: 1, after: 2 } }],
});

/** Terraform, whose plans end with a code. */
function planning(code: number) {
  const dir = temporaryFolder();
  const body = `[ "$1" = show ] && { echo '${shown}'; exit 0; }; exit ${code}`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const options = { binary: fake.path, dir, environment: { PATH: process.env['PATH'] } };
  const calls = (): string[] =>
    fake.calls().map(([word = '', ...flags]) => {
      const saves = flags.some((flag) => flag.startsWith('-out='));
      return saves ? `${word} saved` : word;
    });
  return { judge: (expectsNone: boolean) => judgeEmptyPlan(['-x'], options, expectsNone), calls };
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

  it('is saved at once where differences are expected', async () => {
    const { judge, calls } = planning(2);
    expect((await judge(false)).differences).toHaveLength(1);
    expect(calls()).toEqual(['plan saved', 'show']);
  });

  it('fails where Terraform does', async () => {
    const { judge, calls } = planning(1);
    await expect(judge(true)).rejects.toMatchObject({ code: 'TERRAFORM_FAILED' });
    expect(calls()).toEqual(['plan']);
  });
});
