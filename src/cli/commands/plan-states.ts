import { createHash } from 'node:crypto';
import { dirname, join, relative, resolve } from 'node:path';
import { type Client } from '../../cloudflare/client';
import { findingCodes } from '../../core/finding';
import { parseRulesetId, parseZoneId } from '../../core/identifier';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { planFolder } from '../../files/paths';
import { groupByDir } from '../../fleet/group-zones';
import { type StateFacts } from '../../plan/facts';
import { type Plan } from '../../plan/plan';
import { parseProviderVersion, parseTargetVersion } from '../../plan/provider-versions';
import { readStateBytes, readStateOfDir } from '../../plan/read/read-facts';
import { type CliContext, type CommandResult, type CommonOptions } from '../context';
import { PLAN_ENDING } from '../many-plans';
import { runGroups } from '../many-zones';
import {
  type FleetOptions,
  parseConcurrency,
  PLANS_AT_ONCE,
  type ServiceOptions,
  type StatePlaces,
} from '../options';
import { readStateInput, terraformOptions } from '../terraform';
import { withListed } from '../zones';

/** Where `plan` reads states, and what it is told about them. */
export interface StateOptions extends StatePlaces {
  readonly from?: string;
  readonly to?: string;
}

/**
 * Reads the states that a plan is for.
 * @param folder of the plan: the folders of the configurations are named relative to it
 * @throws MigrationError `USAGE`, `STATE_…`, `TERRAFORM_…`
 */
export async function readPlannedStates(
  options: StateOptions & CommonOptions,
  context: CliContext,
  folder: string,
): Promise<StateFacts[]> {
  const { state, dir = [] } = options;
  if ((state === undefined) === (dir.length === 0)) {
    throw new MigrationError('USAGE', 'pass either --state or --dir');
  }
  if (state !== undefined) {
    const versions = readVersions(options);
    const bytes = await readStateInput(state, context);
    return [readStateBytes(bytes, context.environment['TF_WORKSPACE'] || 'default', versions)];
  }
  const readFolder = folderReader(options, context, folder);
  const states: StateFacts[] = [];
  for (const one of new Set(dir.map((path) => resolve(context.cwd, path)))) {
    states.push(await readFolder(one));
  }
  return states;
}

/**
 * Reads the states of Terraform folders one by one. What the flags say is checked once, before the first.
 * @param folder of the plans
 * @returns takes the absolute path of a Terraform folder
 * @throws MigrationError `USAGE`; what it returns throws `STATE_…`, `TERRAFORM_…`
 */
export function folderReader(
  options: StateOptions & CommonOptions,
  context: CliContext,
  folder: string,
): (dir: string) => Promise<StateFacts> {
  const versions = readVersions(options);
  const terraform = terraformOptions(options, context);
  return (dir) => readStateOfDir(dir, terraform, versions, folder);
}

function readVersions({ from, to }: StateOptions) {
  return {
    from: from === undefined ? undefined : parseProviderVersion(from),
    to: to === undefined ? undefined : parseTargetVersion(to),
  };
}

type Options = FleetOptions & ServiceOptions & StateOptions & CommonOptions;

/** How each plan is made and written, as for one. */
export interface PlanMaker {
  /** What decides the plan beside zones and states. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly make: (
    zones: readonly string[],
    states: readonly StateFacts[],
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

/**
 * Reads `--ruleset-id`: the id alone where there is one zone, else `<zone>=<id>` for each.
 * @returns ruleset ids by zone
 * @throws MigrationError `USAGE`, `ZONE_ID_INVALID`, `RULESET_ID_INVALID`
 */
export function readRulesetIds(
  given: readonly string[],
  zones: readonly string[],
): Map<string, string> {
  const ids = new Map<string, string>();
  for (const text of given) {
    const equals = text.indexOf('=');
    const zone = equals === -1 ? onlyZone(given, zones) : parseZoneId(text.slice(0, equals));
    if (!zones.includes(zone)) {
      throw new MigrationError('USAGE', `--ruleset-id names zone ${zone}, and --zone does not`);
    }
    const id = parseRulesetId(text.slice(equals + 1));
    if ((ids.get(zone) ?? id) !== id) {
      throw new MigrationError('USAGE', `--ruleset-id gives zone ${zone} two ids: which counts?`);
    }
    ids.set(zone, id);
  }
  return ids;
}

function onlyZone(given: readonly string[], zones: readonly string[]): string {
  const [zone, ...others] = zones;
  if (zone !== undefined && others.length === 0 && given.length === 1) return zone;
  throw new MigrationError('USAGE', 'with several zones, --ruleset-id takes <zone>=<id>');
}
