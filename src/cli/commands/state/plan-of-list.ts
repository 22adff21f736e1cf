import { basename, dirname, join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { progressOf } from '../../../apply/journal/progress';
import { findingCodes, isBlocker, isOpenFinding } from '../../../core/finding';
import { firstFree, listed, mapConcurrently } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { planFolder, refuseLinkOut } from '../../../files/paths';
import { type Folders, groupByDir, hasFolder } from '../../../fleet/group-zones';
import { readResult } from '../../../fleet/ledger';
import { type FleetZone } from '../../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../../fleet/run-fleet';
import { type UnfinishedApply } from '../../../fleet/standings';
import {
  makePlan,
  type PlanRequest,
  refuseWithoutState,
  requireSynthesised,
} from '../../../plan/make-plan';
import { readSavedPlan } from '../../../plan/parse-saved-plan';
import { canonicalJson, sha256 } from '../../../core/json';
import { cdktfFolder } from '../../../project/cdktf-project';
import { NO_REVERT, pullRequestTasks, TO_SAVE } from '../../../plan/formats/pull-request';
import { hasOnlyChecks, type Plan } from '../../../plan/plan-schema';
import { type CliContext, type CommandResult } from '../../context';
import { folderReader, namesOf, type PlanOptions, planSettings } from '../../plans/plan-by-flags';
import { isOfZone, renderPlace } from '../../plans/plan-text';
import { savePlan } from '../../plans/saved-plan';
import { openApplies, PLAN_ENDING } from '../../../fleet/read-plans';
import { separateWaiting } from '../../fleet/for-plans';
import { type GroupWork, type LineResult, runGroups } from '../../fleet/for-zones';
import { readCurrentEntries } from '../../fleet/next-of-list';
import { refuseRunOfOthers, refuseUnfinished } from '../../fleet/refuse-unfinished';
import {
  foldersOfAll,
  joinFolders,
  refuseMisplaced,
  sharedPlanLine,
} from '../../fleet/listed-folders';
import {
  commandForSameZones,
  commandOf,
  parseConcurrency,
  PLANS_AT_ONCE,
  refuseForMany,
} from '../../options';
import { listFolder, withListedZones } from '../../zones';

/**
 * `plan` for the zones of many states. The list names the Terraform folder of each zone; each folder gets one
 * plan, as JSON in the folder of `--out`.
 */
export async function planList(options: PlanOptions, context: CliContext): Promise<CommandResult> {
  const { cwd } = context;
  const order = readOrder(options, context);
  const { out, request, concurrency, unfinishedOf } = order;
  await refuseLinkOut(out, cwd);
  return withListedZones(options, context, async (known, client) => {
    if (known.zones.length > 0 && !known.zones.some(hasFolder)) {
      throw new MigrationError('USAGE', 'the list has no column dir', {
        hint: 'add a column dir with the Terraform folder of each zone, or pass --dir or --state',
      });
    }
    const found = await refuseMisplaced(known, options, context);
    const { waiting, ready, statuses } = await separateWaiting(found.zones, hasFolder, client);
    const { groups, refused, skipped } = await groupFolders(ready, known.zones, order);
    const list: PlanList = {
      ...order,
      client,
      statuses,
      dirs: groups.flatMap((group) => group.dirs),
      toSave: [],
    };
    const interrupted = unfinishedOf(ready).find(({ outcome }) => outcome === 'unknown');
    const many: GroupWork<FolderGroup> = {
      stage: 'plan',
      request,
      groups,
      concurrency,
      skipped: [...waiting, ...skipped],
      // until the run is resumed, the same command fails
      next: (outcomes) => interrupted?.command ?? nextOf(outcomes, options),
      // a decision can be accepted later, a blocker needs another plan
      repeats: ({ isBlocked }) => isBlocked,
      conclude: (outcomes) => renderBelow(outcomes, list.toSave, relative(cwd, out)),
      perform: (group) =>
        planGroup(group, list).catch((error: unknown) => {
          throw withFolder(error, group, cwd);
        }),
    };
    const planned = { ...found, refused: [...found.refused, ...refused] };
    return runGroups(many, planned, options, context);
  });
}

/** What the flags ask for, checked before the first request. */
function readOrder(options: PlanOptions, context: CliContext) {
  const { from = null, to = null, write, format = 'json' } = options;
  const { cwd, passedArguments } = context;
  refuseForMany(options, { 'ruleset-id': options.rulesetId });
  if (!['text', 'json'].includes(format)) {
    throw new MigrationError('USAGE', `--format ${format} shows one plan, and a list has many`, {
      hint:
        'leave it out, and read the plan of one folder:\n' +
        `cf-waf-migrate plan --dir <folder> --format ${format}`,
    });
  }
  if (options.out === undefined) {
    const message = 'pass a folder for the plans of several states: --out <dir>';
    throw new MigrationError('USAGE', message, {
      hint: `run:\ncf-waf-migrate ${context.commandWith(['--out', 'plans'])}`,
    });
  }
  const out = resolve(cwd, options.out);
  const settings = planSettings(options, context);
  const { address, method } = settings;
  const concurrency = parseConcurrency(options, PLANS_AT_ONCE);
  const readFolder = folderReader(options, context, out);
  // a flag can have a secret
  const flags = sha256(canonicalJson(passedArguments));
  // a new plan completes one that waits, or failed, without its journal here
  const unfinished = openApplies(readCurrentEntries(options, context), cwd, ['unknown']);
  return {
    options,
    context,
    out,
    settings,
    concurrency,
    readFolder,
    request: { address, method, from, to, write, flags, out: planFolder(cwd, out) },
    /** The applies of these zones that were interrupted, wait, or failed. */
    unfinishedOf: (zones: readonly FleetZone[]): UnfinishedApply[] =>
      zones.flatMap(({ id }) => unfinished.get(id) ?? []),
  };
}

/** Groups zones by plan. A plan has the name of its first folder, in lower case, because some disks ignore case. */
async function groupFolders(
  zones: readonly FleetZone[],
  listedZones: readonly FleetZone[],
  { options, context: { cwd }, out }: ReturnType<typeof readOrder>,
) {
  const base = listFolder(options, cwd);
  const { groups, ...others } = groupByDir(
    zones,
    (dir) => resolve(base, dir),
    await joinFolders(foldersOfAll(listedZones, options, cwd)),
    (zone, dirs) => sharedPlanLine(zone, dirs, cwd),
  );
  const taken = new Set<string>();
  const named = groups.map((group): FolderGroup => {
    const words = planFolder(base, group.dirs[0])
      .toLowerCase()
      .replace(/[^a-z0-9_.-]+/g, '-');
    const name = words.replace(/^[-.]+|[-.]+$/g, '') || 'main';
    return { ...group, path: join(out, `${firstFree(name, taken)}${PLAN_ENDING}`) };
  });
  return { groups: named, ...others };
}

function nextOf(outcomes: readonly ZoneOutcome[], options: PlanOptions): string {
  return outcomes.some((one) => readResult(one).ready)
    ? commandForSameZones('rehearse', options, {}, options.out)
    : commandForSameZones('status', options);
}

/** Where paths of findings start, and the commands that save states: the lines below the zones. */
function renderBelow(
  outcomes: readonly ZoneOutcome[],
  toSave: readonly string[],
  place: string,
): string[] {
  const hasFindings = outcomes.some((one) => readResult(one).codes !== '');
  const paths = hasFindings ? renderPlace(place, 'The paths of these findings') : [];
  return toSave.length === 0 ? paths : [...paths, `${TO_SAVE}:`, ...toSave.toSorted(), NO_REVERT];
}

/** Terraform folders that have one plan, as absolute paths, and their zones. */
interface FolderGroup {
  readonly dirs: Folders;
  readonly zones: readonly FleetZone[];
  /** The file of the plan. */
  readonly path: string;
}

/** What all plans of a list share. */
interface PlanList
  extends ReturnType<typeof readOrder>, Required<Pick<PlanRequest, 'client' | 'statuses'>> {
  /** The folders of all plans. */
  readonly dirs: readonly string[];
  /** Each plan with edits adds the commands that save its states. */
  readonly toSave: string[];
}

/** Plans the zones of folders that have one plan, unless an earlier plan or run has to come first. */
async function planGroup(group: FolderGroup, list: PlanList): Promise<LineResult> {
  const { options, context, out } = list;
  const { cwd } = context;
  const { path, zones } = group;
  const [run] = list.unfinishedOf(zones);
  refuseUnfinished(run, context);
  const replaced = await readSavedPlan(path).catch(() => undefined);
  if (replaced !== undefined) refuseRunOfOthers(replaced, path, zones, context);
  const plan = await makePlanOf(group, list);
  refuseUnfinished(run, context, plan);
  const isKept = options.force !== true && replaced && findsResultOf(replaced, plan, out);
  if (isKept === true) return describeApplied(relative(cwd, path), replaced);
  const saved = await savePlan(plan, path, out, options, context);
  if (options.write === true) list.toSave.push(...linesToSave(plan, path, cwd));
  return describePlan(path, saved, cwd);
}

async function makePlanOf(
  { zones, dirs }: FolderGroup,
  { context: { cwd }, out, settings, client, statuses, readFolder, dirs: all }: PlanList,
): Promise<Plan> {
  const states = await mapConcurrently(dirs, PLANS_AT_ONCE, (dir) => readFolder(dir, all));
  const ids = zones.map(({ id }) => id);
  await requireSynthesised(ids, states, out);
  const place = planFolder(cwd, dirs[0]);
  const generate = commandOf('generate', {
    zone: zones.map(({ name }) => name),
    format: cdktfFolder(dirs[0]) === undefined ? 'hcl' : undefined,
    out: place,
  });
  refuseWithoutState(states, generate, printable(place, 200));
  const own = { folder: out, zones: ids, names: namesOf(zones), rulesetIds: new Map(), states };
  return makePlan({ ...settings, client, statuses, ...own });
}

/** The commands that save the states of a pull request before it is applied. */
function linesToSave(plan: Plan, path: string, cwd: string): string[] {
  const placeOf = (dir: string): string => planFolder(cwd, join(dirname(path), dir));
  // two folders can have states of one name, and no two have one plan file
  const tasks = pullRequestTasks(plan, '', placeOf, `${basename(path, PLAN_ENDING)}+`);
  return tasks[TO_SAVE].map((command) => `  ${command}`);
}

/** The error of one zone stops the plan of its folders, and of the other zones in them. */
function withFolder(error: unknown, { dirs }: FolderGroup, cwd: string): unknown {
  if (!(error instanceof MigrationError)) return error;
  const place = listed(dirs.map((dir) => printable(planFolder(cwd, dir), 200)));
  const failure = error.withPrefix(`the folder ${place} is not planned`);
  return error.code === 'METHOD_UNSUITABLE' ? failure.withHint(`${error.hint}; ${APART}`) : failure;
}

/** The flags of the command are those of all folders. */
const APART =
  'to change the flags for only this folder, put its zones into another list, and plan it with another --out';

/** Whether a plan finds nothing but what an applied one has led to, whose file leads to the journal and the backups. */
const findsResultOf = (applied: Plan, plan: Plan, folder: string): boolean =>
  hasOnlyChecks(plan) &&
  !plan.findings.some(isOpenFinding) &&
  progressOf({ plan: applied, folder }) === 'applied' &&
  // the list can have another order since
  isDeepStrictEqual(new Set(resultsOf(applied)), new Set(resultsOf(plan)));

/** The addresses of the rulesets of a plan, and the versions of its states. */
const resultsOf = ({ zones, states }: Plan): unknown[] => [
  ...zones.map(({ zoneId, ruleset }) => [zoneId, ruleset.address]),
  ...states.map(({ dir, workspace, lineage, provider }) => [dir, workspace, lineage, provider.to]),
];

/** The result of a plan that is kept, because it is applied. */
function describeApplied(file: string, { digest }: Plan): LineResult {
  return {
    json: { plan: file, files: [file], digest, steps: 0, ready: false },
    line: `kept ${printable(file, 200)}: it is applied, and nothing is left to do`,
    exitCode: 0,
  };
}

/** The result of a saved plan, in one line. */
function describePlan(
  path: string,
  { plan, did, open, hasManualStep, exitCode }: Awaited<ReturnType<typeof savePlan>>,
  cwd: string,
): LineResult {
  const file = relative(cwd, path);
  const { digest } = plan;
  const steps = plan.steps.length;
  const codes = findingCodes(open);
  const manual = hasManualStep ? 'a manual step changes a program' : '';
  const what = `${did} ${printable(file, 200)}: ${counted(steps, 'step')}`;
  const lineOf = (own: string): string => [what, own, manual].filter(Boolean).join(': ');
  const isBlocked = open.some(isBlocker);
  const ready = !isBlocked && !hasOnlyChecks(plan);
  return {
    json: { plan: file, files: [file], digest, steps, codes, isBlocked, ready },
    line: lineOf(codes),
    ofZone: (zone) => {
      const own = open.filter(isOfZone(zone, plan));
      const isOpen = hasManualStep || own.length > 0;
      return { line: lineOf(findingCodes(own)), outcome: isOpen ? 'attention' : 'done' };
    },
    open,
    exitCode,
  };
}
