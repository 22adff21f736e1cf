import { join } from 'node:path';
import { MigrationError } from '../../../model/migration-error';
import { printable } from '../../../model/printable';
import { majorOf, precedes } from '../../../plan/provider-version';
import { lockedVersion } from '../../locked-version';
import { type ApplyContext, stateOf, terraformOf } from '../apply-context';
import { type Step } from '../../../plan/plan';
import { runArgv } from '../run-argv';
import { type StepExecutor } from '../step-executor';
import { isRewritten } from './apply-refresh';

/** `upgrade-provider`: installs what the constraint allows; the constraint itself is the user's. */
export const upgradeProviderStep: StepExecutor = {
  isDone: isInstalled,
  async run(step, context) {
    context.fault('upgrade-provider-before');
    for (const run of step.runs ?? []) await runArgv(run, terraformOf(context, step));
    if (!(await isInstalled(step, context))) {
      const installed = (await installedVersion(step, context)) ?? 'none';
      const place = printable(join(context.folder, stateOf(context, step).planned.dir));
      throw new MigrationError(
        'PROVIDER_NOT_UPGRADED',
        `init -upgrade did not install provider ${wanted(step, context)} in ${place}: installed is ${installed}`,
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

async function installedVersion(step: Step, context: ApplyContext): Promise<string | undefined> {
  return lockedVersion(join(context.folder, stateOf(context, step).planned.dir));
}

function wanted(step: Step, context: ApplyContext): string {
  return step.provider ?? stateOf(context, step).planned.provider.to;
}
