import { join } from 'node:path';
import { listed } from '../../core/lists';
import { posixQuote } from '../../core/posix-quote';
import { majorOf } from '../../plan/facts/provider-versions';
import { type Step } from '../../plan/plan-schema';
import { isStackFolder } from '../../project/cdktf-project';
import { lockedVersion, placesExcluding } from '../../project/provider-version';
import { readConfiguration, requireConfiguration } from '../../project/read-configuration';
import {
  type ApplyContext,
  plannedState,
  runArgv,
  type StepExecutor,
  type StepPlace,
  terraformOf,
  type Undo,
} from '../apply-context';

/** Installs the provider that the version constraint allows. The user sets the constraint. */
export const upgradeProviderStep: StepExecutor = {
  isDone: isInstalled,
  async run(step, context) {
    // with another constraint, `init -upgrade` would change versions that the user has not chosen yet
    if ((await findOpen(step, context)).length > 0) return 'waiting';
    context.fault('upgrade-provider-before');
    for (const run of step.runs ?? []) await runArgv(run, terraformOf(context, step));
    if (!isInstalled(step, context)) return 'waiting';
    context.fault('upgrade-provider-after');
    return undefined;
  },
  findOpen,
  undo: undoUpgrade,
};

/** The version constraints that exclude the provider to install. */
async function findOpen(step: Step, context: StepPlace): Promise<readonly string[]> {
  const configuration = await readConfiguration(plannedState(step, context).dir, context.folder);
  return configuration ? placesExcluding(wantedMajor(step, context), configuration.project) : [];
}

/** Earlier providers may accept the rulesets with another meaning (3.35 drops `enabled` of an override, measured). */
async function undoUpgrade(step: Step, context: StepPlace): Promise<Undo | undefined> {
  const { dir, provider } = plannedState(step, context);
  const before = majorOf(provider.from);
  const folder = join(context.folder, dir);
  const installed = lockedVersion(folder);
  const isReplaced = installed !== undefined && majorOf(installed) !== before;
  const configuration = await requireConfiguration(dir, context.folder).catch(() => undefined);
  // one that cannot be read still has to be undone
  const unread = isReplaced ? ['the configuration'] : [];
  const places = configuration ? placesExcluding(before, configuration.project) : unread;
  if (!isReplaced && places.length === 0) return undefined;
  const init = step.runs?.[0]?.argv.map(posixQuote).join(' ') ?? '';
  if (isStackFolder(folder)) {
    const undo = `restore the constructs and the version override from before, use the bindings of provider ${provider.from} again, synthesise, then run ${init}, in this order`;
    return { undo, addresses: [] };
  }
  const rest = `restore rulesets that you wrote for the other provider, then run ${init}`;
  const undo =
    places.length === 0
      ? rest
      : `set the version constraint back to ${provider.from} in ${listed(places)}. Then ${rest}`;
  return { undo, addresses: [] };
}

/** Accepts any version of the major version, which determines the import ids of the next step. */
function isInstalled(step: Step, context: ApplyContext): boolean {
  const installed = lockedVersion(terraformOf(context, step).dir);
  return installed !== undefined && majorOf(installed) === wantedMajor(step, context);
}

function wantedMajor(step: Step, context: StepPlace) {
  return majorOf(step.provider ?? plannedState(step, context).provider.to);
}
