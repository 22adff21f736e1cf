import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Finding, findingCodes, isBlocker, isOpenFinding } from '../../../core/finding';
import { firstFree, listed, mapConcurrently } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { planFolder, refuseLinkOut } from '../../../files/paths';
import { type AppliedPlan, appliedPlan, readAppliedPlans } from '../../../fleet/applied-plans';
import { type Folders, groupByDir, hasFolder } from '../../../fleet/group-zones';
import { readResult } from '../../../fleet/ledger';
import { type FleetZone } from '../../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../../fleet/run-fleet';
import { type UnfinishedApply } from '../../../fleet/standings';
import { type StateFacts } from '../../../plan/facts/facts';
import {
  makePlan,
  type PlanRequest,
  refuseWithoutState,
  requireSynthesised,
} from '../../../plan/make-plan';
import { readSavedPlan } from '../../../plan/parse-saved-plan';
import { canonicalJson, sha256 } from '../../../core/json';
import { words } from '../../../plan/formats/render-command';
import { shownPlan } from '../../../plan/formats/shown-plan';
import { parseTerraformFlags, type PassedFlag } from '../../../plan/steps/terraform-flags';
import { cdktfFolder } from '../../../project/cdktf-project';
import { NO_REVERT, pullRequestTasks, TO_SAVE } from '../../../plan/formats/pull-request';
import { hasOnlyChecks, type Plan } from '../../../plan/plan-schema';
import { type CliContext, type CommandResult } from '../../context';
import { folderReader, namesOf, type PlanOptions, planSettings } from '../../plans/plan-by-flags';
import { isOfZone, passedFlags, renderPlace, withTerraformFlags } from '../../plans/plan-text';
import { savePlan } from '../../plans/saved-plan';
import { openApplies, PLAN_ENDING } from '../../../fleet/read-plans';
import { separateWaiting } from '../../fleet/for-plans';
import { type GroupWork, type LineResult, runGroups } from '../../fleet/for-zones';
import { readCurrentEntries } from '../../fleet/next-of-list';
import { refuseRunOfOthers, refuseUnfinished } from '../../fleet/refuse-unfinished';
import {
  foldersOfAll,
  type ListedFolders,
  readListedFolders,
  refuseMoved,
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
  const { out, settings, request, concurrency, unfinishedOf } = order;
  await refuseLinkOut(out, cwd);
  const base = listFolder(options, cwd);
  return withListedZones(options, context, async (known, client) => {
    const found = await refuseMisplaced(known, options, context);
    const { waiting, ready, statuses } = await separateWaiting(found.zones, hasFolder, client);
    const { groups, refused, skipped } = groupByDir(
      ready,
      (dir) => resolve(base, dir),
      await joinFolders(foldersOfAll(known.zones, options, cwd)),
      (zone, dirs) => {
        const line = sharedPlanLine(zone, dirs, cwd, { method: options.method, to: options.to });
        return withTerraformFlags(
          line,
          settings.flags.map(({ word }) => word),
        );
      },
    );
    if (found.zones.length > 0 && !found.zones.some(hasFolder)) {
      throw new MigrationError('USAGE', 'the list has no column dir: pass --state or --dir');
    }
    const files = planFiles(groups, base);
    const dirs = groups.flatMap((group) => group.dirs);
    let read: Promise<readonly AppliedPlan[]> | undefined;
    const ids = new Set(found.zones.map(({ id }) => id));
    const applied = () => (read ??= readAppliedPlans(out, ids));
    let folders: Promise<ListedFolders> | undefined;
    const backups: string[] = [];
    const many: GroupWork<FolderGroup> = {
      stage: 'plan',
      request,
      groups,
      concurrency,
      skipped: [...waiting, ...skipped],
      // until the run is resumed, the same command fails
      next: (outcomes) => {
        const interrupted = unfinishedOf(ready).find(({ outcome }) => outcome === 'unknown');
        return interrupted?.command ?? nextOf(outcomes, options);
      },
      // a decision can be accepted later, a blocker needs another plan
      repeats: ({ isBlocked }) => isBlocked,
      conclude: (outcomes) => [
        ...(outcomes.some((one) => readResult(one).codes !== '')
          ? renderPlace(relative(cwd, out), 'The paths of these findings')
          : []),
        ...(backups.length === 0 ? [] : [`${TO_SAVE}:`, ...backups.toSorted(), NO_REVERT]),
      ],
      perform: async (group) => {
        try {
          const path = join(out, files.get(group.dirs) ?? '');
          const [run] = unfinishedOf(group.zones);
          refuseUnfinished(run, context);
          const replaced = await readSavedPlan(path).catch(() => undefined);
          if (replaced !== undefined) refuseRunOfOthers(replaced, path, group.zones, context);
          const kept = valuesToKeep(replaced, group.dirs, settings.flags);
          // of two values, the last one counts
          const passedArguments = [...kept, ...context.passedArguments];
          const readFolder =
            kept.length === 0
              ? order.readFolder
              : folderReader(options, { ...context, passedArguments }, out);
          const states = await mapConcurrently(group.dirs, PLANS_AT_ONCE, (dir) =>
            readFolder(dir, dirs, path),
          );
          const flags = parseTerraformFlags(passedArguments);
          const own = { ...settings, flags, client, statuses };
          const plan = await planOf(group, states, own, out, cwd);
          if (plan.findings.some(({ code }) => code === 'LEGACY_RESOURCES_GONE'))
            refuseMoved(
              group,
              await (folders ??= readListedFolders(known.zones, options, context)),
              options,
              cwd,
            );
          refuseUnfinished(run, context, plan);
          const earlier = options.force === true ? undefined : await appliedPlan(plan, applied);
          if (earlier !== undefined) {
            const open = shownPlan({ plan, place: relative(cwd, out) }).findings.filter(
              isOpenFinding,
            );
            return describeApplied(relative(cwd, earlier.path), earlier, open);
          }
          const saved = await savePlan(plan, path, out, options, context);
          if (options.write === true) backups.push(...linesToSave(plan, path, cwd));
          return describePlan(path, saved, kept, cwd);
        } catch (error) {
          throw withFolder(error, group, cwd);
        }
      },
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
    throw new MigrationError('USAGE', message);
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

/** The commands that save the states of a pull request before it is applied. */
function linesToSave(plan: Plan, path: string, cwd: string): string[] {
  const placeOf = (dir: string): string => planFolder(cwd, join(dirname(path), dir));
  // two folders can have states of one name, and no two have one plan file
  const tasks = pullRequestTasks(plan, '', placeOf, `${basename(path, PLAN_ENDING)}+`);
  return tasks[TO_SAVE].map((command) => `  ${command}`);
}

function nextOf(outcomes: readonly ZoneOutcome[], options: PlanOptions): string {
  return outcomes.some((one) => readResult(one).ready)
    ? commandForSameZones('rehearse', options, {}, options.out)
    : commandForSameZones('status', options);
}

/** Terraform folders that have one plan, as absolute paths, and their zones. */
interface FolderGroup {
  readonly dirs: Folders;
  readonly zones: readonly FleetZone[];
}

async function planOf(
  { zones, dirs }: FolderGroup,
  states: readonly StateFacts[],
  settings: Pick<PlanRequest, 'address' | 'method' | 'flags' | 'client' | 'statuses'>,
  out: string,
  cwd: string,
): Promise<Plan> {
  const ids = zones.map(({ id }) => id);
  await requireSynthesised(ids, states, out, cwd);
  const place = planFolder(cwd, dirs[0]);
  const generate = commandOf('generate', {
    zone: zones.map(({ name }) => name),
    format: cdktfFolder(dirs[0]) === undefined ? 'hcl' : undefined,
    out: place,
  });
  refuseWithoutState(states, generate, printable(place, 200));
  const names = namesOf(zones);
  return makePlan({ ...settings, folder: out, zones: ids, names, rulesetIds: new Map(), states });
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

/** @param open what the files still need */
function describeApplied(
  file: string,
  { digest, mayWait }: AppliedPlan,
  open: readonly Finding[],
): LineResult {
  const codes = findingCodes(open);
  const usual = mayWait
    ? 'another clone applies it, and may still wait at its manual step: verify it'
    : 'it is applied, and nothing is left to do';
  const isBlocked = open.some(isBlocker);
  return {
    json: { plan: file, files: [file], digest, steps: 0, codes, isBlocked, ready: false },
    line: `kept ${printable(file, 200)}: ${codes || usual}`,
    open,
    exitCode: open.length > 0 ? 2 : 0,
  };
}

const VALUES = '-var-file=';

/** The values files of the earlier plan, which each folder of a list can have, unless the command names some. */
function valuesToKeep(
  earlier: Plan | undefined,
  dirs: readonly string[],
  given: readonly PassedFlag[],
): string[] {
  if (given.some(({ word }) => word.startsWith(VALUES))) return [];
  const isThere = (file: string): boolean => dirs.every((dir) => existsSync(resolve(dir, file)));
  // the plan can come from other users: another flag can select a host or a state
  return (earlier === undefined ? [] : passedFlags(earlier)).filter(
    (flag) => flag.startsWith(VALUES) && isThere(flag.slice(VALUES.length)),
  );
}

/**
 * The result of a saved plan, in one line.
 * @param kept flags for values files of the earlier plan
 */
function describePlan(
  path: string,
  { plan, did, open, hasManualStep, exitCode }: Awaited<ReturnType<typeof savePlan>>,
  kept: readonly string[],
  cwd: string,
): LineResult {
  const file = relative(cwd, path);
  const { digest } = plan;
  const steps = plan.steps.length;
  const codes = findingCodes(open);
  const manual = hasManualStep ? 'a manual step changes a program' : '';
  const values = kept.length === 0 ? '' : `, with ${words(kept)} as in its earlier plan`;
  const what = `${did} ${printable(file, 200)}: ${counted(steps, 'step')}${printable(values, 200)}`;
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

/** The name of each plan, that of its first folder, in lower case, because some disks ignore it. */
function planFiles(groups: readonly FolderGroup[], base: string) {
  const taken = new Set<string>();
  return new Map(
    groups.map(({ dirs }) => {
      const words = planFolder(base, dirs[0])
        .toLowerCase()
        .replace(/[^a-z0-9_.-]+/g, '-');
      const name = words.replace(/^[-.]+|[-.]+$/g, '') || 'main';
      return [dirs, `${firstFree(name, taken)}${PLAN_ENDING}`] as const;
    }),
  );
}
