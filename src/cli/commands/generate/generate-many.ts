import { relative } from 'node:path';
import { isProgram } from '../../../core/format-names';
import { MigrationError } from '../../../core/migration-error';
import { writeFiles } from '../../../files/write-files';
import { synthesis } from '../../../generate/existing-project';
import { generate } from '../../../generate/generate';
import { readSource } from '../../../generate/read-source';
import { hasFolder } from '../../../fleet/group-zones';
import { readResult } from '../../../fleet/ledger';
import { type ResolvedZones } from '../../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../../fleet/run-fleet';
import { readDeclarations } from '../../../project/declarations';
import { type CliContext, type CommandResult } from '../../context';
import { forZones } from '../../fleet/for-zones';
import { PLAN_INSTEAD } from '../../fleet/next-of-list';
import { refuseMisplaced } from '../../fleet/listed-folders';
import { commandForSameZones, commandOf, refuseForMany } from '../../options';
import { type GenerateOptions, type GenerateTarget } from './target';
import { addByHand, chosenSource, noteOnProject, renderGenerated } from './render-generated';

/** Generates the stacks of many zones: all of one format, in one folder. */
export async function generateMany(
  options: GenerateOptions,
  context: CliContext,
  target: GenerateTarget,
): Promise<CommandResult> {
  const { source, config, state, dir } = options;
  const { request, beside, project } = target;
  refuseForMany(options, { config, state, dir });
  if (source === 'state' || source === 'old') {
    throw new MigrationError('USAGE', `--source ${source} is for one zone at a time`);
  }
  // read once, because otherwise each of a thousand zones would read the files of all others
  const declared = await readDeclarations(request.out, request.format);
  const written = new Set<string>();
  const folder = relative(context.cwd, project ?? context.cwd);
  let how: readonly string[] = [];
  let instead: readonly string[] = [];
  return forZones(options, context, {
    stage: 'generate',
    next: (outcomes, { refused }) =>
      outcomes.length + refused.length === 0
        ? commandForSameZones('plan', options, { out: 'plans' })
        : nextOfMany(outcomes, options, target),
    repeats: () => false,
    before: (usual) => (how.length === 0 ? usual : { task: 'all of this', folder }),
    conclude: (outcomes) => {
      const byHand = new Set(outcomes.flatMap((one) => readResult(one).byHand));
      if (project !== undefined && isFinal(outcomes))
        how = synthesis(project, request.format, context.cwd, '*');
      const byHandLines = addByHand([...byHand], isFinal(outcomes));
      return [...instead, ...byHandLines, ...noteOnProject(target), ...how];
    },
    // `finish` can have migrated the zone since
    holds: (entry) => source !== 'auto' || readResult(entry).source === 'live',
    // `--force` does not change the result
    request: { source, ...request, force: undefined },
    prepare: async (all) => {
      if (!all.zones.some(hasFolder)) instead = [PLAN_INSTEAD];
      writeFiles(beside, { force: request.force, links: false });
      return withoutFolders(await refuseMisplaced(all, options, context));
    },
    perform: async (client, zone) => {
      const read = await readSource(client, zone.id, source);
      const result = await generate({ ...request, zone, source: read, run: { declared, written } });
      const run = { zone: zone.id, target, options, cwd: context.cwd, moved: read.isMigrated };
      return renderGenerated(result, run);
    },
  });
}

function nextOfMany(
  outcomes: readonly ZoneOutcome[],
  options: GenerateOptions,
  { project, request, existing }: GenerateTarget,
): string | undefined {
  if (outcomes.some((one) => readResult(one).source === 'config')) {
    return commandForSameZones('finish', options, { source: chosenSource(options) });
  }
  // the next command is for another folder, and follows what is run there
  if (project !== undefined) {
    // with its zones, a plan finds the stacks that the program does not have
    const zones = existing?.main === undefined ? undefined : options.zone;
    return isFinal(outcomes) ? commandOf('plan', { zone: zones }) : undefined;
  }
  return isProgram(request.format)
    ? commandForSameZones('status', options)
    : commandOf('plan', { dir: options.out });
}

/** Skips the zones with a folder: two states would own the ruleset. */
function withoutFolders({ zones, refused }: ResolvedZones) {
  const skipped = zones.filter(hasFolder).map((zone) => ({
    ...zone,
    line: 'its ruleset belongs to its folder in the list: plan it',
  }));
  return { found: { zones: zones.filter((zone) => !hasFolder(zone)), refused }, skipped };
}

/** Whether the zones of a list that have a stack have that of their live ruleset. */
const isFinal = (outcomes: readonly ZoneOutcome[]): boolean => {
  const sources = outcomes.map((one) => readResult(one).source);
  return sources.includes('live') && !sources.includes('config');
};
