import { resolve } from 'node:path';
import { type Client } from '../../cloudflare/client';
import { type FleetZone, type ResolvedZones } from '../../fleet/resolve-zones';
import { type Waves } from '../../fleet/waves';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { type ServiceOptions, withClient } from '../service-options';
import { requireZone, type ZoneOption } from '../zone-option';
import { type FleetOptions, isFleet, parseConcurrency, parseShard } from './fleet-options';
import { createProgress } from './progress';
import { renderFleet } from './render-fleet';

/** What a command does for a zone, whether it is one or one of many. */
export interface ZoneWork {
  /** Names the command in the ledger. */
  readonly stage: string;
  /** The options that decide the result: the ledger is good for the same ones alone. */
  readonly request: Readonly<Record<string, unknown>>;
  /** For what cannot be undone: asked once for all of many zones; throws to decline. */
  readonly inWaves?: (zones: readonly FleetZone[]) => Promise<Waves>;
  /** The name is known where the zone is one of many. */
  readonly perform: (client: Client, zone: ZoneOfWork) => Promise<ZoneResult>;
}

/** A zone by its id, and by its name where that is known. */
export type ZoneOfWork = Pick<FleetZone, 'id'> & Partial<FleetZone>;

/** What a command says of one zone. */
export interface ZoneResult extends CommandResult {
  /** The whole in one line, as it is told among many zones. */
  readonly line: string;
}

type Options = ServiceOptions & ZoneOption & FleetOptions & CommonOptions;

/**
 * Runs a command for the zone of `--zone`, or for those of `--zones` and `--account`: several at a
 * time, over one client and its rate limit, with a ledger from which a stopped run is picked up.
 * @throws MigrationError what `perform` throws for one zone; for many `ZONES_FILE_INVALID`,
 *   `ZONES_EMPTY`, `LEDGER_INVALID`, `FLEET_RUNNING`, and those of the client for the list
 */
export async function forZones(
  options: Options,
  context: CliContext,
  work: ZoneWork,
): Promise<CommandResult> {
  if (!isFleet(options)) {
    const id = requireZone(options);
    return withClient(options, context, (client) => work.perform(client, { id }));
  }
  const concurrency = parseConcurrency(options.concurrency);
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const path = ledgerPath(options, context);
  const { readZoneList } = await import('../../fleet/read-zone-list');
  const list = options.zones === undefined ? undefined : await readZoneList(options.zones, context);
  return withClient(options, context, async (client) => {
    const { findZones } = await import('../../fleet/find-zones');
    const found = await findZones(client, list, options.account);
    const { zonesOfShard } = await import('../../fleet/shard');
    const zones = shard === undefined ? found.zones : zonesOfShard(found.zones, shard);
    const waves = await work.inWaves?.(zones);
    return runLocked(path, options, context, { client, work, waves, concurrency, found, zones });
  });
}

/** A shard has a ledger of its own: two machines may share a folder. */
function ledgerPath({ ledger, shard }: FleetOptions, { cwd }: CliContext): string {
  const part = shard === undefined ? '' : `-${shard.replace('/', '-of-')}`;
  return resolve(cwd, ledger ?? `cf-waf-migrate-fleet/ledger${part}.jsonl`);
}

interface PreparedFleet {
  readonly client: Client;
  readonly work: ZoneWork;
  readonly waves: Waves | undefined;
  readonly concurrency: number;
  readonly found: ResolvedZones;
  readonly zones: readonly FleetZone[];
}

async function runLocked(
  path: string,
  options: Options,
  context: CliContext,
  { client, work, waves, concurrency, found, zones }: PreparedFleet,
): Promise<CommandResult> {
  const { withLock } = await import('../../actions/apply/with-lock');
  const { openLedger } = await import('../../fleet/ledger');
  const { runFleet } = await import('../../fleet/run-fleet');
  const { noLongerListed } = await import('../../fleet/no-longer-listed');
  const { doneEarlier } = await import('../../fleet/done-earlier');
  const running = (holder: number): MigrationError =>
    new MigrationError('FLEET_RUNNING', `process ${holder} writes the ledger ${printable(path)}`);
  const runAll = async (): Promise<CommandResult> => {
    const ledger = openLedger(path);
    const run = { stage: work.stage, request: JSON.stringify(work.request) };
    const progress = createProgress(options, context, zones.length);
    const again = options.again ?? false;
    const earlier = again
      ? []
      : [...doneEarlier(ledger.entries, { ...run, onlyDone: waves !== undefined }).values()];
    const gone = noLongerListed(earlier, found.zones);
    if (earlier.length > 0 && !options.quiet && !options.json) {
      context.stderr(
        `going on with a run that did ${earlier.length} zones (--again does all anew)\n`,
      );
    }
    try {
      const outcomes = await runFleet({
        ...run,
        zones,
        ledger,
        concurrency,
        waves,
        again,
        now: () => new Date(),
        perform: async (zone) => {
          const { json, line, exitCode } = await work.perform(client, zone);
          return { outcome: exitCode === 0 ? 'done' : 'attention', line, result: json };
        },
        onZone: progress.tell,
      });
      const findings = [...ledger.findings, ...gone, ...found.findings];
      return renderFleet(outcomes, found.refused, findings, path);
    } finally {
      progress.end();
      ledger.close();
    }
  };
  return withLock(`${path}.lock`, runAll, running);
}
