import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type FleetZone, zoneFinder } from '../../fleet/resolve-zones';
import { type Waves } from '../../fleet/run-fleet';
import { type CliContext } from '../context';
import { defineFlags, manyZones, type OptionsOf } from '../flags';
import { parseCount } from '../options';

const DEFAULT_WAVE = 10;
/** Seconds between two waves. */
const DEFAULT_PAUSE = 60;

/** For the commands that change many zones in waves. */
export const WAVES = defineFlags({
  '--canary <zone...>': manyZones('zones of the first wave'),
  '--wave <count>': manyZones(`zones of each wave (default ${DEFAULT_WAVE})`),
  '--pause <seconds>': manyZones(`time between two waves (default ${DEFAULT_PAUSE})`),
});

type WaveOptions = OptionsOf<typeof WAVES>;

/** @throws MigrationError `USAGE`, also for a canary that is not one of the zones */
export function readWaves(
  options: WaveOptions,
  zones: readonly FleetZone[],
  context: CliContext,
): Waves {
  const find = zoneFinder(zones);
  const seconds = parseCount('--pause', options.pause ?? String(DEFAULT_PAUSE), 0);
  return {
    size: parseCount('--wave', options.wave ?? String(DEFAULT_WAVE), 1),
    canaries: new Set(
      options.canary?.map((given) => {
        const zone = find(given);
        if (!(zone instanceof MigrationError)) return zone.id;
        const message = `--canary "${printable(given, 100)}" is not a zone of this run`;
        const hint = 'leave it out: it is not listed, or is refused or skipped';
        throw new MigrationError('USAGE', message, { hint });
      }),
    ),
    pause: async () => {
      context.notify(
        `the wave is done; the next one starts in ${seconds} s (Ctrl-C stops here; run the same command again to resume)`,
      );
      await sleep(seconds * 1000, undefined, { signal: context.interrupted });
    },
  };
}
