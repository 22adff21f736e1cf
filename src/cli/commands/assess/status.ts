import { type Client } from '../../../cloudflare/client';
import { type Finding, isAmong, isOpenFinding } from '../../../core/finding';
import { isIdentifier } from '../../../core/identifier';
import { attempt } from '../../../core/migration-error';
import { posixQuote } from '../../../core/posix-quote';
import { openApplies } from '../../../fleet/read-plans';
import { type Step } from '../../../plan/plan-schema';
import {
  type FolderFacts,
  readFolder,
  zonesOfFolder,
  zonesToCheck,
} from '../../../zone/folder-facts';
import { type FolderStatus, folderStatus } from '../../../zone/folder-status';
import { initCommands, withFirstStep, type ZoneStatus } from '../../../zone/next-step';
import { applyLine, doneTogether, stepsBeforeNext } from '../../plans/plan-text';
import { hasCredentials, withClient } from '../../client';
import { type CliContext, defineCommand } from '../../context';
import { readCurrentEntries, requireOwnLedger } from '../../fleet/next-of-list';
import { isList, refuseForOne } from '../../options';
import {
  type EarlierRun,
  findLatestRun,
  leftOfRollback,
  openStepOf,
} from '../../plans/earlier-run';
import { withProgram, workspaceOf } from '../../output';
import { foldersOfTerraform } from '../../../project/cdktf-project';
import { readFolders, refuseUnused, terraformOptions } from '../../terraform';
import { type TerraformSettings } from '../../../terraform/run-terraform';
import {
  type Reported,
  STATUS,
  statusOfList,
  type StatusOptions,
  toResume,
} from './status-of-list';
import { givenZones, knownZones, STATUS_THERE } from '../../zones';
import { nextCommands, renderStatus } from './status-text';

export const statusCommand = defineCommand({
  example: 'status',
  flags: STATUS,
  run: async (options, context) => {
    const read = isList(options) ? statusOfList : statusOfFolder;
    const { status, next, hasRefused = false, before, note } = await read(options, context);
    const { zones, findings } = status;
    const isFailed = hasRefused || zones.some(({ work }) => work === 'status');
    const ofFindings = findings.some(isOpenFinding) ? 2 : 0;
    const exitCode = isFailed ? 1 : ofFindings;
    const commands = [...new Set(next.flatMap((one) => one ?? []))];
    const [only, another] = commands;
    const text = [renderStatus(status), ...(note === undefined ? [] : [note])].join('\n');
    const isPlain = only?.startsWith('cf-waf-migrate ') === true && another === undefined;
    if (before !== undefined && isPlain)
      return { json: status, text, next: only.replace(/^cf-waf-migrate /, ''), before, exitCode };
    const lines = nextCommands(commands, workspaceOf(context));
    return { json: status, text: [text, ...lines].join('\n'), exitCode };
  },
});

/** The zones of `--dir` or of this folder, or those that are named. */
async function statusOfFolder(options: StatusOptions, context: CliContext): Promise<Reported> {
  refuseForOne(options);
  const { dir } = options;
  const terraform = terraformOptions(options, context);
  const given = givenZones(options);
  const flags = (dir ?? []).map((path) => ` --dir ${posixQuote(path)}`).join('');
  const folders = await readFoldersOf(options, terraform, context);
  const latest = await findLatestRun(context);
  const open = latest?.progress === 'begun' ? latest : undefined;
  const waitsAt = open && (await openStepOf(open, terraform));
  // at some of its steps, neither the state nor the files have a zone of the plan
  const ofRun = dir === undefined ? (open?.plan.zones ?? []).map(({ zoneId }) => zoneId) : [];
  const named =
    given.length > 0 || ofRun.length === 0
      ? given
      : [...new Set([...folders.flatMap(zonesOfFolder), ...ofRun])];
  const report = async (client?: Client): Promise<FolderStatus> => {
    const zones = await knownZones(named, client);
    const status = await withRunOfList(await folderStatus(folders, zones, client, flags), context);
    return withRun(status, latest, waitsAt, terraform, context);
  };
  // a name is resolved by the API
  const isOffline = !hasCredentials(options, context) && given.every(isIdentifier);
  const status = isOffline ? await report() : await withClient(options, context, report);
  const isWaiting = status.zones.some((one) => one.waitsAt !== undefined);
  const waiting = isWaiting ? doneTogether(waitsAt, open?.plan.steps ?? []) : [];
  const isUnread = folders.length === 0 && status.zones.some(({ work }) => work === 'generate');
  return {
    status,
    ...(isUnread && { note: STATUS_THERE }),
    next: commandsOf(status, folders, flags, given),
    before: stepsBeforeNext(waiting, ''),
  };
}

/** The folders of `--dir` or this folder; none if a zone is named outside of any folder. */
async function readFoldersOf(
  options: StatusOptions,
  terraform: TerraformSettings,
  context: CliContext,
): Promise<FolderFacts[]> {
  const { dir, zone } = options;
  const isFound = dir !== undefined || foldersOfTerraform(context.cwd).length > 0;
  if (!isFound && zone !== undefined) return [];
  for (const path of dir ?? []) refuseUnused(path, context.cwd);
  const read = (folder: string) => readFolder(folder, terraform, context.cwd);
  return readFolders(options, context, read, '--dir <folder> or --zone <id or name>');
}

/** The journal of a list's interrupted `apply` is beside its plans: only the ledger names the command that resumes it. */
async function withRunOfList(status: FolderStatus, context: CliContext): Promise<FolderStatus> {
  await requireOwnLedger({}, context);
  const entries = attempt(() => readCurrentEntries({}, context)) ?? [];
  const unfinished = openApplies(entries, context.cwd);
  const zones = status.zones.map((zone): ZoneStatus => {
    const run = unfinished.get(zone.zone);
    if (run === undefined || !['plan', 'apply-blocks', 'done'].includes(zone.work)) return zone;
    // only a run of the list notes that its plan can no longer be applied
    const command = zone.work === 'done' ? run.command : (run.ofPlan ?? run.command);
    return { ...zone, ...toResume(`cf-waf-migrate ${command}`, run.waitsAt) };
  });
  return { ...status, zones };
}

/** A zone of an interrupted run, or of a rollback that left steps, first gets the command for these. */
async function withRun(
  found: FolderStatus,
  latest: EarlierRun | undefined,
  waitsAt: Step | undefined,
  terraform: TerraformSettings,
  context: CliContext,
): Promise<FolderStatus> {
  const status = { ...found, findings: found.findings.map((one) => withLostWaf(one, latest)) };
  const reading = leftOfRollback(context.cwd, latest, terraform, context);
  const isToPlan = status.zones.some(({ work }) => ['plan', 'apply-blocks'].includes(work));
  // in a folder that is done, old runs may be damaged
  const left = latest || isToPlan ? await reading : await reading.catch(() => undefined);
  if (left === undefined)
    return latest?.progress === 'begun' ? withResume(status, latest, waitsAt) : status;
  const { plan, next, finding } = left;
  const zones = withFirstStep(status.zones, plan, { work: 'plan', next });
  return { ...status, zones, findings: [...withoutBlocks(status), finding] };
}

const CHECK = 'cf-waf-migrate check';

function commandsOf(
  { zones, findings }: FolderStatus,
  folders: readonly FolderFacts[],
  flags: string,
  given: readonly string[],
): Reported['next'] {
  if (zones.length > 0) {
    const all = zones.flatMap(({ work, next }) => (work === 'init' ? initCommands(folders) : next));
    const isOnlyChecked = all.length > 1 && all.every((one) => one?.startsWith(CHECK) === true);
    if (!isOnlyChecked || flags !== '' || given.length > 0) return all;
    // `check` fails if a legacy resource has an invalid zone id
    const checked = attempt(() => zonesToCheck(folders)) ?? [];
    return zones.every(({ zone }) => checked.includes(zone)) ? [CHECK] : all;
  }
  // if the resources left the state without this tool, the folder can have nothing that names the zone
  const byName = findings.some(isOpenFinding)
    ? []
    : [`cf-waf-migrate status --zone <id or name>${flags}`];
  return [...initCommands(folders.filter(({ unread }) => unread !== undefined)), ...byName];
}

/** A zone that had a WAF when its ruleset was planned, and has none now, needs a decision. */
function withLostWaf(finding: Finding, run: EarlierRun | undefined): Finding {
  const { code, subject } = finding;
  if (code !== 'ZONE_UNPROTECTED' || run === undefined) return finding;
  const { zones, findings } = run.plan;
  const isOfPlan = zones.some(({ zoneId }) => zoneId === subject);
  return isOfPlan && !isAmong(finding, findings) ? { ...finding, severity: 'decision' } : finding;
}

/** An interrupted run in this folder is resumed before anything else is planned. */
function withResume(
  status: FolderStatus,
  { plan, workspace }: EarlierRun,
  waitsAt: Step | undefined,
): FolderStatus {
  // that of the environment is added where the command is printed
  const next = withProgram(applyLine('', plan), { environment: { TF_WORKSPACE: workspace } });
  const zones = withFirstStep(status.zones, plan, toResume(next, waitsAt));
  return { ...status, zones, findings: withoutBlocks(status) };
}

/** A run or a rollback that is not finished comes first: it applies or removes the blocks of these findings. */
const OF_BLOCKS = ['BLOCKS_NOT_APPLIED', 'LEGACY_BLOCKS_DECLARED'];

function withoutBlocks({ findings }: FolderStatus): Finding[] {
  return findings.filter(({ code }) => !OF_BLOCKS.includes(code));
}
