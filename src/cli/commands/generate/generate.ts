import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findingCodes, renderFindings, isOpenFinding } from '../../../core/finding';
import { isProgram } from '../../../core/format-names';
import { objectOf, parseJson } from '../../../core/json';
import { attempt, MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { writeFiles } from '../../../files/write-files';
import {
  ADD_OVERRIDE,
  constructSteps,
  manualSteps,
  otherLanguage,
  synthesis,
} from '../../../generate/existing-project';
import { generate, type GenerateResult } from '../../../generate/generate';
import { readSource } from '../../../generate/read-source';
import { hasFolder } from '../../../fleet/group-zones';
import { readResult } from '../../../fleet/ledger';
import { type ResolvedZones } from '../../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../../fleet/run-fleet';
import { unfinishedApplies, zoneStandings } from '../../../fleet/standings';
import { rootModuleOf } from '../../../project/read-configuration';
import { isOfZone, readDeclarations } from '../../../project/declarations';
import { type ReadSettings } from '../../../translate/source/legacy-settings';
import { readSettingsFromStates } from '../../../translate/source/settings-from-state';
import { applyLine } from '../../plans/plan-text';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { withoutRolledBack } from '../../../fleet/read-plans';
import { forZones, type ZoneResult } from '../../many-zones/for-zones';
import { PLAN_INSTEAD, readEntries } from '../../many-zones/next-of-list';
import { refuseMisplaced } from '../../many-zones/listed-folders';
import { commandOf, isFleet, refuseForMany, sameZones } from '../../options';
import { findLatestRun } from '../../plans/earlier-run';
import { readRawStates } from '../../terraform';
import { givenZones, spelt } from '../../zones';
import { readInput } from './read-input';
import { chooseTarget, GENERATE, type GenerateOptions, type GenerateTarget } from './target';

export const generateCommand = defineCommand({
  example: 'generate --zone example.com --format hcl --out waf',
  flags: GENERATE,
  run: async (options, context) => {
    // the ledger of a list can name what needs the ruleset of one zone
    const isList = isFleet({ ...options, ledger: undefined });
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
    const input = await readInput(options, context, zone, readSettings);
    const { request, beside } = target;
    const result = await generate({ ...input, ...request, beside });
    // a manual step of an interrupted run generates, and a later one imports
    const isLive = result.resource.importId !== undefined;
    const run = isLive ? await findLatestRun(context) : undefined;
    const resume =
      run?.isOpen === true
        ? applyLine('', run.plan, {})
        : isLive
          ? commandOfList(input.zone.id, target, options, context)
          : undefined;
    const { modulePath, out } = request;
    const root = modulePath === '' ? out : await rootModuleOf(out);
    const above = isLive ? await declaredAbove(request, input.zone.id, result) : undefined;
    return report(result, input.zone.id, {
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

/** Such a folder has a state of its own, and is no example. */
const isInitialised = (folder: string): boolean => existsSync(join(folder, '.terraform'));

/** The command of a list that needs the generated ruleset of a zone: its interrupted `apply`, or the plan of its upgrade. */
function commandOfList(
  zone: string,
  { isUpgrade }: GenerateTarget,
  options: GenerateOptions,
  context: CliContext,
): string | undefined {
  const entries =
    attempt(() => withoutRolledBack(readEntries(options, context), context.cwd)) ?? [];
  const unfinished = unfinishedApplies(entries, ['unknown', 'attention', 'failed']).get(zone);
  if (unfinished !== undefined || !isUpgrade) return unfinished;
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

async function generateMany(
  options: GenerateOptions,
  context: CliContext,
  target: GenerateTarget,
): Promise<CommandResult> {
  const { source, config, state, dir } = options;
  const { request, beside, project, existing } = target;
  refuseForMany({ config, state, dir });
  if (source === 'state' || source === 'old') {
    throw new MigrationError('USAGE', `--source ${source} is for one zone at a time`);
  }
  // read once, because otherwise each of a thousand zones would read the files of all others
  const declared = await readDeclarations(request.out, request.format);
  const written = new Set<string>();
  const folder = relative(context.cwd, project ?? context.cwd);
  let how: readonly string[] = [];
  let instead: readonly string[] = [];
  const hasLines = request.format === 'construct' || existing?.main !== undefined;
  if (hasLines)
    context.notify('the lines to add by hand are in --json (byHand, resource.importId)');
  return forZones(options, context, {
    stage: 'generate',
    next: (outcomes) => nextOfMany(outcomes, options, target),
    repeats: () => false,
    before: (usual) => (how.length === 0 ? usual : { task: 'all of this', folder }),
    conclude: (outcomes) => {
      if (project !== undefined && isFinal(outcomes))
        how = synthesis(project, request.format, context.cwd, '*');
      return [...instead, ...how];
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
      return report(result, zone.id, { target, options, cwd: context.cwd });
    },
  });
}

function nextOfMany(
  outcomes: readonly ZoneOutcome[],
  options: GenerateOptions,
  { project, request }: GenerateTarget,
): string | undefined {
  if (outcomes.some((one) => readResult(one).source === 'config')) {
    return commandOf('finish', { ...sameZones(options), source: chosenSource(options) });
  }
  // the next command is for another folder, and follows what is run there
  if (project !== undefined) return isFinal(outcomes) ? 'plan' : undefined;
  return isProgram(request.format)
    ? commandOf('status', sameZones(options))
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

const ORIGINS: Readonly<Record<GenerateResult['source'], string>> = {
  live: 'the live entry point',
  config: 'the migration configuration (provisional until the migration is finished)',
  state: 'the legacy settings in the state (provisional: see `report`)',
  old: 'the legacy settings of the zone (provisional: see `report`)',
};

interface GenerateRun {
  readonly target: GenerateTarget;
  readonly options: GenerateOptions;
  readonly cwd: string;
  /** The command that continues what needs the ruleset. */
  readonly resume?: string | undefined;
  /** The folder of the root module, if it is known. */
  readonly root?: string | undefined;
  /** The root module that declares the ruleset, if the stack is an example for it. */
  readonly above?: string | undefined;
}

function report(generated: GenerateResult, zoneId: string, run: GenerateRun): ZoneResult {
  const { target, options, cwd } = run;
  const { names, resource, provider, source, findings } = generated;
  const { because, existing, project, request, beside } = target;
  const files = generated.files.map((path) => relative(cwd, path) || path);
  const steps =
    request.format === 'construct'
      ? constructSteps(names, provider, project)
      : existing && manualSteps(existing, names, provider);
  const place = { zone: spelt(options, zoneId), stack: files[beside.length] };
  const { how = [], next, folder = '' } = whatFollows(generated, { ...place, ...run });
  const codes = findingCodes(findings);
  const shown = files.map((file) => printable(file));
  // a saved ruleset is named by its file
  const saved = options.config === undefined ? '' : `${printable(options.config)}: `;
  const origin = `${saved}${ORIGINS[source]}`;
  return {
    json: {
      files,
      resource,
      provider,
      source,
      findings,
      providerBecause: because,
      ...(steps && { byHand: steps }),
    },
    text: [
      `Generated ${resource.address} from ${origin}`,
      `for provider ${provider} (${printable(because)}):`,
      ...shown.map((file) => `  ${file}`),
      ...(steps?.length ? ['Add by hand:', ...steps.map((one) => `  ${printable(one)}`)] : []),
      ...how,
      ...(isProgram(request.format) && project === undefined
        ? ['No CDKTF project is here: --project waf creates one with the stack.']
        : []),
      ...renderFindings(findings),
    ].join('\n'),
    line: `${shown.join(', ')} from ${origin}${codes === '' ? '' : `: ${codes}`}`,
    next,
    before: how.length === 0 || next === undefined ? undefined : { task: 'all of this', folder },
    exitCode: findings.some(isOpenFinding) ? 2 : 0,
  };
}

/** What `finish` sends, if it is not the default. */
const chosenSource = ({ source }: GenerateOptions) => (source === 'config' ? source : undefined);

/**
 * How the ruleset gets into a state, and the next command.
 * @param run with the zone as the user wrote it, and the file of its stack
 */
function whatFollows(
  {
    names,
    source,
    resource: { address, importId },
    provider,
    wasDeclared,
    hasOthers,
  }: GenerateResult,
  run: GenerateRun & { readonly zone: string; readonly stack: string | undefined },
): {
  readonly how?: readonly string[];
  readonly next?: string | undefined;
  readonly folder?: string;
} {
  const { target, options, cwd, resume, root, above, zone, stack } = run;
  const { project, request } = target;
  const { format, modulePath = '' } = request;
  if (source === 'config') {
    const sent = { source: chosenSource(options), config: options.config };
    return { next: commandOf('finish', { zone, ...sent, stack }) };
  }
  if (importId === undefined) return { next: `status --zone ${zone}` };
  const to = target.isUpgrade ? String(provider) : undefined;
  if (project !== undefined) {
    const how = synthesis(project, format, cwd, names.slug);
    const folder = relative(cwd, project);
    if (resume !== undefined)
      return { how: folder === '' ? how : [...how, '  cd -'], next: resume };
    // the bindings of a program change for all of its stacks; a step of a plan, which sets the address, is of all zones
    const isOfAll = to !== undefined || options.address !== undefined;
    // a stack can have several constructs, which are planned together
    const isShared = format === 'construct' && hasOthers && !isOfAll;
    const next = isShared ? 'status' : commandOf('plan', isOfAll ? { to } : { zone });
    return { how, next, folder };
  }
  const command = `  terraform import ${address} ${importId}`;
  if (isProgram(format)) {
    return { how: ['Import it, in the folder of the synthesised stack:', command], next: resume };
  }
  if (otherLanguage(request.out) !== undefined && !isInitialised(request.out)) {
    const how = `Do not import it here: ${ADD_OVERRIDE}.`;
    return { how: [how], next: resume ?? commandOf('plan', { zone, to }) };
  }
  if (resume !== undefined) return { next: resume };
  if (above !== undefined) {
    const dir = relative(cwd, above) || '.';
    const how = `Do not import it: the folder ${printable(dir)} declares the ruleset. Copy the rules to its block there.`;
    return { how: [how], next: commandOf('plan', { dir: dir === '.' ? undefined : dir, to }) };
  }
  if (root === undefined) {
    const how = 'Import it, in the folder of the root module:';
    return { how: [how, command, 'Then run `cf-waf-migrate plan` in that folder.'] };
  }
  const folder = relative(cwd, root) || '.';
  const dir = modulePath === '' ? options.out : folder;
  const next = commandOf('plan', { dir: dir === '.' ? undefined : dir, to });
  if (options.importBlock === true) {
    const how = ['Terraform imports it by its import block. Delete the block afterwards.'];
    return { how, next };
  }
  // the state may have it; if not, the plan imports it
  if (wasDeclared && modulePath === '') return { next };
  const init = isInitialised(root) ? [] : ['  terraform init'];
  return { how: [`Import it, in the folder ${printable(folder)}:`, ...init, command], next };
}
