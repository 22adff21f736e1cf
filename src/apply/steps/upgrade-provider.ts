import { listed } from '../../core/lists';
import { posixQuote } from '../../core/posix-quote';
import { majorOf } from '../../plan/facts/provider-versions';
import { isStackFolder } from '../../project/cdktf-project';
import { lockedVersion, placesExcluding } from '../../project/provider-version';
import { readConfiguration, requireConfiguration } from '../../project/read-configuration';
import { runArgv, type StepExecutor, type StepPlace, type Undo } from '../apply-context';

/** Installs the provider that the version constraint allows. The user sets the constraint. */
export const upgradeProviderStep: StepExecutor = {
  isDone: isInstalled,
  async run(context) {
    // with another constraint, `init -upgrade` would change versions that the user has not chosen yet
    if ((await findOpen(context)).length > 0) return 'waiting';
    context.fault('upgrade-provider-before');
    for (const run of context.step.runs ?? []) await runArgv(run, context.options);
    if (!isInstalled(context)) return 'waiting';
    context.fault('upgrade-provider-after');
    return undefined;
  },
  findOpen,
  undo: undoUpgrade,
};

/** The version constraints that exclude the provider to install. */
async function findOpen(place: StepPlace): Promise<readonly string[]> {
  const configuration = await readConfiguration(place.planned.dir, place.folder);
  return configuration ? placesExcluding(wantedMajor(place), configuration.project) : [];
}

/** Earlier providers may accept the rulesets with another meaning (3.35 drops `enabled` of an override, measured). */
async function undoUpgrade({
  folder,
  step,
  planned,
  options,
}: StepPlace): Promise<Undo | undefined> {
  const { dir, provider } = planned;
  const before = majorOf(provider.from);
  const installed = lockedVersion(options.dir);
  const isReplaced = installed !== undefined && majorOf(installed) !== before;
  const configuration = await requireConfiguration(dir, folder).catch(() => undefined);
  // one that cannot be read still has to be undone
  const unread = isReplaced ? ['the configuration'] : [];
  const places = configuration ? placesExcluding(before, configuration.project) : unread;
  if (!isReplaced && places.length === 0) return undefined;
  const init = step.runs?.[0]?.argv.map(posixQuote).join(' ') ?? '';
  if (isStackFolder(options.dir)) {
    const undo = `restore the program from before, for example with git, and install its packages, which have the bindings of provider ${provider.from}. Synthesise once, after all of these steps. Then run ${init}`;
    return { undo, addresses: [] };
  }
  const rest = `restore rulesets that you wrote, if any, for the other provider, then run ${init}`;
  const undo =
    places.length === 0
      ? rest
      : `set the version constraint back to ${provider.from} in ${listed(places)}. Then ${rest}`;
  return { undo, addresses: [] };
}

/** Accepts any version of the major version, which determines the import ids of the next step. */
function isInstalled(place: StepPlace): boolean {
  const installed = lockedVersion(place.options.dir);
  return installed !== undefined && majorOf(installed) === wantedMajor(place);
}

function wantedMajor({ step, planned }: StepPlace) {
  return majorOf(step.provider ?? planned.provider.to);
}
