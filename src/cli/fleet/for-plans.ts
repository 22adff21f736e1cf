import { type Client } from '../../cloudflare/client';
import { groupByPlan, type PlanGroup, type UnplannedZone } from '../../fleet/group-zones';
import { type ZoneEntry } from '../../fleet/ledger-entry';
import { type RefusedEntry, type ResolvedZones } from '../../fleet/resolve-zones';
import { type Waves } from '../../fleet/waves';
import { isJsonObject } from '../../core/json';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { type ServiceOptions } from '../service-options';
import { withListed } from './find-listed';
import { type FleetOptions, parseConcurrency, PLANS_AT_ONCE } from './fleet-options';
import { readPlans, type SavedPlan } from './read-plans';
import { runGroups, type ZoneResult } from './run-groups';

/** Of what is wrong with a plan, each of its zones tells this much. */
export const TOLD = 20;

/** A plan and those of its zones that are listed, which are all of them. */
export type PlanOfZones = PlanGroup<SavedPlan>;

/** What a command does for a plan, where it is one of many. */
export interface PlanWork {
  /** Names the command in the ledger. */
  readonly stage: string;
  /** The options that decide the result, beside the plan itself. */
  readonly request: Readonly<Record<string, unknown>>;
  /** For what cannot be undone: asked once for all plans; throws to decline. */
  readonly inWaves?: (groups: readonly PlanOfZones[]) => Promise<Waves>;
  /** Whether what an earlier run did for a plan is still true; it is unless told. */
  readonly holds?: (plan: SavedPlan) => boolean;
  /** `alone`: there is no other plan in this run. */
  readonly perform: (
    group: PlanOfZones,
    run: { readonly client: Client | undefined; readonly alone: boolean },
  ) => Promise<ZoneResult>;
}

/**
 * Runs a command for the plans of many zones, several at a time. The plans say which zones they are
 * for; the list says which of them are meant.
 * @param operand a plan, or a folder of plans
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`, and as `forZones`
 */
export async function forPlans(
  options: FleetOptions & ServiceOptions & CommonOptions,
  context: CliContext,
  operand: string,
  work: PlanWork,
): Promise<CommandResult> {
  const concurrency = parseConcurrency(options.concurrency, PLANS_AT_ONCE);
  const plans = await readPlans(operand, context.cwd);
  return withListed(options, context, async (run) => {
    const { found, client } = run;
    const { groups, refused } = groupByPlan(found.zones, plans);
    const planOf = new Map(groups.flatMap(({ plan, zones }) => zones.map(({ id }) => [id, plan])));
    const { stage, request, inWaves, holds = () => true, perform } = work;
    const many = {
      ...{ stage, request, groups, concurrency, inWaves },
      refused: refused.map((one) => refusedEntry(one, found)),
      holds: ({ zone, result }: ZoneEntry) => {
        const plan = planOf.get(zone);
        const digest = isJsonObject(result) ? result['digest'] : undefined;
        return plan !== undefined && digest === plan.digest && holds(plan);
      },
      perform: (group: PlanOfZones) => perform(group, { client, alone: groups.length === 1 }),
    };
    return runGroups(many, run, options, context);
  });
}

function refusedEntry({ zone, error }: UnplannedZone, { listed }: ResolvedZones): RefusedEntry {
  const [entry] = listed.get(zone.id) ?? [];
  return entry === undefined
    ? { text: zone.id, error }
    : { text: entry.text, line: entry.line, error };
}
