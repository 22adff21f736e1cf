import { dirname } from 'node:path';
import { type Client } from '../../../cloudflare/client';
import { type Finding, firstOfEachCode, renderFindings, wrapLines } from '../../../core/finding';
import { isIdentifier } from '../../../core/identifier';
import { objectOf, textOf } from '../../../core/json';
import { groupBy } from '../../../core/lists';
import { posixQuote } from '../../../core/posix-quote';
import { alignColumns, counted, printable } from '../../../core/printable';
import { type LedgerEntry, type RefusedText } from '../../../fleet/ledger';
import { type ResolvedZones } from '../../../fleet/resolve-zones';
import {
  isOutOfDate,
  type StageStanding,
  type ZoneStanding,
  zoneStandings,
} from '../../../fleet/standings';
import { type Plan } from '../../../plan/plan-schema';
import { readFolder } from '../../../zone/folder-facts';
import {
  type FolderStatus,
  folderStatus,
  type Work,
  withFirstStep,
  type ZoneStatus,
} from '../../../zone/folder-status';
import { applyLine } from '../../plans/next-of-plan';
import { hasCredentials, withClient } from '../../client';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import { interruptedApplies } from '../../many-zones/for-plans';
import {
  hasItsFiles,
  lastCommand,
  planLine,
  readEntries,
  reportLine,
} from '../../many-zones/for-zones';
import { misplacedZones, statusOfFolders } from '../../many-zones/listed-folders';
import {
  commandOf,
  isFleet,
  parseConcurrency,
  sameZones,
  TERRAFORM,
  ZONES,
  ZONES_AT_ONCE,
} from '../../options';
import { findLatestRun, leftOfRollback } from '../../plans/saved-plan';
import { workspaceOf } from '../../output';
import { createProgress } from '../../progress';
import { foldersOfTerraform, readFolders, terraformOptions } from '../../terraform';
import { givenZones, type KnownZone, knownZones, withListedZones } from '../../zones';

const flags = defineFlags({
  ...ZONES,
  ...TERRAFORM,
  '--dir <dir...>': 'Terraform folders (default: this folder)',
});

type StatusOptions = OptionsOf<typeof flags>;

/** With more zones, the list has only zones with a next step. */
const MOST_LISTED = 20;

export const statusCommand = defineCommand({
  example: 'status',
  flags,
  run: async (options, context) => {
    if (isFleet(options)) return statusOfList(options, context);
    const given = givenZones(options);
    const { dir, zone } = options;
    // a zone can be named outside of any folder
    const isFound = dir !== undefined || foldersOfTerraform(context.cwd).length > 0;
    const terraform = terraformOptions(options, context);
    const read = (folder: string) => readFolder(folder, terraform, context.cwd);
    const flags = (dir ?? []).map((path) => ` --dir ${posixQuote(path)}`).join('');
    const folders =
      isFound || zone === undefined
        ? await readFolders(options, context, read, '--dir <folder> or --zone <id or name>')
        : [];
    const report = async (client?: Client): Promise<FolderStatus> => {
      const zones = await knownZones(given, client);
      const status = await folderStatus(folders, zones, client, flags);
      const run = await findLatestRun(context);
      if (run?.isOpen === true) return withResume(status, run.plan);
      const isToPlan = status.zones.some(({ work }) => work === 'plan');
      const left =
        run !== undefined || isToPlan ? await leftOfRollback(terraform, context, run) : undefined;
      if (left === undefined) return status;
      const { plan, next, finding } = left;
      const planned = withFirstStep(status.zones, plan, { work: 'plan', next });
      return { ...status, zones: planned, findings: [...status.findings, finding] };
    };
    // a name is resolved by the API
    const isOffline = !hasCredentials(options, context) && given.every(isIdentifier);
    const result = isOffline ? await report() : await withClient(options, context, report);
    const exitCode = result.zones.some(isUnreadable) ? 1 : exitCodeOf(result.zones);
    const next = nextCommands(result.zones, workspaceOf(context));
    return { json: result, text: [renderStatus(result), ...next].join('\n'), exitCode };
  },
});

/** An interrupted run in this folder is resumed before anything else is planned. */
function withResume(status: FolderStatus, plan: Plan): FolderStatus {
  const zones = withFirstStep(status.zones, plan, toResume(applyLine('', plan, {})));
  // its next steps remove these blocks
  const findings = status.findings.filter(({ code }) => code !== 'LEGACY_BLOCKS_DECLARED');
  return { ...status, zones, findings };
}

const toResume = (command: string) =>
  ({ work: 'apply', next: `cf-waf-migrate ${command}` }) as const;

/** Each zone with the Terraform folders of `--dir`, or of the column `dir` of the list. */
function statusOfList(options: StatusOptions, context: CliContext): Promise<CommandResult> {
  const concurrency = parseConcurrency(options, ZONES_AT_ONCE);
  const entries = readEntries(options, context);
  return withListedZones(options, context, async (found, client) => {
    const progress = createProgress(context, found.zones.length);
    const tell = (zone: KnownZone, work: Work): void => {
      progress.tell({ name: zone.id, ...zone }, WORDS[work], work === 'status');
    };
    const run = { client, concurrency, tell };
    const { read, ...status } = await statusOfFolders(found.zones, options, context, run);
    progress.end();
    const { zones, unplannable } = withLedger(status.zones, entries, options, found, context);
    const misplaced = misplacedZones(found.zones, read, context);
    const result = {
      folders: status.folders,
      zones,
      findings: [
        ...found.refused.map(({ text, error }) => findingOf(text, error)),
        ...[...read].flatMap(([dir, one]) => (one instanceof Error ? findingOf(dir, one) : [])),
        ...[...misplaced, ...unplannable].map(([id, error]) => findingOf(id, error)),
        ...status.findings,
      ],
    };
    const hasFailed = zones.some(isUnreadable) || found.refused.length + misplaced.size > 0;
    return {
      json: result,
      text: renderStatus(result),
      next: options.zones === '-' ? undefined : nextOfList(zones, options, context),
      exitCode: hasFailed ? 1 : exitCodeOf(zones),
    };
  });
}

const findingOf = (subject: string, { code, message, hint }: RefusedText['error']): Finding => ({
  ...{ code, severity: 'decision', subject, message, remedy: hint },
});

/** Adds what only the ledger tells: interrupted runs, plans that are made, and generated stacks. */
function withLedger(
  known: readonly ZoneStatus[],
  entries: readonly LedgerEntry[],
  options: StatusOptions,
  found: ResolvedZones,
  context: CliContext,
) {
  const standings = new Map(zoneStandings(entries).map(({ zone, stages }) => [zone, stages]));
  const unfinished = interruptedApplies(entries, context.cwd);
  const isToPlan = ({ work, next }: ZoneStatus): boolean => work === 'plan' && next === null;
  const toPlan = known.filter((one) => isToPlan(one) && !unfinished.has(one.zone));
  // the same plan of the list fails again for the folder of such a zone
  const unplannable = toPlan.flatMap(({ zone }) => {
    const error = options.dir === undefined ? standings.get(zone)?.['plan']?.error : undefined;
    return error?.code === 'METHOD_UNSUITABLE' ? [[zone, error] as const] : [];
  });
  const isUnplannable = (id: string): boolean => unplannable.some(([zone]) => zone === id);
  const ready = toPlan.filter(({ zone }) => !isUnplannable(zone));
  const stages = ready.map(({ zone }) => standings.get(zone) ?? {});
  const planned = planOrRun(stages, options, found, context);
  const zones = known.map((zone): ZoneStatus => {
    const resume = unfinished.get(zone.zone);
    if (resume !== undefined) return { ...zone, ...toResume(resume) };
    const generated = standings.get(zone.zone)?.['generate'];
    if (zone.work === 'generate' && generated && isFinalStack(generated, context.cwd))
      return { ...zone, work: 'generated', next: null };
    if (!isToPlan(zone)) return zone;
    const isReady = planned !== undefined && !isUnplannable(zone.zone);
    return { ...zone, next: isReady ? `cf-waf-migrate ${planned}` : null };
  });
  return { zones, unplannable };
}

/** Whether `generate` has written the stack of the live ruleset, outside of the folders that `status` reads. */
const isFinalStack = (generated: StageStanding, cwd: string): boolean =>
  objectOf(generated.result)['source'] === 'live' && hasItsFiles(generated, cwd);

/** The command that plans zones, or that runs their plans, if these are made and not applied. */
function planOrRun(
  all: readonly ZoneStanding['stages'][],
  options: StatusOptions,
  found: ResolvedZones,
  context: CliContext,
): string | undefined {
  const isReady = ({ plan, rehearse, apply, verify }: ZoneStanding['stages']): boolean =>
    objectOf(plan?.result)['ready'] === true &&
    // an interrupted run was rolled back: the plan is out of date
    !['done', 'unknown'].includes(apply?.outcome ?? '') &&
    ![rehearse, apply, verify].some((one) => one !== undefined && isOutOfDate(one));
  const file = textOf(objectOf(all[0]?.['plan']?.result)['plan']);
  if (options.dir !== undefined || file === '' || !all.every(isReady)) {
    return planLine(options, found, context);
  }
  const isRehearsed = all.every(
    ({ rehearse, apply }) => rehearse?.outcome === 'done' || apply !== undefined,
  );
  if (!isRehearsed) return commandOf('rehearse', dirname(file), sameZones(options));
  const codes = all.flatMap(({ plan }) => textOf(objectOf(plan?.result)['codes']).split(', '));
  const accept = [...new Set(codes)].filter(Boolean);
  return commandOf('apply', dirname(file), { ...sameZones(options), accept });
}

/** The next command for a list: the first work that one of its zones has. */
function nextOfList(
  zones: readonly ZoneStatus[],
  options: StatusOptions,
  context: CliContext,
): string | undefined {
  const same = sameZones(options);
  const of = (what: Work): ZoneStatus | undefined =>
    zones.find(({ work, next }) => work === what && next !== null);
  const own = (what: Work): string | undefined => of(what)?.next?.replace('cf-waf-migrate ', '');
  const commands = [
    own('apply'),
    own('plan'),
    of('eligible') && reportLine(options),
    of('finish') && commandOf('finish', '', same),
    own('review'),
    // it skips the zones of a list that have a folder
    of('generate') &&
      (lastCommand('generate', options, context) ?? commandOf('generate', '', same)),
    own('blocked'),
  ];
  return commands.find((command) => command !== undefined);
}

function renderStatus({ folders, zones, findings }: FolderStatus): string {
  const isShort = zones.length <= MOST_LISTED;
  const listed = isShort ? zones : zones.filter(({ work }) => work !== 'done');
  const shown = zones.length === 1 ? findings : firstOfEachCode(findings);
  return [
    ...(isShort ? folders : []).map(
      ({ dir, provider }) =>
        `Folder ${printable(dir, 200)}: provider ${provider ?? 'version unknown'}`,
    ),
    summary(zones, findings),
    ...(listed.length === 0 ? [] : ['']),
    ...(isShort || listed.length === 0 ? [] : ['Zones with a next step:']),
    ...(listed.length === 0 ? [] : alignColumns([HEADINGS, ...listed.map(rowOf)])),
    ...(zones.length === 1 ? zones.flatMap(deployments) : []),
    ...(shown.length === 0 ? [] : ['', ...renderFindings(shown)]),
  ].join('\n');
}

const WORDS: Readonly<Record<Work, string>> = {
  blocked: 'blocked',
  eligible: 'eligible',
  review: 'in validation mode',
  finish: 'to finish',
  plan: 'to plan',
  apply: 'with an interrupted run',
  'apply-blocks': 'to apply with Terraform',
  generate: 'to generate',
  generated: 'with a stack that status does not read',
  status: 'that cannot be read',
  unprotected: 'without a WAF',
  done: 'done',
};

function summary(zones: readonly ZoneStatus[], findings: readonly Finding[]): string {
  if (zones.length === 0) {
    return findings.some(({ code }) => code === 'STATE_UNREAD')
      ? 'the zones of this folder are unknown: its state cannot be read'
      : 'no zone has legacy WAF resources or a managed ruleset here';
  }
  const works = groupBy(zones, ({ work }) => WORDS[work]);
  const parts = [...works].map(([what, { length }]) => `${length} ${what}`);
  const isDone = zones.every(({ work }) => work === 'done');
  const others = findings.some(({ code }) => code === 'OTHER_WORKSPACES');
  const done = `nothing is left to do${others ? ' in this workspace' : ''}`;
  return `${counted(zones.length, 'zone')}: ${isDone ? done : parts.join(', ')}`;
}

const isUnreadable = ({ work }: ZoneStatus): boolean => work === 'status';

/** A migrated zone without a WAF needs a decision. */
const exitCodeOf = (zones: readonly ZoneStatus[]) =>
  zones.some(({ work }) => work === 'unprotected') ? (2 as const) : (0 as const);

const HEADINGS = ['ZONE', 'WAF', 'ELIGIBLE', 'LEGACY RESOURCES', 'RULESET'];
/** A name is cut to the width of an id, so that the table fits a terminal. */
const LONGEST_NAME = 31;

function rowOf(zone: ZoneStatus): string[] {
  const { legacy, ruleset, blockedBy } = zone;
  const places = [
    ...(legacy.state > 0 ? [`${legacy.state} in state`] : []),
    ...(legacy.configuration > 0 ? [`${legacy.configuration} in files`] : []),
  ];
  const declared = ruleset.declared ? 'declared' : '-';
  return [
    zone.name === undefined ? zone.zone : printable(zone.name, LONGEST_NAME),
    wafOf(zone),
    blockedBy === undefined ? '-' : blockedBy.length === 0 ? 'yes' : 'no',
    places.join(', ') || '-',
    ruleset.inState ? (ruleset.declared ? 'imported' : 'in state') : declared,
  ];
}

function wafOf({ oldWaf, newWaf }: Pick<ZoneStatus, 'oldWaf' | 'newWaf'>): string {
  if (oldWaf === 'unknown' && newWaf === 'unknown') return 'unknown';
  if (oldWaf === 'on') return newWaf === 'on' ? 'both' : 'legacy';
  return newWaf === 'on' ? 'new' : 'none';
}

const EFFECTS = { acts: 'on ', logs: 'log', off: 'off' } as const;

function deployments({ deployed }: ZoneStatus): string[] {
  if (deployed.length === 0) return [];
  return [
    '',
    'Deployed managed rulesets:',
    ...deployed.flatMap(({ name, effect, expression }) => [
      `  ${EFFECTS[effect]} ${printable(name, 60)}`,
      ...(expression === 'true'
        ? []
        : wrapLines(`where ${printable(expression, 300)}`, '        ')),
    ]),
  ];
}

function nextCommands(zones: readonly ZoneStatus[], workspace: string): string[] {
  const commands = [...new Set(zones.flatMap(({ next }) => next ?? []))];
  if (commands.length === 0) return [];
  const more = commands.length - MOST_LISTED;
  return [
    '',
    commands.length === 1 ? 'Next:' : 'Next, one of:',
    ...commands.slice(0, MOST_LISTED).map((one) => `  ${workspace}${one}`),
    ...(more > 0 ? [`  … and ${more} more, all in --json`] : []),
  ];
}
