import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isRolledBack, journalPath, lastEvent } from '../../apply/journal/journal';
import { type Client } from '../../cloudflare/client';
import { objectOf, textOf } from '../../core/json';
import { mapConcurrently } from '../../core/lists';
import { attempt, MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { followLinks } from '../../files/paths';
import { textOfFile } from '../../files/read-files';
import {
  groupByPlan,
  hasFolder,
  type PlanGroup,
  type SavedPlan,
  type SkippedZone,
} from '../../fleet/group-zones';
import { type LedgerEntry, type Stage, type ZoneEntry } from '../../fleet/ledger';
import { type FleetZone } from '../../fleet/resolve-zones';
import { isPlanText } from '../../plan/formats/plan-formats';
import { openDecisions } from '../../plan/plan-schema';
import { type Waves } from '../../fleet/run-fleet';
import { awaitsMigration } from '../../zone/live-status';
import { acceptOf, readAccepted } from '../consent';
import { type CliContext, type CommandResult } from '../context';
import { type GroupWork, runGroups, type ZoneResult } from './for-zones';
import {
  commandOf,
  parseConcurrency,
  PLANS_AT_ONCE,
  type PlanRunOptions,
  sameZones,
  ZONES_AT_ONCE,
} from '../options';
import { readSavedPlan } from '../plans/saved-plan';
import { withListedZones } from '../zones';

/** The result for a plan, which is printed in full if it is the only one. */
export type PlanResult = ZoneResult & { readonly json: object };

/** Entries of each list in the result of one of many plans, such as its differences. */
const MOST_LISTED = 20;

/** The work of a command for one of many plans. */
type PlanWork = Pick<GroupWork<PlanGroup>, 'repeats' | 'before'> & {
  readonly stage: 'rehearse' | 'apply' | 'verify';
  /** Name of the next command, for the same zones. */
  readonly next: Stage | 'status';
  /** Asks once for all plans, for what cannot be undone; throws to decline. */
  readonly inWaves?: (groups: readonly PlanGroup[]) => Promise<Waves>;
  readonly perform: (plan: SavedPlan, client: Client) => Promise<PlanResult>;
};

/**
 * Runs a command for the plans of many zones, several at a time. The plans name their zones, and the list
 * selects among them.
 * @param operand a plan, or a folder of plans
 */
export async function forPlans(
  options: PlanRunOptions,
  context: CliContext,
  operand: string,
  work: PlanWork,
): Promise<CommandResult> {
  if (readAccepted(options, work.stage).length > 0) {
    const message = '--accept with an address works with one plan: leave out --zones';
    throw new MigrationError('USAGE', message, { hint: 'pass it to the command for its plan' });
  }
  const concurrency = parseConcurrency(options, PLANS_AT_ONCE);
  const plans = await readPlans(operand, context.cwd);
  return withListedZones(options, context, async (found, client) => {
    const planned = new Set(plans.flatMap(({ plan }) => plan.zones.map(({ zoneId }) => zoneId)));
    // `plan` skips them too
    const isUnplanned = (zone: FleetZone): boolean => hasFolder(zone) && !planned.has(zone.id);
    const { waiting, ready } = await separateWaiting(found.zones, isUnplanned, client);
    const { groups, refused, skipped } = groupByPlan(ready, plans, found.zones.some(hasFolder));
    const groupOf = new Map(groups.flatMap((group) => group.zones.map(({ id }) => [id, group])));
    const { inWaves, perform, next, ...about } = work;
    const waves = groups.length === 0 ? undefined : await inWaves?.(groups);
    const many: GroupWork<PlanGroup> = {
      ...{ ...about, groups, skipped: [...waiting, ...skipped], concurrency, waves },
      next: () => {
        if (next === 'status') return commandOf(next, '', sameZones(options));
        const decisions = groups.flatMap(({ plan }) => openDecisions(plan));
        const accept = next === 'apply' ? acceptOf(decisions, options.accept) : undefined;
        return commandOf(next, operand, { ...sameZones(options), accept });
      },
      holds: ({ zone, result }) => {
        const group = groupOf.get(zone);
        if (group === undefined || group.plan.digest !== objectOf(result)['digest']) return false;
        return !isRolledBack(join(group.folder, journalPath(group.plan.digest)));
      },
      perform: async (group) => {
        const { plan, file } = group;
        const result = await perform(group, client);
        return { ...result, json: { plan: file, digest: plan.digest, ...shortened(result.json) } };
      },
    };
    const listed = { ...found, refused: [...found.refused, ...refused] };
    return runGroups(many, listed, options, context);
  });
}

/** The ledger repeats a result for each zone of its plan. */
function shortened(json: object): object {
  const fields: [string, unknown][] = Object.entries(json);
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, MOST_LISTED) : value,
    ]),
  );
}

/** The lines of a ledger without the runs of the zones whose last plan was rolled back: `rollback` writes to no ledger. */
export function withoutRolledBack(
  entries: readonly LedgerEntry[],
  cwd: string,
): readonly LedgerEntry[] {
  const plans = new Map<string, ZoneEntry['result']>();
  for (const entry of entries) {
    if (entry.event === 'zone' && textOf(objectOf(entry.result)['digest']) !== '')
      plans.set(entry.zone, entry.result);
  }
  const over = new Set([...plans].flatMap(([zone, plan]) => (isUndone(plan, cwd) ? zone : [])));
  return entries.filter(
    (one) =>
      !['apply', 'verify'].includes(one.stage) ||
      !(one.event === 'start' || one.event === 'zone') ||
      !over.has(one.zone),
  );
}

/** Whether the plan of a result in the ledger was rolled back, or is being rolled back. */
export function isUndone(result: unknown, cwd: string): boolean {
  const { plan, digest } = objectOf(result);
  const journal = join(dirname(resolve(cwd, textOf(plan))), journalPath(textOf(digest)));
  return isRolledBack(journal) || attempt(() => lastEvent(journal)) === 'rollback';
}

/**
 * Separates the zones that have not migrated: they have no ruleset to import.
 * @param isAsked whether the API is asked for a zone; the others are ready
 */
export async function separateWaiting(
  zones: readonly FleetZone[],
  isAsked: (zone: FleetZone) => boolean,
  client: Client,
): Promise<{ readonly waiting: SkippedZone[]; readonly ready: FleetZone[] }> {
  const waits = await mapConcurrently(zones, ZONES_AT_ONCE, async (zone) => {
    if (!isAsked(zone)) return false;
    return awaitsMigration(client, zone.id).catch((error: unknown) => {
      // its plan fails for the same reason
      if (error instanceof MigrationError) return false;
      throw error;
    });
  });
  const line = 'not migrated: finish it first';
  return {
    waiting: zones.filter((_, at) => waits[at]).map((zone) => ({ ...zone, line })),
    ready: zones.filter((_, at) => !waits[at]),
  };
}

/** Ending of the plans of a folder. */
export const PLAN_ENDING = '.plan.json';

/** Reads the plans that the user named: one file, or all of a folder. None is started if one is invalid. */
export async function readPlans(operand: string, cwd: string): Promise<SavedPlan[]> {
  const path = resolve(cwd, operand);
  const files = planFiles(path);
  if (files.length === 0) {
    const message = `there is no plan in ${printable(operand)}`;
    throw new MigrationError('FILE_UNREADABLE', message, {
      hint: 'make them: cf-waf-migrate plan --zones <file> --out <dir>',
    });
  }
  const plans: SavedPlan[] = [];
  for (const file of files) plans.push(await readPlan(file, cwd));
  return plans;
}

function planFiles(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith('.json'));
    const files = names.sort().map((name) => join(path, name));
    // an invalid plan of `plan --zones` is an error, another JSON file is none
    return files.filter((file) => file.endsWith(PLAN_ENDING) || isPlanText(textOfFile(file)));
  } catch (cause) {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  }
}

async function readPlan(path: string, cwd: string): Promise<SavedPlan> {
  const file = relative(cwd, path);
  const folder = dirname(path);
  const plan = await readSavedPlan(path).catch((error: unknown) => {
    throw error instanceof MigrationError ? error.withPrefix(printable(file)) : error;
  });
  const edited = plan.steps
    .flatMap(({ edits = [] }) => edits)
    .filter(({ remove }) => remove.length > 0);
  return {
    ...{ plan, folder, place: relative(cwd, folder), file },
    places: await Promise.all(
      plan.states.map(
        async ({ dir, workspace }) => `${await followLinks(resolve(folder, dir))} (${workspace})`,
      ),
    ),
    edited: await Promise.all(edited.map((one) => followLinks(resolve(folder, one.file)))),
  };
}
