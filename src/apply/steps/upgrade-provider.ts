import { join } from 'node:path';
import { allowedMajors } from '../../core/provider-majors';
import { majorOf } from '../../plan/provider-versions';
import { lockedVersion, requiredVersion } from '../../project/provider-version';
import { type ApplyContext, stateOf, type StepExecutor, terraformOf } from '../apply-context';
import { type Step } from '../../plan/plan';
import { runArgv } from '../run-argv';

/** `upgrade-provider`: installs what the constraint allows; the constraint itself is the user's. */
export const upgradeProviderStep: StepExecutor = {
  isDone: isInstalled,
  async run(step, context) {
    if (!(await isAllowed(step, context))) return 'waiting';
    context.fault('upgrade-provider-before');
    for (const run of step.runs ?? []) await runArgv(run, terraformOf(context, step));
    if (!(await isInstalled(step, context))) return 'waiting';
    context.fault('upgrade-provider-after');
    return undefined;
  },
};

/** Any version of the major: the import ids of the next step are those of its major. */
async function isInstalled(step: Step, context: ApplyContext): Promise<boolean> {
  const installed = await installedVersion(step, context);
  return installed !== undefined && majorOf(installed) === majorOf(wanted(step, context));
}

/** Under another constraint `init -upgrade` would change what the user has not asked for yet. */
async function isAllowed(step: Step, context: ApplyContext): Promise<boolean> {
  const required = await requiredVersion(join(context.folder, stateOf(context, step).planned.dir));
  const major = majorOf(wanted(step, context));
  return required === undefined || allowedMajors(required.constraint).some((one) => one === major);
}

async function installedVersion(step: Step, context: ApplyContext): Promise<string | undefined> {
  return lockedVersion(join(context.folder, stateOf(context, step).planned.dir));
}

function wanted(step: Step, context: ApplyContext): string {
  return step.provider ?? stateOf(context, step).planned.provider.to;
}
