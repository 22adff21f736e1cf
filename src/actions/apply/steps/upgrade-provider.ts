import { join } from 'node:path';
import { allowedMajors } from '../../../model/allowed-majors';
import { majorOf, precedes } from '../../../plan/provider-version';
import { lockedVersion } from '../../locked-version';
import { requiredVersion } from '../../required-version';
import { type ApplyContext, stateOf, terraformOf } from '../apply-context';
import { type Step } from '../../../plan/plan';
import { runArgv } from '../run-argv';
import { type StepExecutor } from '../step-executor';
import { isRewritten } from './apply-refresh';

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

/**
 * Of the provider that stays, the major is enough. One on the way has to write entries that the next one reads,
 * and an earlier minor of it may not.
 */
async function isInstalled(step: Step, context: ApplyContext): Promise<boolean> {
  const installed = await installedVersion(step, context);
  if (installed === undefined) return false;
  const version = wanted(step, context);
  const isOnTheWay = majorOf(version) < majorOf(stateOf(context, step).planned.provider.to);
  if (!isOnTheWay) return majorOf(installed) >= majorOf(version);
  return majorOf(installed) > majorOf(version)
    ? wasPassed(step, context)
    : !precedes(installed, version.replace(/\.\d+$/, ''));
}

/** The provider of a later step may have been installed at once, which cannot read what this one is to write anew. */
function wasPassed({ state }: Step, context: ApplyContext): boolean {
  return context.plan.steps
    .filter((one) => one.kind === 'apply-refresh' && one.state === state)
    .every((one) => isRewritten(one, context));
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
