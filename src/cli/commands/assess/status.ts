import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Client } from '../../../cloudflare/client';
import { type Finding, renderFindings, wrapLines } from '../../../core/finding';
import { isIdentifier } from '../../../core/identifier';
import { groupBy } from '../../../core/lists';
import { MigrationError } from '../../../core/migration-error';
import { alignColumns, counted, printable } from '../../../core/printable';
import { readLedger } from '../../../fleet/ledger';
import { type ResolvedZones } from '../../../fleet/resolve-zones';
import { unfinishedApplies } from '../../../fleet/standings';
import { type Plan } from '../../../plan/plan';
import { type FolderFacts, readFolder } from '../../../zone/folder-facts';
import {
  type FolderStatus,
  folderStatus,
  type Work,
  type ZoneStatus,
} from '../../../zone/folder-status';
import { applyLine } from '../../consent';
import { hasCredentials, withClient } from '../../client';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import { dirFlags } from '../../plans/plan-by-flags';
import { forZones, planLine } from '../../many-zones/for-zones';
import { DEFAULT_LEDGER, isFleet, sameZones, TERRAFORM, ZONES } from '../../options';
import { findLatestRun } from '../../plans/saved-plan';
import { workspaceOf } from '../../output';
import { foldersOfTerraform, readFolders, terraformOptions } from '../../terraform';
import { givenZones, knownZones, listFolder } from '../../zones';

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
    if (isFleet(options)) return statusOfMany(options, context);
    const given = givenZones(options);
    const { dir, zone } = options;
    // a zone can be named outside of any folder
    const isFound = dir !== undefined || foldersOfTerraform(context.cwd).length > 0;
    const terraform = terraformOptions(options, context);
    const read = (folder: string) => readFolder(folder, terraform, context.cwd);
    const folders =
      isFound || zone === undefined
        ? await readFolders(options, context, read, '--dir <folder> or --zone <id or name>')
        : [];
    const report = async (client?: Client): Promise<FolderStatus> => {
      const zones = await knownZones(given, client);
      const status = await folderStatus(folders, zones, client, dirFlags(options.dir));
      const run = await findLatestRun(context);
      return run?.isOpen === true ? withResume(status, run.plan) : status;
    };
    // a name is resolved by the API
    const isOffline = !hasCredentials(options, context) && given.every(isIdentifier);
    const result = isOffline ? await report() : await withClient(options, context, report);
    const exitCode = result.zones.some(isUnreadable) ? 1 : exitCodeOf(result.zones);
    return { json: result, text: renderStatus(result, workspaceOf(context)), exitCode };
  },
});

/** An interrupted run in this folder is resumed before anything else is planned, but after `terraform init`. */
function withResume(status: FolderStatus, plan: Plan): FolderStatus {
  const planned = plan.zones.map(({ zoneId }) => zoneId);
  const zones = status.zones.map((zone) =>
    zone.next?.startsWith('cf-waf-migrate plan') === true ||
    (zone.work === 'done' && planned.includes(zone.zone))
      ? { ...zone, ...toResume(applyLine('', plan, {})) }
      : zone,
  );
  return { ...status, zones };
}

const toResume = (command: string) =>
  ({ work: 'apply', next: `cf-waf-migrate ${command}` }) as const;

/** Each zone with the Terraform folders of `--dir`, or of the column `dir` of the list. */
function statusOfMany(options: StatusOptions, context: CliContext): Promise<CommandResult> {
  const { cwd } = context;
  const base = listFolder(options, cwd);
  // zones can share a folder
  const read = new Map<string, Promise<FolderFacts>>();
  const readOnce = (dir: string): Promise<FolderFacts> => {
    const facts = read.get(dir) ?? readFolder(dir, terraformOptions(options, context), cwd);
    read.set(dir, facts);
    return facts;
  };
  const statuses: ZoneStatus[] = [];
  const ledger = resolve(cwd, options.ledger ?? DEFAULT_LEDGER);
  const unfinished = unfinishedApplies(existsSync(ledger) ? readLedger(ledger) : []);
  return forZones(options, context, {
    stage: 'status',
    request: { dir: options.dir ?? null },
    next: (_, found) => nextOfList(statuses, options, found, context),
    perform: async (client, { entries = [], ...zone }) => {
      const listed = entries.flatMap(({ dir }) => (dir === undefined ? [] : resolve(base, dir)));
      const dirs = [...new Set(options.dir?.map((dir) => resolve(cwd, dir)) ?? listed)];
      const folders = await Promise.all(dirs.map(readOnce));
      const flags = dirFlags(dirs.map((dir) => relative(cwd, dir) || '.'));
      const status = await folderStatus(folders, [zone], client, flags);
      const has = (what: Work): boolean => status.zones.some(({ work }) => work === what);
      const [unread] = has('status') ? status.findings : [];
      if (unread !== undefined) {
        throw new MigrationError('API_REFUSED', unread.message, { hint: unread.remedy });
      }
      // `plan` declares the ruleset in the folder that the list names
      const isUnknown = has('generate') && options.dir === undefined && listed.length > 0;
      const [unreadState] = folders.flatMap((folder) => folder.unread ?? []);
      // a state that cannot be read cannot be planned
      if (unreadState !== undefined && (isUnknown || has('plan'))) throw unreadState;
      const resume = unfinished.get(zone.id);
      const next = `cf-waf-migrate plan --zone ${zone.id}${flags}`;
      const zones = status.zones.map((one) => ({
        ...one,
        ...(isUnknown ? ({ work: 'plan', next } as const) : {}),
        ...(resume === undefined ? {} : toResume(resume)),
      }));
      statuses.push(...zones);
      const where = folders.map(({ dir }) => dir).join(', ');
      const line = `${zones.map(lineOf).join()}${isUnknown ? `: nothing of the zone is in ${printable(where, 200)}` : ''}`;
      const exitCode = isUnknown ? 2 : exitCodeOf(zones);
      return { json: { ...status, zones }, text: line, line, exitCode };
    },
    conclude: () => (statuses.length === 0 ? undefined : summary(statuses, [])),
  });
}

/** The next command for a list: the first work that one of its zones has. */
function nextOfList(
  zones: readonly ZoneStatus[],
  options: StatusOptions,
  found: ResolvedZones,
  context: CliContext,
): string | undefined {
  const same = sameZones(options);
  const of = (what: Work): ZoneStatus | undefined => zones.find(({ work }) => work === what);
  const own = (zone: ZoneStatus | undefined): string | undefined =>
    zone?.next?.replace('cf-waf-migrate ', '');
  const commands = [
    own(of('apply')),
    of('plan') && planLine(options, found, context),
    of('eligible') && `report ${same} --out reports`,
    of('finish') && `finish ${same}`,
    own(of('review')),
    // it skips the zones of a list that have a folder
    of('generate') && `generate ${same}`,
    own(of('blocked')),
  ];
  return commands.find((command) => command !== undefined);
}

/** @param workspace the beginning of each next command */
function renderStatus({ folders, zones, findings }: FolderStatus, workspace: string): string {
  const isShort = zones.length <= MOST_LISTED;
  const listed = isShort ? zones : zones.filter(({ work }) => work !== 'done');
  const shown = zones.length === 1 ? findings : firstOfEachCode(findings);
  return [
    ...folders.map(
      ({ dir, provider }) =>
        `Folder ${printable(dir, 200)}: provider ${provider ?? 'version unknown'}`,
    ),
    summary(zones, findings),
    ...(listed.length === 0 ? [] : ['']),
    ...(isShort || listed.length === 0 ? [] : ['Zones with a next step:']),
    ...(listed.length === 0 ? [] : alignColumns([HEADINGS, ...listed.map(rowOf)])),
    ...(zones.length === 1 ? zones.flatMap(deployments) : []),
    ...(shown.length === 0 ? [] : ['', ...renderFindings(shown)]),
    ...nextCommands(zones, workspace),
  ].join('\n');
}

const WORDS: Readonly<Record<Work, string>> = {
  blocked: 'blocked',
  eligible: 'eligible',
  review: 'in validation mode',
  finish: 'to finish',
  plan: 'to plan',
  apply: 'with an interrupted run',
  generate: 'to generate',
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

/** The first finding of each code, with the number of the others. */
function firstOfEachCode(findings: readonly Finding[]): Finding[] {
  return [...groupBy(findings, ({ code }) => code).values()].map(([first, ...more]) => ({
    ...first,
    subject: `${first.subject}${more.length === 0 ? '' : ` and ${more.length} more`}`,
  }));
}

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

function lineOf(zone: ZoneStatus): string {
  const { deployed, blockedBy = [] } = zone;
  return [
    `${wafOf(zone).replace('none', 'no')} WAF`,
    `${counted(deployed.length, 'managed ruleset')} deployed`,
    blockedBy.length === 0 ? WORDS[zone.work] : `blocked by ${blockedBy.join(', ')}`,
  ].join(', ');
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
