import { join } from 'node:path';
import { MigrationError } from '../../../model/migration-error';
import { majorOf, precedes } from '../../../plan/provider-version';
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
      const installed = (await installedVersion(step, context)) ?? 'none';
      throw new MigrationError(
        'PROVIDER_NOT_UPGRADED',
        `init -upgrade did not install provider ${wanted(step, context)}: installed is ${installed}`,
      );
    }
    context.fault('upgrade-provider-after');
  },
};

/**
 * Of the provider that stays, the major is enough. One on the way has to write entries that the next one reads,
 * and an earlier minor of it may not.
 */
async function isInstalled(step: Step, context: ApplyContext): Promise<boolean> {
  const installed = await installedVersion(step, context);
  if (installed === undefined) return false;
  const version = wanted(step, context);
  const isOnTheWay = majorOf(version) < majorOf(stateOf(context, step).planned.provider.to);
  // a later major is of a later step: this one was passed
  return isOnTheWay
    ? !precedes(installed, version.replace(/\.\d+$/, ''))
    : majorOf(installed) >= majorOf(version);
}

async function installedVersion(step: Step, context: ApplyContext): Promise<string | undefined> {
  return lockedVersion(join(context.folder, stateOf(context, step).planned.dir));
}

function wanted(step: Step, context: ApplyContext): string {
  return step.provider ?? stateOf(context, step).planned.provider.to;
}
