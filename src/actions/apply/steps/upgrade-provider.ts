import { join } from 'node:path';
import { MigrationError } from '../../../model/migration-error';
import { majorOf } from '../../../plan/provider-version';
import { lockedVersion } from '../../locked-version';
import { type ApplyContext, stateOf, terraformOf } from '../apply-context';
import { type Step } from '../../../plan/plan';
import { runArgv } from '../run-argv';
import { type StepExecutor } from '../step-executor';

/** `upgrade-provider`: installs what the constraint allows; the constraint itself is the user's. */
export const upgradeProviderStep: StepExecutor = {
  isDone: isInstalled,
  async run(step, context) {
    context.fault('upgrade-provider-before');
    for (const run of step.runs ?? []) await runArgv(run, terraformOf(context, step));
    if (!(await isInstalled(step, context))) {
      throw new MigrationError(
        'PROVIDER_NOT_UPGRADED',
        `init -upgrade did not install provider ${wanted(step, context)}`,
      );
    }
    context.fault('upgrade-provider-after');
  },
};

async function isInstalled(step: Step, context: ApplyContext): Promise<boolean> {
  const { dir } = stateOf(context, step).planned;
  const installed = await lockedVersion(join(context.folder, dir));
  // a later one is of a later step: this one was passed
  return installed !== undefined && majorOf(installed) >= majorOf(wanted(step, context));
}

function wanted(step: Step, context: ApplyContext): string {
  return step.provider ?? stateOf(context, step).planned.provider.to;
}
