import { ignoredArguments, terraformEnvironment } from '../../src/terraform/terraform-environment';

describe('the environment of Terraform', () => {
  it.each(['TF_CLI_ARGS', 'TF_CLI_ARGS_plan', 'TF_LOG', 'TF_INPUT', 'Tf_Cli_Args', 'tf_log'])(
    'is without %s, which Windows takes in any case',
    (name) => {
      expect(terraformEnvironment({ [name]: '-destroy', TF_WORKSPACE: 'prod' })).toEqual({
        TF_WORKSPACE: 'prod',
        TF_IN_AUTOMATION: '1',
        CHECKPOINT_DISABLE: '1',
      });
    },
  );

  it('names the arguments that are left out, and no empty ones', () => {
    const environment = { tf_cli_args_plan: '-lock=false', TF_CLI_ARGS: '', TF_LOG: 'trace' };
    expect(ignoredArguments(environment)).toEqual(['tf_cli_args_plan']);
  });
});
