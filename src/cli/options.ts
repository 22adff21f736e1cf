import { type Command as Commander, Help, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_BASE_URL } from '../cloudflare/parse-base-url';
import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type RulesetSource } from '../generate/read-source';

/** Adds flags that stand under a heading of their own in the help. */
export function inGroup(
  command: Commander,
  heading: string,
  define: (command: Commander) => Commander,
): Commander {
  return define(command.optionsGroup(`${heading}:`)).optionsGroup('');
}

/** Puts the flags of the command itself in front of those that it shares with others. */
export const ownFlagsFirst: Pick<Help, 'groupItems'> = {
  groupItems: (unsorted, visible, groupOf) => {
    const groups = [...new Help().groupItems(unsorted, visible, groupOf)];
    const isOwn = ([heading]: (typeof groups)[number]): boolean => heading === 'Options:';
    return new Map([...groups.filter(isOwn), ...groups.filter((group) => !isOwn(group))]);
  },
};

/** The zone of the commands that work on one. */
export interface ZoneOption {
  readonly zone?: string;
}

/** Adds `--zone`. Not as a required option of commander: a mistyped flag is to be named first. */
export function withZone(command: Commander): Commander {
  return command.option('--zone <id>', 'the zone by its id, 32 hexadecimal digits', once);
}

/**
 * The zone that was given, checked before anything else is looked at.
 * @throws MigrationError `USAGE`, `ZONE_ID_INVALID`
 */
export function requireZone({ zone }: ZoneOption): string {
  if (zone === undefined) throw new MigrationError('USAGE', 'pass the zone: --zone <id>');
  return parseZoneId(zone);
}

function once(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError('It takes one zone at a time.');
  return value;
}

/** Flags of the commands that work on many zones. */
export interface FleetOptions {
  readonly zones?: string;
  readonly account?: string;
  readonly ledger?: string;
  readonly concurrency?: string;
}

/**
 * Half as many more than the client has connections (src/cloudflare/client.ts): none of these is
 * idle while the stack of a zone is made and written.
 */
const ZONES_AT_ONCE = 12;
const MOST_AT_ONCE = 16;
/** Each starts Terraform and a provider, which take the memory and the processors of the machine. */
export const PLANS_AT_ONCE = 4;

/** Adds the flags of {@link FleetOptions}. */
export function withFleet(command: Commander): Commander {
  return define(command, 'zones', ZONES_AT_ONCE);
}

/** The same for commands that carry plans out. */
export function withFleetOfPlans(command: Commander): Commander {
  return define(command, 'plans', PLANS_AT_ONCE);
}

function define(command: Commander, what: string, usual: number): Commander {
  return inGroup(command, 'Many zones', (group) =>
    group
      .option(
        '--zones <file>',
        'many zones in place of --zone: ids or names, one a line or CSV; - is standard input',
      )
      .option(
        '--account <id>',
        'many zones in place of --zone: all of an account that the credentials reach',
      )
      .option('--ledger <file>', 'record of many zones, from which a stopped run goes on')
      .option(
        '--concurrency <count>',
        `of many zones, ${what} at a time, 1 to ${MOST_AT_ONCE} (default ${usual})`,
      ),
  );
}

/**
 * Whether the command is for many zones.
 * @throws MigrationError `USAGE` when it is for one as well, or has flags that only many take
 */
export function isFleet(options: FleetOptions & WaveOptions & ZoneOption): boolean {
  const many = options.zones !== undefined || options.account !== undefined;
  if (many && options.zone !== undefined) {
    throw new MigrationError('USAGE', '--zone is one zone; --zones and --account are many');
  }
  const stray = (['ledger', 'concurrency', 'wave', 'pause', 'canary'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (!many && stray !== undefined) {
    throw new MigrationError('USAGE', `--${stray} goes with --zones or --account`);
  }
  return many;
}

/**
 * @param usual how many where nobody says
 * @throws MigrationError `USAGE`
 */
export function parseConcurrency(given: string | undefined, usual = ZONES_AT_ONCE): number {
  const text = given ?? String(usual);
  const zones = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (zones >= 1 && zones <= MOST_AT_ONCE) return zones;
  const shown = printable(text, 20);
  throw new MigrationError('USAGE', `--concurrency "${shown}" is not from 1 to ${MOST_AT_ONCE}`);
}

const ADDRESS = /^cloudflare_ruleset\.([A-Za-z_][A-Za-z0-9_-]*)$/;

/** Where the ruleset is declared when `--address` does not say. */
export const DEFAULT_ADDRESS = 'cloudflare_ruleset.managed_rules';

/**
 * Checks what `--address` says: a resource of the root module without a key, as a generated stack
 * declares it.
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

/** Where the configuration of a migration call comes from: the flags of `generate`. */
export interface MigrationOptions {
  readonly source?: RulesetSource;
  readonly config?: string;
}

/** Adds the flags of {@link MigrationOptions}. */
export function withMigrationSource(command: Commander): Commander {
  return command
    .addOption(
      new Option(
        '--source <source>',
        'config: what the service proposes, live: what stands; auto: config, unless they differ',
      )
        .choices(['auto', 'config', 'live'])
        .default('auto'),
    )
    .option(
      '--config <file>',
      'a saved answer of either, edited or not, that the stack was made from',
    );
}

/** Flags of the commands that translate old settings. */
export interface OldSettingsOptions extends StatePlaces {
  readonly catalogue?: string;
  readonly managedRuleset?: string;
}

/** Adds the flags of {@link OldSettingsOptions}. */
export function withOldSettings(command: Commander): Commander {
  return inGroup(withTerraform(command), 'Old settings', (group) =>
    group
      .option('--state <file>', 'old settings: a state file, or - for standard input')
      .option('--dir <dir...>', 'old settings: Terraform folders, whose state is pulled')
      .option('--catalogue <file>', 'what you know of old and new rules (docs/catalogue.md)')
      .option(
        '--managed-ruleset <file>',
        'a saved answer of GET …/rulesets/<id> of the Cloudflare Managed Ruleset: completes ids',
      ),
  );
}

/** Flags of the commands that talk to the service. */
export interface ServiceOptions {
  readonly baseUrl?: string;
  readonly tokenFile?: string;
}

/** Adds the flags of {@link ServiceOptions}. */
export function withService(command: Commander): Commander {
  return inGroup(command, 'The service', (group) =>
    group
      .option(
        '--base-url <url>',
        `the service (environment CLOUDFLARE_BASE_URL; default ${DEFAULT_BASE_URL})`,
      )
      .option(
        '--token-file <file>',
        'file that holds the API token (environment CLOUDFLARE_API_TOKEN)',
      ),
  );
}

/** Flags of the commands that run Terraform. */
export interface TerraformFlags {
  readonly terraform: string;
  readonly terraformTimeout: string;
}

/** Adds the flags of {@link TerraformFlags}. */
export function withTerraform(command: Commander): Commander {
  return inGroup(command, 'Terraform', (group) =>
    group
      .option('--terraform <path>', 'the Terraform binary', 'terraform')
      .option('--terraform-timeout <seconds>', 'how long a run of it may take', '600'),
  );
}

/** Where states are read: a file, a stream, or the backends of Terraform folders. */
export interface StatePlaces extends TerraformFlags {
  readonly state?: string;
  readonly dir?: readonly string[];
}

/** The flag of the commands that apply a plan, or let Terraform plan and judge it. */
export interface AcceptOptions {
  readonly accept?: readonly string[];
}

/** Adds the flag of {@link AcceptOptions}. */
export function withAccept(command: Commander): Commander {
  return command.option(
    '--accept <what>',
    'a decision of the plan by its code, or a difference (an update in place, or the change of an output) as <address>[:<attribute>]; may be repeated',
    (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
  );
}

/** Flags of the commands that do what cannot be undone to many zones. */
export interface WaveOptions {
  readonly wave?: string;
  readonly pause?: string;
  readonly canary?: readonly string[];
}

/** Zones of a wave, and seconds between two, unless told. */
export const DEFAULT_SIZE = 10;
export const DEFAULT_PAUSE = 60;

/** Adds the flags of {@link WaveOptions}. */
export function withWaves(command: Commander): Commander {
  return inGroup(command, 'Waves', (group) =>
    group
      .option('--wave <zones>', `of many zones, how many make a wave (default ${DEFAULT_SIZE})`)
      .option('--pause <seconds>', `between two waves (default ${DEFAULT_PAUSE})`)
      .option('--canary <zone...>', 'of many zones, those that make the first wave: ids or names'),
  );
}
