import { createHash } from 'node:crypto';
import { dirname, join, relative, resolve } from 'node:path';
import { planFolder } from '../../files/plan-folder';
import { type Client } from '../../cloudflare/client';
import { groupByDir } from '../../fleet/group-zones';
import { findingCodes } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan } from '../../plan/plan';
import { type PlannedState } from '../../plan/facts';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { folderReader, type StateOptions } from '../read-planned-states';
import { type ServiceOptions } from '../service-options';
import { withListed } from './find-listed';
import { type FleetOptions, parseConcurrency, PLANS_AT_ONCE } from './fleet-options';
import { PLAN_ENDING } from './read-plans';
import { runGroups } from './run-groups';

type Options = FleetOptions & ServiceOptions & StateOptions & CommonOptions;

/** How each plan is made and written, as for one. */
export interface PlanMaker {
  /** What decides the plan beside zones and states. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly make: (
    zones: readonly string[],
    states: readonly PlannedState[],
    client: () => Client,
  ) => Promise<Plan>;
  /**
   * Into the folder of the plan, where its name is free or that of an earlier plan.
   * @returns whether an edit that was asked for is left to a person
   */
  readonly write: (plan: Plan, path: string) => Promise<boolean>;
}

/**
 * `plan` for the zones of many states: a list that names the Terraform folder of each zone, and one
 * plan for each folder.
 * @param out the folder of the plans
 * @throws MigrationError `USAGE`, and as `forZones`
 */
export async function planMany(
  options: Options,
  context: CliContext,
  out: string,
  { request, make, write }: PlanMaker,
): Promise<CommandResult> {
  const concurrency = parseConcurrency(options.concurrency, PLANS_AT_ONCE);
  const { cwd } = context;
  const { zones: list = '-' } = options;
  const base = list === '-' ? cwd : dirname(resolve(cwd, list));
  const readFolder = folderReader(options, context, out);
  return withListed(options, context, async (run) => {
    const { found, client: given } = run;
    const client = (): Client => {
      if (given !== undefined) return given;
      throw new MigrationError('CREDENTIALS_MISSING', 'the entry points are to be read');
    };
    const { groups: all, refused } = groupByDir(found, (dir) => resolve(base, dir));
    const hasColumn = [...found.listed.values()].flat().some(({ dir }) => dir !== undefined);
    if (found.zones.length > 0 && !hasColumn) {
      throw new MigrationError('USAGE', 'the list has no column dir: pass --state or --dir');
    }
    const groups = all.map((group) => ({ ...group, id: planFolder(base, group.dir) }));
    const files = planNames(groups.map(({ id }) => id));
    const many = {
      stage: 'plan',
      request: { ...request, out: planFolder(cwd, out) },
      ...{ groups, refused, concurrency },
      perform: async ({ zones, dir, id }: (typeof groups)[number]) => {
        const ids = zones.map((zone) => zone.id);
        const plan = await make(ids, [await readFolder(dir)], client);
        const path = join(out, files.get(id) ?? '');
        const isLeft = await write(plan, path);
        const open = plan.findings.filter(({ severity }) => severity !== 'info');
        const codes = findingCodes(open);
        const file = relative(cwd, path);
        const steps = plan.steps.length;
        const more = [
          ...(codes === '' ? [] : [codes]),
          ...(isLeft ? ['a program is yours to change'] : []),
        ];
        const line = [`wrote ${printable(file, 200)}: ${steps} steps`, ...more].join(': ');
        const json = { plan: file, files: [file], digest: plan.digest, steps, codes };
        return {
          json,
          text: line,
          line,
          exitCode: open.length === 0 && !isLeft ? (0 as const) : (2 as const),
        };
      },
    };
    return runGroups(many, run, options, context);
  });
}

/** Of the 255 bytes that a file's name can have, what is left to a folder's words. */
const LONGEST_WORDS = 200;

/** A file name for each folder; those that would be the same, or too long, get a part of the folder's hash. */
function planNames(folders: readonly string[]): Map<string, string> {
  const words = (folder: string): string =>
    folder.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'main';
  const taken = new Map<string, number>();
  for (const folder of folders) {
    const name = words(folder).toLowerCase();
    taken.set(name, (taken.get(name) ?? 0) + 1);
  }
  return new Map(
    folders.map((folder) => {
      const name = words(folder);
      const alone = taken.get(name.toLowerCase()) === 1;
      if (alone && name.length <= LONGEST_WORDS) return [folder, `${name}${PLAN_ENDING}`];
      const hash = createHash('sha256').update(folder).digest('hex').slice(0, 8);
      const end = name.slice(-LONGEST_WORDS).replace(/^[-.]+/, '');
      return [folder, `${end}.${hash}${PLAN_ENDING}`];
    }),
  );
}
