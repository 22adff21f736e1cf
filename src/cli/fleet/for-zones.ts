import { type Client } from '../../cloudflare/client';
import { findZones, type FleetZone } from '../../fleet/resolve-zones';
import { type Waves } from '../../fleet/waves';
import { readZoneList } from '../../fleet/zone-list';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { type ServiceOptions, withClient } from '../service-options';
import { requireZone, type ZoneOption } from '../zone-option';
import { type FleetOptions, isFleet, parseConcurrency } from './fleet-options';
import { runGroups, type ZoneResult } from './run-groups';

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
  const list = options.zones === undefined ? undefined : await readZoneList(options.zones, context);
  return withClient(options, context, async (client) => {
    const found = await findZones(client, list, options.account);
    const { stage, request, inWaves, perform } = work;
    const groups = found.zones.map((zone) => ({ zones: [zone], zone }));
    const many = {
      ...{ stage, request, groups, concurrency },
      inWaves: inWaves && (() => inWaves(found.zones)),
      perform: ({ zone }: { readonly zone: FleetZone }) => perform(client, zone),
    };
    return runGroups(many, { found, client }, options, context);
  });
}
