import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { advanced, defineFlags, manyZones, type OptionsOf } from './flags';

// Not a required option of commander: a mistyped flag is reported first.
export const ZONE = defineFlags({ '--zone <zone...>': 'zone id or name; can be repeated' });

/** For a command of one zone, which refuses a second one itself ({@link requireZone} of zones.ts). */
export const ONE_ZONE = defineFlags({ '--zone <zone...>': 'zone id or name; one at a time' });

export type ZoneOptions = OptionsOf<typeof ZONE>;

/**
 * 1.5 times the connections of the client (`CONNECTIONS` in src/cloudflare/rate-limiter.ts), so that no
 * connection is idle while the stack of a zone is written.
 */
export const ZONES_AT_ONCE = 12;
/** Each starts Terraform and a provider, which need memory and processor time. */
export const PLANS_AT_ONCE = 4;
const MOST_AT_ONCE = 16;

const FLEET = defineFlags({
  '--zones <file>': manyZones('list of ids or names; - is standard input', ['account', 'zone']),
  '--account <id>': manyZones('all zones of this account', ['zone']),
  '--ledger <file>': manyZones('file that records the run'),
  '--concurrency <count>': manyZones(
    `zones at a time (default ${ZONES_AT_ONCE}), or plans (${PLANS_AT_ONCE})`,
  ),
});

export type FleetOptions = OptionsOf<typeof FLEET>;

export const DEFAULT_LEDGER = 'cf-waf-migrate-fleet/ledger.jsonl';

export const SERVICE = defineFlags({
  '--base-url <url>': advanced('the Cloudflare API (CLOUDFLARE_BASE_URL)'),
  '--token-file <file>': advanced('file with the token (CLOUDFLARE_API_TOKEN)'),
});

export type ServiceOptions = OptionsOf<typeof SERVICE>;

export const ZONES = { ...ZONE, ...FLEET, ...SERVICE };

export type ZonesOptions = OptionsOf<typeof ZONES>;

export const TERRAFORM = defineFlags({
  '--terraform <path>': { ...advanced('the Terraform binary'), usual: 'terraform' },
  '--terraform-timeout <seconds>': { ...advanced('limit of one Terraform run'), usual: '600' },
});

export type TerraformFlags = OptionsOf<typeof TERRAFORM>;

/** Where states are read: a file, a stream, or the backends of Terraform folders. */
export const STATES = defineFlags({
  '--dir <dir...>': 'Terraform folders (default: this folder)',
  '--state <file>': {
    summary: 'state file, not a folder; - is standard input',
    conflicts: ['dir'],
  },
  ...TERRAFORM,
});

export type StatePlaces = OptionsOf<typeof STATES>;

export const CONFIG = defineFlags({
  '--config <file>': 'saved migration configuration or entry point',
});

/** For the commands that run a plan, or those of many zones. */
export const PLAN_RUN = defineFlags({
  '--accept <what>': {
    summary: 'accept a decision (code) or a change (address)',
    isRepeated: true,
  },
  ...FLEET,
  ...SERVICE,
  ...TERRAFORM,
});

export type PlanRunOptions = OptionsOf<typeof PLAN_RUN>;
export type AcceptOptions = Pick<PlanRunOptions, 'accept'>;

export const OUT = defineFlags({
  '--out <file>': 'file to write, not standard output',
  '--force': 'overwrite files that differ',
});

export const OUT_OF_MANY = defineFlags({
  ...OUT,
  '--out <file>': 'file to write; a folder for many zones',
});

export type OutOptions = OptionsOf<typeof OUT>;

/** Whether a list names the zones: a file, or an account. `isMany` of zones.ts also counts several `--zone`. */
export const isList = ({ zones, account }: FleetOptions): boolean =>
  zones !== undefined || account !== undefined;

/** Of a flag that several zones use, however they are named. */
export const OF_MANY = 'goes with --zones or --account, or with several zones';

/** Refuses flags that only many zones use. */
export function refuseForOne(
  options: FleetOptions & Readonly<Partial<Record<'wave' | 'pause' | 'canary', unknown>>>,
  problem = 'goes with --zones or --account',
): void {
  const names = ['ledger', 'concurrency', 'wave', 'pause', 'canary'] as const;
  const flag = names.find((name) => options[name] !== undefined);
  if (flag !== undefined) throw new MigrationError('USAGE', `--${flag} ${problem}`);
}

/** Refuses flags that are about one zone, given by their names. */
export function refuseForMany(
  options: FleetOptions,
  values: Readonly<Record<string, unknown>>,
): void {
  const [flag] = Object.entries(values).find(([, value]) => value !== undefined) ?? [];
  if (flag === undefined) return;
  const many = isList(options) ? '--zones or --account' : 'several zones: pass one --zone';
  throw new MigrationError('USAGE', `--${flag} cannot be used with ${many}`);
}

/**
 * A command line to copy, without the program's name.
 * @param flags by name, in the order of the line: `true` for a flag without a value, a list for a repeated one; undefined
 *   leaves it out
 * @param operand before the flags; empty for none
 */
export function commandOf(
  name: string,
  flags: Readonly<Record<string, string | readonly string[] | boolean | undefined>> = {},
  operand = '',
): string {
  const words = Object.entries(flags).flatMap(([flag, value = false]) => {
    if (typeof value === 'boolean') return value ? [`--${flag}`] : [];
    return [value].flat().flatMap((one) => [`--${flag}`, one]);
  });
  const given = operand === '' ? words : [operand, ...words];
  return printable([name, ...given.map(posixQuote)].join(' '));
}

/** {@link commandOf} for the same zones. `status` and `report` have no ledger for zones that are named one by one. */
export function commandForSameZones(
  name: string,
  options: FleetOptions & ZoneOptions,
  flags: Parameters<typeof commandOf>[1] = {},
  operand = '',
): string {
  const { zone, zones, account } = options;
  const hasLedger = isList(options) || !['status', 'report'].includes(name);
  const ledger = hasLedger ? options.ledger : undefined;
  return commandOf(name, { zone, zones, account, ledger, ...flags }, operand);
}

export function parseConcurrency({ concurrency }: FleetOptions, atOnce: number): number {
  return parseCount('--concurrency', concurrency ?? String(atOnce), 1, MOST_AT_ONCE);
}

export function parseCount(flag: string, text: string, least: number, most = 99_999): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (count >= least && count <= most) return count;
  const message = `${flag} "${printable(text, 20)}" is not a number from ${least} to ${most}`;
  throw new MigrationError('USAGE', message);
}

const RULESET_ADDRESS = /^cloudflare_ruleset\.([A-Za-z_][A-Za-z0-9_-]*)$/;

/** The name of the resource in `--address`, which is in the root module and has no key, as in a generated stack. */
export function parseRulesetAddress(text: string): string {
  const name = RULESET_ADDRESS.exec(text)?.[1];
  if (name !== undefined) return name;
  const given = printable(text, 100);
  throw new MigrationError('USAGE', `--address "${given}" is not cloudflare_ruleset.<name>`);
}
