import { applySettings, makePlan } from '../support/apply-world';
import { runCli } from '../support/run-cli';
import { inWorld } from '../support/world';

const check = `check "neighbour" {
  data "terraform_remote_state" "neighbour" {
    backend = "local"
    config  = { path = "neighbour.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.neighbour.outputs != null
    error_message = "no outputs"
  }
}
`;
const neighbour = {
  ...{ version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'n', outputs: {} },
  ...{ resources: [], check_results: null },
};

it('a project whose check blocks read data, which Terraform counts as a change, comes to its end', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    lab.write('neighbour.tfstate', neighbour);
    lab.write('check.tf', check);
    await makePlan(world, 'removing');
    const cli = async (...args: string[]) => {
      const { code, stderr } = await runCli([...args, '--json'], {
        cwd: lab.dir,
        environment: lab.environment,
      });
      return [code, stderr.includes('TERRAFORM_PLAN_INVALID')];
    };
    expect(await cli('rehearse', 'plan.json')).toEqual([0, false]);
    expect(await cli('apply', 'plan.json', '--yes')).toEqual([0, false]);
    expect(await cli('verify', 'plan.json')).toEqual([0, false]);
  }));
