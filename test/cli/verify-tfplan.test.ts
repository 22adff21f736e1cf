import { appliedFolder, OLD, RULESET } from '../support/applied-folder';

const planOf = (...changes: [string, string][]) =>
  JSON.stringify({
    ...{ format_version: '1.2', terraform_version: '1.11.4' },
    ...{ planned_values: {}, configuration: {} },
    resource_changes: changes.map(([action, address]) => ({
      address,
      change:
        action === 'import'
          ? { actions: ['no-op'], importing: { id: 'x' } }
          : { actions: [action] },
    })),
  });
/** Judges a plan of Terraform by a plan that imports one ruleset and forgets one old resource. */
async function judge(text: string, flags: string[] = ['--json']) {
  const { cli, write, plan } = appliedFolder();
  write('plan.json', JSON.stringify(plan));
  write('tfplan.json', text);
  return cli('verify', 'plan.json', '--tfplan', 'tfplan.json', ...flags);
}
const addressesOf = ({ stdout }: { stdout: string }) =>
  (JSON.parse(stdout) as { differences: { address: string }[] }).differences.map(
    ({ address }) => address,
  );

describe('verify --tfplan', () => {
  it('lets through what the plan imports and forgets, all or what is left of it', async () => {
    const all = planOf(['import', `${RULESET}.a`], ['forget', `${OLD}.a`]);
    for (const text of [all, planOf(['forget', `${OLD}.a`]), planOf()]) {
      expect((await judge(text)).code).toBe(0);
    }
  });

  it('names what another project imports or forgets', async () => {
    const ran = await judge(planOf(['import', `${RULESET}.b`], ['forget', 'aws_instance.web']));
    expect([ran.code, addressesOf(ran)]).toEqual([2, [`${RULESET}.b`, 'aws_instance.web']]);
  });

  it('promises of a plan without a change no more than it has looked at', async () => {
    const { stdout } = await judge(planOf(), []);
    expect(stdout).toContain('The plan of Terraform changes nothing');
    expect(stdout).not.toContain('as the plan promised');
  });

  it('says of what is no plan one sentence, and nothing of how it was read', async () => {
    const { code, stderr } = await judge('{"version":4}');
    const { error } = JSON.parse(stderr) as { error: object };
    expect([code, error]).toEqual([
      1,
      expect.objectContaining({ message: 'not the JSON of a Terraform plan', causes: [] }),
    ]);
  });
});
