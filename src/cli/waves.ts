import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { comparableName, type FleetZone } from '../fleet/resolve-zones';
import { listHash, type Waves } from '../fleet/run-fleet';
import { declined } from './consent';
import { type CliContext, type CommonOptions, notify } from './context';
import { DEFAULT_PAUSE, DEFAULT_WAVE, parseCount, type WaveOptions } from './options';

/**
 * @param isAlarm what stops the run
 * @throws MigrationError `USAGE`, also for a canary that is none of the zones
 */
export function readWaves(
  options: WaveOptions & CommonOptions,
  zones: readonly FleetZone[],
  isAlarm: Waves['isAlarm'],
  context: CliContext,
): Waves {
  const seconds = parseCount('--pause', options.pause ?? String(DEFAULT_PAUSE), 0);
  return {
    size: parseCount('--wave', options.wave ?? String(DEFAULT_WAVE), 1),
    canaries: new Set((options.canary ?? []).map((given) => findCanary(given, zones))),
    isAlarm,
    pauseMilliseconds: seconds * 1000,
    pause: async () => {
      notify(
        options,
        context,
        `the wave is done; the next one begins in ${seconds} s (Ctrl-C stops here; the same command goes on, fleet status shows where)\n`,
      );
      await sleep(seconds * 1000, undefined, { signal: context.interrupted });
    },
  };
}

/**
 * Requires that the user confirms a whole list by its count and hash.
 * @param options what `--confirm` said, and what may be printed without a question
 * @param detailOf what is done to a zone, where that is not the same for all: it is confirmed as well
 * @throws MigrationError `DECLINED`
 */
export async function confirmList(
  what: string,
  zones: readonly FleetZone[],
  { confirm, json = false, quiet = false }: { readonly confirm?: string } & CommonOptions,
  { ask, stderr }: CliContext,
  detailOf: (zone: FleetZone) => string = () => '',
): Promise<void> {
  const expected = listHash(zones.map((zone) => zone.id + detailOf(zone)));
  const listed = confirm === undefined && (ask !== null || !(json || quiet));
  if (listed) stderr(zones.map(({ id, name }) => `  ${printable(name, 100)} (${id})\n`).join(''));
  const asked = confirm === undefined && ask !== null;
  const given = asked ? (await ask(`${what} To go on, type ${expected}: `)).trim() : confirm;
  if (given === expected) return;
  if (asked && given === '') throw declined();
  const list = listed ? 'the list above' : 'the list (shown without --json, --quiet and --confirm)';
  const hint = `read ${list}; if it is right, pass --confirm ${expected}`;
  if (given === undefined) throw new MigrationError('DECLINED', `${what} Not confirmed.`, { hint });
  const message = `these zones are ${expected}, not "${printable(given, 60)}"`;
  throw new MigrationError('DECLINED', message, { hint });
}

function findCanary(given: string, zones: readonly FleetZone[]): string {
  const named = comparableName(given);
  const zone = zones.find(
    ({ id, name }) => id === given.toLowerCase() || comparableName(name) === named,
  );
  if (zone !== undefined) return zone.id;
  const message = `--canary "${printable(given, 100)}" is none of the zones of this run`;
  throw new MigrationError('USAGE', message);
}
