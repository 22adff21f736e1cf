import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type KnownZone } from '../../../cloudflare/zones';
import { type Finding } from '../../../core/finding';
import { mapConcurrently } from '../../../core/lists';
import { MigrationError, orFailure } from '../../../core/migration-error';
import { BACKUP_FOLDER } from '../../../files/backups';
import { type LedgerEntry, readResult, type RefusedText } from '../../../fleet/ledger';
import { hasFolder } from '../../../fleet/group-zones';
import { type FleetZone, type ResolvedZones } from '../../../fleet/resolve-zones';
import { type ZoneStanding, zoneStandings } from '../../../fleet/standings';
import { type StageStanding } from '../../../fleet/zone-results';
import { majorOf } from '../../../plan/facts/provider-versions';
import { foldersOfTerraform } from '../../../project/cdktf-project';
import { isSynthesised } from '../../../tfconfig/find-blocks';
import { type FolderStatus } from '../../../zone/folder-status';
import { type Work, withFirstStep, type ZoneStatus } from '../../../zone/next-step';
import { type CliContext, type CommandResult } from '../../context';
import { defineFlags, manyZones, type OptionsOf } from '../../flags';
import { currentEntries, openApplies } from '../../../fleet/read-plans';
import { hasItsFiles } from '../../fleet/for-zones';
import {
  generateLine,
  isPlaced,
  planLine,
  planOrRun,
  readEntries,
  reportLine,
  requireOwnLedger,
  withListedCanaries,
} from '../../fleet/next-of-list';
import {
  foldersByZone,
  type ListedFolders,
  misplacedZones,
  statusOfFolders,
  unknownFolders,
} from '../../fleet/listed-folders';
import {
  commandForSameZones,
  parseConcurrency,
  PLANS_AT_ONCE,
  TERRAFORM,
  ZONES,
  ZONES_AT_ONCE,
} from '../../options';
import { findLatestRun, leftOfRollback } from '../../plans/earlier-run';
import { resumable } from '../../output';
import { createProgress } from '../../progress';
import { terraformOptions } from '../../terraform';
import { withListedZones } from '../../zones';

export const STATUS = defineFlags({
  ...ZONES,
  ...TERRAFORM,
  '--ledger <file>': manyZones('file that recorded the runs'),
  '--dir <dir...>': 'Terraform folders (default: this folder)',
});

export type StatusOptions = OptionsOf<typeof STATUS>;

export interface Reported {
  readonly status: FolderStatus;
  /** With their programs; null where a zone has none. */
  readonly next: readonly (string | null)[];
  /** The manual step that comes before the next command, if there is only one. */
  readonly before?: CommandResult['before'];
  /** A line before the next command. */
  readonly note?: string;
  /** Whether a zone of the list cannot be reported. */
  readonly hasRefused?: boolean;
}

/** @param waitsAt the manual step that the run has reached */
export const toResume = (next: string, waitsAt: ZoneStatus['waitsAt']) => ({
  ...({ work: 'apply', next } as const),
  ...(waitsAt && { waitsAt: { id: waitsAt.id, title: waitsAt.title } }),
});

/** Each zone with the Terraform folders of `--dir`, of the column `dir` of the list, or of this folder. */
export async function statusOfList(given: StatusOptions, context: CliContext): Promise<Reported> {
  const concurrency = parseConcurrency(given, ZONES_AT_ONCE);
  await requireOwnLedger(given, context);
  const entries = readEntries(given, context);
  return withListedZones(given, context, async (found, client) => {
    const options = { ...given, dir: given.dir ?? foldersHere(found.zones, given, context) };
    const progress = createProgress(context, found.zones.length);
    // its folders and the ledger also decide what is left to do
    const tell = (zone: KnownZone, isRead: boolean): void => {
      progress.tell({ name: zone.id, ...zone }, isRead ? 'read' : 'cannot be read', !isRead);
    };
    const run = { client, concurrency, tell };
    const { read, folders, ...known } = await resumable(context, () =>
      statusOfFolders(found.zones, options, context, run),
    );
    progress.end();
    const undone = await rollbacksLeft(read.keys(), entries, options, context);
    const waiting = withRollbacks(known.zones, undone);
    // `generate` does not read the folders of --dir, so only the other zones are named; these can be in other folders
    const owners = foldersByZone(read);
    const isPart = options.dir !== undefined && waiting.some(({ zone }) => owners.has(zone));
    // also for zones whose stacks are generated, but can be planned in no program
    const generate = waiting.some(isToGenerate)
      ? generateRest(waiting, options, context, read, isPart)
      : undefined;
    const standings = new Map(zoneStandings(entries).map(({ zone, stages }) => [zone, stages]));
    const resumed = withResumed(waiting, entries, found, context);
    const placed = withGenerated(resumed, standings, generate, context);
    const { zones, unplannable } = withPlans(placed, standings, options, found, context);
    const misplaced = misplacedZones(found.zones, read, options, context.cwd);
    // then the finding of unknown folders has the command, and Next has not
    const isInFinding = options.account !== undefined || isPart;
    const inFinding = isInFinding && zones.some(isToGenerate) ? generate : undefined;
    const withNext = isInFinding ? zones.filter(({ work }) => !work.startsWith('generate')) : zones;
    const findings = [
      ...found.refused.map(({ text, error }) => findingOf(text, error)),
      ...[...read].flatMap(([dir, one]) => (one instanceof Error ? findingOf(dir, one) : [])),
      ...[...misplaced, ...unplannable].map(([id, error]) => findingOf(id, error)),
      ...(isInFinding || given.dir === undefined
        ? unknownFolders(found.zones, owners, given, inFinding)
        : []),
      ...undone.map(({ finding }) => finding),
      ...known.findings.filter((one) => isOpen(one, zones)),
    ];
    return {
      status: { folders, zones, findings },
      // standard input cannot be read again
      next: options.zones === '-' ? [] : nextOfList(withNext, options, generate),
      hasRefused: found.refused.length + misplaced.size > 0,
    };
  });
}

/** An apply of blocks would be half of a migration that is resumed or undone. */
const isOpen = ({ code, subject }: Finding, zones: readonly ZoneStatus[]): boolean =>
  code !== 'BLOCKS_NOT_APPLIED' ||
  zones.some(({ zone, work }) => zone === subject && work === 'apply-blocks');

/** What rollbacks left to undo by hand in the folders of the list, and in those of the plans that the ledger names. */
async function rollbacksLeft(
  listed: Iterable<string>,
  entries: readonly LedgerEntry[],
  options: StatusOptions,
  context: CliContext,
) {
  const terraform = terraformOptions(options, context);
  const ended = entries.filter((one) => one.event === 'zone');
  const plans = ended.map((one) => readResult(one).plan).filter(Boolean);
  const ofPlans = plans.map((plan) => dirname(resolve(context.cwd, plan)));
  const dirs = [...new Set([...listed, ...ofPlans])].filter((dir) =>
    existsSync(join(dir, BACKUP_FOLDER)),
  );
  const readLeft = async (dir: string) =>
    leftOfRollback(dir, await findLatestRun(context, dir), terraform, context);
  const all = await mapConcurrently(dirs, PLANS_AT_ONCE, async (dir) => {
    const left = await orFailure(readLeft(dir));
    return left instanceof MigrationError ? { finding: findingOf(dir, left) } : (left ?? []);
  });
  return all.flat();
}

/** The zones, with the command that the rollback of their plan has left. */
function withRollbacks(
  zones: readonly ZoneStatus[],
  undone: Awaited<ReturnType<typeof rollbacksLeft>>,
): ZoneStatus[] {
  const left = undone.flatMap((one) => ('plan' in one ? one : []));
  return zones.flatMap((zone) => {
    const own = left.find(({ plan }) => plan.zones.some(({ zoneId }) => zoneId === zone.zone));
    // the rollback comes first: for the work `plan`, one command would be shown for all zones
    return own ? withFirstStep([zone], own.plan, { work: 'init', next: own.next }) : zone;
  });
}

/** This folder, if Terraform was used here and a list names no folder. An account has zones of other folders too. */
function foldersHere(
  zones: readonly FleetZone[],
  { account }: StatusOptions,
  { cwd }: CliContext,
): string[] | undefined {
  const here = zones.some(hasFolder) || account !== undefined ? [] : foldersOfTerraform(cwd);
  return here.length === 0 ? undefined : here;
}

/** The other zones get what the folders of the list have; otherwise a CDKTF project. */
function generateRest(
  zones: readonly ZoneStatus[],
  options: StatusOptions,
  context: CliContext,
  read: ListedFolders,
  isPart: boolean,
): string {
  const folders = [...read.values()].flatMap((one) => (one instanceof Error ? [] : one));
  const majors = new Set(folders.map(({ installed }) => installed && majorOf(installed)));
  const [provider] = majors.size === 1 ? majors : [];
  const isHcl =
    folders.length > 0 &&
    folders.every(({ configuration }) => configuration && !isSynthesised(configuration.project));
  const flags = isHcl ? { format: 'hcl', out: 'waf', provider: provider && String(provider) } : {};
  const rest = zones.filter(isToGenerate).map(({ name, zone }) => name ?? zone);
  return generateLine(isPart ? { zone: rest } : options, context, flags);
}

const isToGenerate = ({ work }: ZoneStatus): boolean => work === 'generate';

const findingOf = (
  subject: string,
  { code, message, hint }: Omit<RefusedText['error'], 'findings'>,
): Finding => ({
  code,
  severity: 'decision',
  subject,
  message,
  remedy: hint,
});

/** The zones, with the command that resumes their interrupted or waiting run. */
function withResumed(
  zones: readonly ZoneStatus[],
  entries: readonly LedgerEntry[],
  found: ResolvedZones,
  { cwd }: CliContext,
): ZoneStatus[] {
  const unfinished = openApplies(currentEntries(entries, cwd), cwd);
  return zones.map((zone) => {
    const run = unfinished.get(zone.zone);
    // others, such as `init`, come before the run is resumed
    if (!run || !['plan', 'apply-blocks', 'generate', 'done'].includes(zone.work)) return zone;
    const command = withListedCanaries(run.command, found);
    return { ...zone, ...toResume(`cf-waf-migrate ${command}`, run.waitsAt) };
  });
}

type Standings = ReadonlyMap<string, ZoneStanding['stages']>;

/** The zones, as generated if they have a final stack outside of the folders that `status` reads. */
function withGenerated(
  zones: readonly ZoneStatus[],
  standings: Standings,
  generate: string | undefined,
  context: CliContext,
): ZoneStatus[] {
  const toPlace = generate === undefined ? null : `cf-waf-migrate ${generate}`;
  return zones.map((zone) => {
    const last = standings.get(zone.zone)?.['generate'];
    if (!isToGenerate(zone) || !last || !isFinalStack(last, context.cwd)) return zone;
    return { ...zone, work: 'generated', next: isPlaced(last, context) ? null : toPlace };
  });
}

/** The zones, with the command that plans them or runs their plans, and why others cannot be planned. */
function withPlans(
  all: readonly ZoneStatus[],
  standings: Standings,
  options: StatusOptions,
  found: ResolvedZones,
  context: CliContext,
) {
  const stagesOf = ({ zone }: ZoneStatus) => standings.get(zone) ?? {};
  const toPlan = all.filter(({ work, next }) => work === 'plan' && next === null);
  // unless the user follows the hint, the same plan of the list fails again for the folder of such a zone
  const unplannable = new Map(
    toPlan.flatMap((one) => {
      const error = options.dir === undefined ? stagesOf(one)['plan']?.error : undefined;
      if (error?.code !== 'METHOD_UNSUITABLE') return [];
      return [[one.zone, failureOf(error, planLine(options, found, context))] as const];
    }),
  );
  const ready = toPlan.filter(({ zone }) => !unplannable.has(zone));
  // the other plans of the list run without the blocked ones, and then lead to these
  const unblocked = ready.filter((one) => !readResult(stagesOf(one)['plan']).isBlocked);
  const due = unblocked.length > 0 ? unblocked : ready;
  const command = planOrRun(due.map(stagesOf), options, found, context);
  const next = command === undefined ? null : `cf-waf-migrate ${command}`;
  const zones = all.map((one) => (due.includes(one) ? { ...one, next } : one));
  return { zones, unplannable };
}

/** Why the last plan failed. Only the ledger tells it, so that it may be corrected since. */
function failureOf(error: NonNullable<StageStanding['error']>, again: string | undefined) {
  const message = `the last \`plan\` failed: ${error.message}`;
  // the command fails again until its flags are changed
  if (again === undefined || / --(method|write|to)\b/.test(again)) return { ...error, message };
  return { ...error, message, hint: `${error.hint}. When that is done:\ncf-waf-migrate ${again}` };
}

const isFinalStack = (generated: StageStanding, cwd: string): boolean =>
  readResult(generated).source === 'live' && hasItsFiles(generated, cwd);

/** The works of a list whose command is for one zone, or for all. */
const ORDER: readonly Work[] = [
  ...(['apply', 'init', 'plan', 'eligible', 'finish', 'review'] as const),
  ...(['generate', 'generated', 'apply-blocks', 'blocked'] as const),
];

function nextOfList(
  zones: readonly ZoneStatus[],
  options: StatusOptions,
  generate: string | undefined,
): string[] {
  const commandsOf = (what: Work): string[] =>
    zones.flatMap(({ work, next }) => (work === what ? (next ?? []) : []));
  const areManyBlocked = new Set(commandsOf('blocked')).size > 1;
  const ofAll: Partial<Record<Work, string | undefined>> = {
    blocked: areManyBlocked ? commandForSameZones('check', options) : undefined,
    eligible: reportLine(options),
    finish: commandForSameZones('finish', options),
    // it skips the zones of a list that have a folder
    generate,
    generated: generate,
  };
  const lines = ORDER.flatMap((work) => {
    const own = commandsOf(work);
    const command = ofAll[work];
    if (own.length > 0 && command !== undefined) return `cf-waf-migrate ${command}`;
    // each is for another folder
    return work === 'init' ? own : own.slice(0, 1);
  });
  return [...new Set(lines)];
}
