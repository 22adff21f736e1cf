import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { renderFindings } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { counted, printable } from '../../core/printable';
import { configNames } from '../../project/read-configuration';
import {
  type FolderFacts,
  type FolderStatus,
  folderStatus,
  readFolder,
  type ZoneStatus,
} from '../../zone/folder-status';
import { hasCredentials, withClient } from '../client';
import { type CliCommand, type CliContext, type CommonOptions } from '../context';
import { forZones } from '../many-zones';
import {
  type FleetOptions,
  isFleet,
  type ServiceOptions,
  type TerraformFlags,
  withFleet,
  withService,
  withTerraform,
  withZone,
  type ZoneOptions,
} from '../options';
import { terraformOptions } from '../terraform';
import { givenZones, readZoneIds } from '../zones';

interface StatusOptions extends ServiceOptions, ZoneOptions, FleetOptions, TerraformFlags {
  readonly dir?: readonly string[];
}

/** With more zones, only those are listed that need something. */
const MOST_LISTED = 20;

/** `status`: where each zone is, and the next command. */
export const statusCommand: CliCommand<StatusOptions> = {
  example: 'status',
  define: (command) =>
    withFleet(withTerraform(withService(withZone(command)))).option(
      '--dir <dir...>',
      'Terraform folders (default: this folder)',
    ),
  run: async (options, context) => {
    if (isFleet(options)) return statusOfMany(options, context);
    const folders = await readFolders(options, context);
    const given = givenZones(options);
    const zones = (await readZoneIds(given, options, context)).map((id) => ({ id }));
    const { dir = [] } = options;
    const flags = dir.map((one) => ` --dir ${posixQuote(one)}`).join('');
    const result = hasCredentials(options, context)
      ? await withClient(options, context, (client) => folderStatus(folders, zones, client, flags))
      : await folderStatus(folders, zones, undefined, flags);
    return { json: result, text: renderStatus(result), exitCode: 0 };
  },
};

function statusOfMany(options: StatusOptions & CommonOptions, context: CliContext) {
  return forZones(options, context, {
    stage: 'status',
    request: {},
    perform: async (client, zone) => {
      const result = await folderStatus([], [zone], client, '');
      const line = result.zones.map(lineOf).join();
      return { json: result, text: line, line, exitCode: 0 };
    },
  });
}

/** The folders that are named, else the current one, or the stacks that the CDKTF project there has synthesised. */
async function readFolders(
  options: StatusOptions & CommonOptions,
  context: CliContext,
): Promise<FolderFacts[]> {
  const { dir, zone } = options;
  const dirs = dir ?? (await foldersIn(context.cwd));
  if (dirs.length === 0 && zone === undefined) {
    throw new MigrationError('USAGE', 'there is no Terraform configuration in the current folder', {
      hint: 'change into a Terraform folder, or pass --dir <folder> or --zone <id or name>',
    });
  }
  const terraform = terraformOptions(options, context);
  const folders: FolderFacts[] = [];
  for (const one of new Set(dirs.map((path) => resolve(context.cwd, path))))
    folders.push(await readFolder(one, terraform, context.cwd));
  return folders;
}

async function foldersIn(cwd: string): Promise<string[]> {
  if (((await configNames(cwd)) ?? []).length > 0) return ['.'];
  const stacks = 'cdktf.out/stacks';
  if (!existsSync(join(cwd, 'cdktf.json')) || !existsSync(join(cwd, stacks))) return [];
  return (await readdir(join(cwd, stacks))).sort().map((name) => `${stacks}/${name}`);
}

function renderStatus({ folders, zones, findings }: FolderStatus): string {
  const listed = zones.length <= MOST_LISTED ? zones : zones.filter(({ next }) => next !== null);
  const lines = [
    ...folders.map(
      ({ dir, provider }) => `${printable(dir, 200)}: provider ${provider ?? 'unknown'}`,
    ),
    summary(zones),
    '',
    ...table(listed),
    ...(zones.length === 1 ? zones.flatMap(deployments) : []),
    ...(findings.length === 0 ? [] : ['', ...renderFindings(findings)]),
    ...nextCommands(zones),
  ];
  return lines.join('\n');
}

function summary(zones: readonly ZoneStatus[]): string {
  if (zones.length === 0) return 'no zone has legacy WAF resources or a managed ruleset here';
  const left = zones.filter(({ next }) => next !== null).length;
  const rest = left === 0 ? 'nothing is left to do' : `${left} with a next step`;
  return `${counted(zones.length, 'zone')}: ${rest}`;
}

const HEADINGS = ['ZONE', 'WAF', 'LEGACY IN STATE', 'IN CONFIGURATION', 'RULESET'];

function table(zones: readonly ZoneStatus[]): string[] {
  if (zones.length === 0) return [];
  const rows = [HEADINGS, ...zones.map(rowOf)];
  const widths = HEADINGS.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function rowOf(zone: ZoneStatus): string[] {
  const { legacy, ruleset, blockedBy = [] } = zone;
  const places = [
    ...(ruleset.declared ? ['declared'] : []),
    ...(ruleset.inState ? ['in state'] : []),
  ];
  const blocked = blockedBy.length === 0 ? '' : ` (blocked: ${blockedBy.join(', ')})`;
  return [
    printable(zone.name ?? zone.zone, 60),
    `${wafOf(zone)}${blocked}`,
    String(legacy.state),
    String(legacy.configuration),
    places.join(', ') || 'not declared',
  ];
}

/** A zone among many, in one line. */
function lineOf(zone: ZoneStatus): string {
  const { deployed, blockedBy = [], next } = zone;
  return [
    `${wafOf(zone)} WAF`,
    `${counted(deployed.length, 'managed ruleset')} deployed`,
    ...(blockedBy.length === 0 ? [] : [`blocked by ${blockedBy.join(', ')}`]),
    ...(next === null ? [] : [`next: ${next}`]),
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
    'deployed managed rulesets:',
    ...deployed.map(
      ({ id, name, effect, expression }) =>
        `  ${EFFECTS[effect]} ${printable(name ?? 'unknown ruleset', 60)} (${printable(id, 32)}) where ${printable(expression, 80)}`,
    ),
  ];
}

/** Each next command once, with how many zones it is for where it is not for all. */
function nextCommands(zones: readonly ZoneStatus[]): string[] {
  const commands = [...new Set(zones.flatMap(({ next }) => next ?? []))];
  if (commands.length === 0) return [];
  const more = commands.length - MOST_LISTED;
  return [
    '',
    commands.length === 1 ? 'Next:' : 'Next, one of:',
    ...commands.slice(0, MOST_LISTED).map((one) => `  ${one}`),
    ...(more > 0 ? [`  … and ${more} more, all in --json`] : []),
  ];
}
