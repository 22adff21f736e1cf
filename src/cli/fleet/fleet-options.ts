import { inGroup } from '../option-group';
import { type Command as Commander } from 'commander';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type ZoneOption } from '../zone-option';
import { type WaveOptions } from './wave-options';

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
