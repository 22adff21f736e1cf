import { dirname } from 'node:path';
import { isProgram } from '../../../core/format-names';
import { objectOf, parseJson } from '../../../core/json';
import { attempt, MigrationError } from '../../../core/migration-error';
import { generate, type GenerateResult } from '../../../generate/generate';
import { unfinishedApplies, zoneStandings } from '../../../fleet/standings';
import { rootModuleOf } from '../../../project/read-configuration';
import { isOfZone, readDeclarations } from '../../../project/declarations';
import { type ReadSettings } from '../../../translate/source/legacy-settings';
import { readSettingsFromStates } from '../../../translate/source/settings-from-state';
import { applyLine } from '../../plans/plan-text';
import { type CliContext, defineCommand } from '../../context';
import { readCurrentEntries } from '../../many-zones/next-of-list';
import { isFleet, OF_MANY, refuseForOne } from '../../options';
import { findLatestRun } from '../../plans/earlier-run';
import { readRawStates } from '../../terraform';
import { givenZones, spelt } from '../../zones';
import { readInput } from './read-input';
import { chooseTarget, GENERATE, type GenerateOptions, type GenerateTarget } from './target';
import { generateMany } from './generate-many';
import { isInitialised, renderGenerated } from './render-generated';

export const generateCommand = defineCommand({
  example: 'generate --zone example.com --format hcl --out waf',
  flags: GENERATE,
  run: async (options, context) => {
    const isList = isFleet(options);
    const given = givenZones(options);
    // read once, and only if needed, because it may be standard input
    let settings: Promise<ReadSettings> | undefined;
    const readSettings = (): Promise<ReadSettings> =>
      (settings ??= readRawStates(options, context).then(readSettingsFromStates));
    const zones = isList || given.length > 0 ? given : zonesIn(await readSettings());
    const [zone, another] = zones;
    const isMany = zone === undefined || another !== undefined;
    const target = await chooseTarget(options, context, isMany);
    if (isMany) {
      return generateMany(isList ? options : { ...options, zone: zones }, context, target);
    }
    // the ledger of a list can name what needs the ruleset of one zone
    refuseForOne({ ...options, ledger: undefined }, OF_MANY);
    const input = await readInput(options, context, zone, readSettings);
    const { request, beside } = target;
    const result = await generate({ ...input, ...request, beside });
    // a manual step of an interrupted run generates, and a later one imports
    const isLive = result.resource.importId !== undefined;
    const run = isLive ? await findLatestRun(context) : undefined;
    const resume =
      run?.progress === 'begun'
        ? applyLine('', run.plan, {})
        : isLive
          ? commandOfList(input.zone.id, target, options, context)
          : undefined;
    const { modulePath, out } = request;
    const root = modulePath === '' ? out : await rootModuleOf(out);
    const above = isLive ? await declaredAbove(request, input.zone.id, result) : undefined;
    return renderGenerated(result, {
      zone: spelt(options, input.zone.id),
      target,
      options,
      cwd: context.cwd,
      resume,
      root,
      above,
    });
  },
});

/** The root module of the folder around an example, if it declares the ruleset; undefined if it does not. */
async function declaredAbove(
  { out, format }: GenerateTarget['request'],
  zoneId: string,
  { resource }: GenerateResult,
): Promise<string | undefined> {
  const above = dirname(out);
  if (isProgram(format) || isInitialised(out)) return undefined;
  const declared = await readDeclarations(above, format).catch(() => []);
  const isSame = declared.some(({ entryPoints }) =>
    entryPoints.some((one) => isOfZone(one, zoneId) ?? resource.address.endsWith(`.${one.name}`)),
  );
  return isSame ? ((await rootModuleOf(above)) ?? above) : undefined;
}

/** The command of a list that needs the generated ruleset of a zone: its interrupted `apply`, or the plan of its upgrade. */
function commandOfList(
  zone: string,
  { isUpgrade }: GenerateTarget,
  options: GenerateOptions,
  context: CliContext,
): string | undefined {
  const entries = attempt(() => readCurrentEntries(options, context)) ?? [];
  const unfinished = unfinishedApplies(entries, ['unknown', 'attention', 'failed']).get(zone);
  if (unfinished !== undefined || !isUpgrade) return unfinished?.command;
  const { plan } = zoneStandings(entries).find((one) => one.zone === zone)?.stages ?? {};
  const { to } = objectOf(parseJson(plan?.request ?? ''));
  return typeof to === 'string' ? plan?.command : undefined;
}

function zonesIn({ zones }: ReadSettings): string[] {
  const ids = zones.map(({ zoneId }) => zoneId);
  if (ids.length > 0) return ids;
  const message = 'the state has no legacy resource of a zone: pass --zone <id or name>';
  throw new MigrationError('USAGE', message);
}
