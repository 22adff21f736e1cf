import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { requireOwnFiles } from '../../apply/journal/secure-backup-folder';
import { hasFolder } from '../../fleet/group-zones';
import {
  leadsToApply,
  type LedgerEntry,
  readLedger,
  readResult,
  type ResultFields,
  type Stage,
} from '../../fleet/ledger';
import { currentEntries, undoneAt } from '../../fleet/read-plans';
import { type ResolvedZones, zoneFinder } from '../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../fleet/run-fleet';
import { isOutOfDate, type ZoneStanding } from '../../fleet/standings';
import { OF_PLANS, type StageStanding } from '../../fleet/zone-results';
import { MigrationError } from '../../core/migration-error';
import { cdktfFolder, foldersOfTerraform } from '../../project/cdktf-project';
import { type CliContext, type CommandResult } from '../context';
import {
  commandForSameZones,
  commandOf,
  DEFAULT_LEDGER,
  type FleetOptions,
  type StatePlaces,
  type ZonesOptions,
} from '../options';
import { sameCommand } from '../output';

/** What decides the next command after a run for many zones. */
export interface NextOfWork {
  readonly stage: Stage;
  /** The next command for the zones that are done; undefined if there is none until all are done. */
  readonly next: (outcomes: readonly ZoneOutcome[], found: ResolvedZones) => string | undefined;
  /** Whether a result that needs attention makes the same command run again; true by default. */
  readonly repeats?: (result: ResultFields) => boolean;
  /**
   * What comes before the next command where no zone is unfinished.
   * @param usual the review of decisions, if a zone has some
   */
  readonly before?: (usual: CommandResult['before']) => CommandResult['before'];
}

/** Errors of a zone that the same command gets again until another one is run. */
const LASTING_ERRORS = ['METHOD_UNSUITABLE', 'RUN_INTERRUPTED', 'ENTRY_POINT_MISSING'] as const;

/** The error of a zone's run that the same command would get again. */
export function lastingError({ error }: Pick<ZoneOutcome, 'error'> = {}):
  MigrationError | undefined {
  const code = LASTING_ERRORS.find((one) => one === error?.code);
  return code && new MigrationError(code, error?.message ?? '', { hint: error?.hint });
}

/** What comes before the next command where decisions remain. */
export const REVIEW = { task: 'the review of each decision', when: 'after you read each decision' };

/** What comes before the same command again where findings remain. */
export const REMEDIES = { task: 'the remedy of each finding' };

/** Below the zones of a list that names no Terraform folder. */
export const PLAN_INSTEAD =
  'If a Terraform folder has legacy resources of these zones, run `plan` there.';

/**
 * The same command again for the zones that are not done, and the next one for the others. Refused zones may need a plan
 * first.
 */
export function nextOf(
  work: NextOfWork,
  outcomes: readonly ZoneOutcome[],
  found: ResolvedZones,
  options: FleetOptions,
  context: CliContext,
): Pick<CommandResult, 'next' | 'before'> {
  // standard input cannot be read again
  if (options.zones === '-') return {};
  const { stage, before } = work;
  if (stage !== 'plan' && outcomes.some(isOutOfDate))
    return { next: planLine(options, found, context) };
  const after = work.next(outcomes, found);
  const othersGoOn = outcomes.length > 0 && after !== undefined;
  const codes = found.refused.map(({ error }) => error.code);
  const refused = codes.filter((code) => !othersGoOn || !leavingOthers(stage).includes(code));
  const again =
    repeatOf(work, outcomes, context) ?? commandForRefused(refused, stage, found, options, context);
  if (after === undefined) return { next: again };
  if (again !== undefined)
    return { next: after, before: { task: 'the unfinished zones', commands: [again] } };
  const review = outcomes.some(({ outcome }) => outcome === 'attention') ? REVIEW : undefined;
  return { next: after, before: before ? before(review) : review };
}

/** The same command again for the zones that are not done; undefined if there are none. */
function repeatOf(
  { stage, repeats = () => true }: NextOfWork,
  outcomes: readonly ZoneOutcome[],
  context: CliContext,
): string | undefined {
  const isUnfinished = outcomes.some((one) =>
    one.outcome === 'attention'
      ? repeats(readResult(one))
      : one.outcome !== 'done' && lastingError(one) === undefined,
  );
  if (!isUnfinished) return undefined;
  const exists = outcomes.some(({ error }) => error?.code === 'FILE_EXISTS');
  return sameCommand(context) + (stage === 'report' && exists ? ' --force' : '');
}

/** The command for zones that are refused with these codes; undefined without codes. */
function commandForRefused(
  codes: readonly string[],
  stage: Stage,
  found: ResolvedZones,
  options: FleetOptions,
  context: CliContext,
): string | undefined {
  if (codes.length === 0) return undefined;
  const isUnplanned = codes.every((code) => toPlan(stage).includes(code));
  // once they are not refused, the refused zones count in the confirmation
  const commandLine = context.commandWith([], '--confirm');
  const same = sameCommand({ ...context, commandLine });
  return isUnplanned ? (planLine(options, found, context) ?? same) : same;
}

/** The codes of refused zones whose hint says what to do, so that the other zones go on. */
const leavingOthers = (stage: Stage): readonly string[] => [
  'ZONE_NOT_REACHED',
  'ZONE_AMBIGUOUS',
  'ZONE_CONTRADICTED',
  // several folders have a plan of their own
  ...(stage === 'plan' ? ['ZONE_NOT_PLANNED'] : []),
  ...whyUnplanned(stage),
];

/** The codes of refused zones that need a plan. */
const toPlan = (stage: Stage): readonly string[] => [
  'ZONE_NOT_PLANNED',
  'PLAN_INVALID',
  'PLAN_OF_OTHER_ZONES',
  ...whyUnplanned(stage),
];

/** The codes with which `plan` failed for zones, where a command runs plans. */
const whyUnplanned = (stage: Stage): readonly string[] =>
  OF_PLANS.includes(stage) ? LASTING_ERRORS : [];

/**
 * The command that plans the zones of a list: the last one for this list, otherwise in the folders that it names, or in
 * this folder.
 * @param dir the folders of `--dir`
 * @returns undefined if no Terraform folder is known
 */
export function planLine(
  options: ZonesOptions & { readonly dir?: readonly string[] | undefined },
  { zones }: ResolvedZones,
  context: CliContext,
): string | undefined {
  if (options.dir === undefined) {
    const earlier = lastCommand('plan', options, context);
    if (earlier !== undefined) return earlier;
    if (zones.some(hasFolder)) {
      return commandForSameZones('plan', options, { out: 'plans' });
    }
  }
  const dir = options.dir ?? foldersOfTerraform(context.cwd);
  if (dir.length === 0) return undefined;
  // an account has zones of other folders too
  const selected =
    options.account === undefined ? { zones: options.zones, zone: options.zone } : {};
  return commandOf('plan', { ...selected, dir, out: 'plan.json' });
}

/** The command that plans zones, or that runs their plans, if these are made and not applied. */
export function planOrRun(
  all: readonly ZoneStanding['stages'][],
  options: FleetOptions & Pick<StatePlaces, 'dir'>,
  found: ResolvedZones,
  context: CliContext,
): string | undefined {
  const file = readResult(all[0]?.['plan']).plan;
  const isToRun = options.dir === undefined && file !== '';
  if (!isToRun || !all.every((stages) => isReady(stages, context.cwd)))
    return planLine(options, found, context);
  if (!all.every(isRehearsed)) return commandForSameZones('rehearse', options, {}, dirname(file));
  const isRepeated = all.some(({ apply }) => apply !== undefined);
  // with the waves of the run that failed
  const again = isRepeated ? lastCommand('apply', options, context) : undefined;
  if (again !== undefined) return withListedCanaries(again, found);
  const codes = all.flatMap(({ plan }) => readResult(plan).codes.split(', '));
  const accept = [...new Set(codes)].filter(Boolean);
  return commandForSameZones('apply', options, { accept }, dirname(file));
}

/** Whether the plan of a zone can be run: no run, and no rollback, has made it out of date. */
function isReady({ plan, rehearse, apply, verify }: ZoneStanding['stages'], cwd: string): boolean {
  const made = readResult(plan);
  if (!made.ready || undoneAt(made, cwd) !== undefined || apply?.outcome === 'done') return false;
  return ![rehearse, apply, verify].some((run) => run !== undefined && isOutOfDate(run));
}

function isRehearsed({ rehearse, apply }: ZoneStanding['stages']): boolean {
  if (apply !== undefined || rehearse?.outcome === 'done') return true;
  return rehearse?.outcome === 'attention' && leadsToApply(readResult(rehearse));
}

/** Without the canaries that the list no longer has: they would be refused. */
export function withListedCanaries(command: string, { zones }: ResolvedZones): string {
  const find = zoneFinder(zones);
  return command.replace(/ --canary(=\S+|(?: (?!-)\S+)+)/g, (_, given: string) => {
    const kept = given.split(/[ =]/).filter((zone) => !(find(zone) instanceof MigrationError));
    return kept.length === 0 ? '' : ` --canary ${kept.join(' ')}`;
  });
}

export const reportLine = (options: ZonesOptions): string =>
  commandForSameZones('report', options, {
    out: options.zone === undefined ? 'reports' : undefined,
  });

/**
 * The command that generates the stacks of a list: the last one, if its stacks can be planned. Otherwise they get a CDKTF
 * project.
 * @param flags the format and place of the stacks, if the folders of the list decide it
 */
export function generateLine(
  options: ZonesOptions,
  context: CliContext,
  flags: Parameters<typeof commandOf>[1] = {},
): string {
  // the zones may have migrated since
  const last = options.zone === undefined ? lastCommand('generate', options, context) : undefined;
  const earlier = last?.replace(/ --source[ =]config\b/, '');
  if (earlier !== undefined && isPlaced({ command: earlier }, context)) return earlier;
  const line = commandForSameZones('generate', options, flags);
  if (isPlaced({ command: line }, context)) return line;
  const waf = resolve(context.cwd, 'waf');
  // an earlier run can have put HCL there
  const isHcl =
    statSync(waf, { throwIfNoEntry: false })?.isDirectory() === true &&
    cdktfFolder(waf) === undefined &&
    foldersOfTerraform(waf).length > 0;
  return `${earlier ?? line} ${isHcl ? '--format hcl --out waf' : '--project waf'}`;
}

/** Whether the user chose where `generate` writes, or a CDKTF project is here: otherwise no program has its stacks. */
export const isPlaced = ({ command = '' }: Pick<StageStanding, 'command'>, { cwd }: CliContext) =>
  / --(?:format|out|project)[ =]/.test(command) || cdktfFolder(cwd) !== undefined;

/** The last command of a stage for the same list, with all its flags. */
export function lastCommand(
  stage: Stage,
  { zones, account, ledger }: FleetOptions,
  context: CliContext,
): string | undefined {
  const list = zones ?? account ?? '';
  return readEntries({ ledger }, context)
    .filter((one) => one.event === 'begin')
    .findLast((one) => one.stage === stage && one.list === list && one.command !== undefined)
    ?.command;
}

export const ledgerPath = (
  { ledger = DEFAULT_LEDGER }: FleetOptions,
  { cwd }: CliContext,
): string => resolve(cwd, ledger);

/** Checks the ledger, whose commands are printed to be copied. */
export async function requireOwnLedger(options: FleetOptions, context: CliContext): Promise<void> {
  const path = ledgerPath(options, context);
  await requireOwnFiles(options.ledger === undefined ? dirname(path) : path, context.environment);
}

export function readEntries(options: FleetOptions, context: CliContext): readonly LedgerEntry[] {
  const path = ledgerPath(options, context);
  return existsSync(path) ? readLedger(path) : [];
}

/** The lines that still count, beside what single plans changed since. */
export const readCurrentEntries = (options: FleetOptions, context: CliContext) =>
  currentEntries(readEntries(options, context), context.cwd);
