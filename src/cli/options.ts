import { type Command as Commander, Option } from 'commander';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { type RulesetSource } from '../generate/read-source';

/** The zones of a command. */
export interface ZoneOptions {
  /** Ids or names. */
  readonly zone?: readonly string[];
}

/** Adds `--zone`. Not a required option of commander: a mistyped flag is reported first. */
export function withZone(command: Commander): Commander {
  return command.option('--zone <zone...>', 'zone id or name; can be repeated');
}

/** Flags of the commands that work on many zones. */
export interface FleetOptions {
  readonly zones?: string;
  readonly account?: string;
  readonly ledger?: string;
  readonly concurrency?: string;
}

/**
 * 1.5 times the connections of the client (`CONNECTIONS` in src/cloudflare/rate-limiter.ts), so that no
 * connection is idle while the stack of a zone is written.
 */
export const ZONES_AT_ONCE = 12;
/** Each starts Terraform and a provider, which need memory and processor time. */
export const PLANS_AT_ONCE = 4;
const MOST_AT_ONCE = 16;

/** Adds the flags of {@link FleetOptions}. @param atOnce how many at a time by default */
export function withFleet(command: Commander, atOnce = ZONES_AT_ONCE): Commander {
  return inGroup(command, 'Many zones', (group) =>
    group
      .option('--zones <file>', 'list of ids or names; - is standard input')
      .addOption(new Option('--account <id>', 'all zones of this account').conflicts('zones'))
      .option('--ledger <file>', 'record of the run, to resume it')
      .option(
        '--concurrency <count>',
        `how many at a time, 1 to ${MOST_AT_ONCE} (default ${atOnce})`,
      ),
  );
}

/**
 * Whether the command is for a list of zones.
 * @throws MigrationError `USAGE` if it also names one zone, or has flags that only many zones take
 */
export function isFleet(options: FleetOptions & WaveOptions & ZoneOptions): boolean {
  const isList = options.zones !== undefined || options.account !== undefined;
  if (isList && options.zone !== undefined) {
    throw new MigrationError('USAGE', 'pass either --zone, or --zones or --account');
  }
  const many = isList || (options.zone ?? []).length > 1;
  const stray = (['ledger', 'concurrency', 'wave', 'pause', 'canary'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (!many && stray !== undefined) {
    throw new MigrationError('USAGE', `--${stray} goes with --zones or --account`);
  }
  return isList;
}

/** The flags that name the same zones to the next command. */
export function sameZones({
  zones,
  account,
  zone = [],
  ledger,
}: FleetOptions & ZoneOptions): string {
  return [
    ...(zone.length === 0 ? [] : ['--zone', ...zone]),
    ...(zones === undefined ? [] : ['--zones', zones]),
    ...(account === undefined ? [] : ['--account', account]),
    ...(ledger === undefined ? [] : ['--ledger', ledger]),
  ]
    .map(posixQuote)
    .join(' ');
}

/** @throws MigrationError `USAGE` */
export function parseConcurrency({ concurrency }: FleetOptions, atOnce = ZONES_AT_ONCE): number {
  return parseCount('--concurrency', concurrency ?? String(atOnce), 1, MOST_AT_ONCE);
}

/**
 * The value of a flag as a number.
 * @throws MigrationError `USAGE`
 */
export function parseCount(flag: string, text: string, least: number, most = 99_999): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (count >= least && count <= most) return count;
  throw new MigrationError(
    'USAGE',
    `${flag} "${printable(text, 20)}" is not a number from ${least} to ${most}`,
  );
}

/** Flags of the commands that change many zones in waves. */
export interface WaveOptions {
  readonly wave?: string;
  readonly pause?: string;
  readonly canary?: readonly string[];
}

/** Zones of a wave. */
export const DEFAULT_WAVE = 10;
/** Seconds between two waves. */
export const DEFAULT_PAUSE = 60;

/** Adds the flags of {@link WaveOptions}. */
export function withWaves(command: Commander): Commander {
  return inGroup(command, 'Many zones', (group) =>
    group
      .option('--canary <zone...>', 'zones of the first wave')
      .option('--wave <count>', `zones of each wave (default ${DEFAULT_WAVE})`)
      .option('--pause <seconds>', `time between two waves (default ${DEFAULT_PAUSE})`),
  );
}

/** Flags of the commands that call the Cloudflare API. */
export interface ServiceOptions {
  readonly baseUrl?: string;
  readonly tokenFile?: string;
}

/** Adds the flags of {@link ServiceOptions}. */
export function withService(command: Commander): Commander {
  return inAdvanced(command, (group) =>
    group
      .option('--base-url <url>', 'the Cloudflare API (CLOUDFLARE_BASE_URL)')
      .option('--token-file <file>', 'file with the token (CLOUDFLARE_API_TOKEN)'),
  );
}

/** Flags of the commands that run Terraform. */
export interface TerraformFlags {
  readonly terraform: string;
  readonly terraformTimeout: string;
}

/** Adds the flags of {@link TerraformFlags}. */
export function withTerraform(command: Commander): Commander {
  return inAdvanced(command, (group) =>
    group
      .option('--terraform <path>', 'the Terraform binary', 'terraform')
      .option('--terraform-timeout <seconds>', 'limit of one Terraform run', '600'),
  );
}

/** Where states are read: a file, a stream, or the backends of Terraform folders. */
export interface StatePlaces extends TerraformFlags {
  readonly state?: string;
  readonly dir?: readonly string[];
}

/** Adds the flags of {@link StatePlaces}. */
export function withStates(command: Commander): Commander {
  return withTerraform(command)
    .option('--dir <dir...>', 'Terraform folders (default: this folder)')
    .option('--state <file>', 'a state file instead; - is standard input');
}

/** Flags of the commands that translate legacy settings. */
export interface LegacySettingsOptions extends StatePlaces {
  readonly catalogue?: string;
  readonly managedRuleset?: string;
}

/** Adds the flags of {@link LegacySettingsOptions}. */
export function withLegacySettings(command: Commander): Commander {
  return inAdvanced(withStates(command), (group) =>
    withCatalogue(group).option(
      '--managed-ruleset <file>',
      'saved managed ruleset, to complete rule ids',
    ),
  );
}

/** Adds `--catalogue`. */
export function withCatalogue(command: Commander): Commander {
  return command.option('--catalogue <file>', 'your additional rule ids (docs/catalogue.md)');
}

/** Where the configuration of a migration call comes from. */
export interface MigrationOptions {
  readonly source?: RulesetSource;
  readonly config?: string;
}

/** Adds the flags of {@link MigrationOptions}. */
export function withMigrationSource(command: Commander): Commander {
  return withConfig(command).addOption(
    new Option('--source <source>', 'what to send').choices(['auto', 'config', 'live']),
  );
}

/** Adds `--config`. */
export function withConfig(command: Commander): Commander {
  return command.option('--config <file>', 'saved migration configuration or entry point');
}

/** The flag of the commands that apply a plan, or check a Terraform plan. */
export interface AcceptOptions {
  readonly accept?: readonly string[];
}

/** Adds the flag of {@link AcceptOptions}. */
export function withAccept(command: Commander): Commander {
  return command.option(
    '--accept <what>',
    'accept a decision (code) or a change (address)',
    (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
  );
}

/** Flags of the commands for one zone or many. */
export type ZonesOptions = ZoneOptions & FleetOptions & ServiceOptions;

/** Adds the flags of {@link ZonesOptions}. @param atOnce how many zones at a time by default */
export function withZones(command: Commander, atOnce = ZONES_AT_ONCE): Commander {
  return withService(withFleet(withZone(command), atOnce));
}

/** Flags of the commands that run a plan, or those of many zones. */
export type PlanRunOptions = TerraformFlags & FleetOptions & ServiceOptions & AcceptOptions;

/** Adds the flags of {@link PlanRunOptions}. */
export function withPlanRun(command: Commander): Commander {
  return withAccept(withFleet(withService(withTerraform(command)), PLANS_AT_ONCE));
}

/** Where a result is written. */
export interface OutOptions {
  readonly out?: string;
  readonly force?: boolean;
}

/** Adds the flags of {@link OutOptions}. */
export function withOut(command: Commander, out = 'file to write, not standard output'): Commander {
  return command.option('--out <file>', out).option('--force', 'overwrite files that differ');
}

/** Adds rare options: they come last in the help. */
export function inAdvanced(
  command: Commander,
  define: (command: Commander) => Commander,
): Commander {
  return inGroup(command, 'Advanced', define);
}

function inGroup(
  command: Commander,
  heading: string,
  define: (command: Commander) => Commander,
): Commander {
  return define(command.optionsGroup(`${heading}:`)).optionsGroup('');
}

/** Adds `--address`. */
export function withAddress(command: Commander): Commander {
  return command.option('--address <address>', 'address of the ruleset', DEFAULT_ADDRESS);
}

/** The default of `--address`. */
export const DEFAULT_ADDRESS = 'cloudflare_ruleset.managed_rules';

const ADDRESS = /^cloudflare_ruleset\.([A-Za-z_][A-Za-z0-9_-]*)$/;

/**
 * Checks `--address`: it must be a resource of the root module without a key, as in a generated stack.
 * @returns the name of the resource
 * @throws MigrationError `USAGE`
 */
export function parseRulesetAddress(text: string): string {
  const name = ADDRESS.exec(text)?.[1];
  if (name !== undefined) return name;
  const given = printable(text, 100);
  throw new MigrationError('USAGE', `--address "${given}" is not cloudflare_ruleset.<name>`);
}

/** A resource, and the module that it is in. */
export interface ModuleAddress {
  /** `module.waf.module.zone["shop"].`; empty for the root module. */
  readonly modulePath: string;
  readonly resourceName: string;
}

const IN_MODULE =
  /^((?:module\.[A-Za-z_][A-Za-z0-9_-]*(?:\[\d+\]|\["(?:[^"\\\p{Cc}\p{Cf}]|\\.)*"\])?\.)*)(cloudflare_ruleset\..*)$/u;

/**
 * The same for `generate`, which can write files for a module, and `finish`, which takes such a file.
 * @throws MigrationError `USAGE`
 */
export function parseModuleAddress(text: string): ModuleAddress {
  const [, modulePath = '', resource = text] = IN_MODULE.exec(text) ?? [];
  return { modulePath, resourceName: parseRulesetAddress(resource) };
}
