import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findingCodes } from '../../../core/finding';
import { objectOf, parseJson } from '../../../core/json';
import { groupBy } from '../../../core/lists';
import { attempt, MigrationError } from '../../../core/migration-error';
import { posixQuote } from '../../../core/posix-quote';
import { printable } from '../../../core/printable';
import { planFolder } from '../../../files/paths';
import { groupByDir, hasFolder } from '../../../fleet/group-zones';
import { type ZoneOutcome } from '../../../fleet/run-fleet';
import { makePlan } from '../../../plan/make-plan';
import { requireSynthesised } from '../../../plan/facts/read-facts';
import { parsePlan } from '../../../plan/parse-plan';
import { type Plan } from '../../../plan/plan';
import { parseTerraformFlags } from '../../../plan/steps/terraform-flags';
import { type CliContext, type CommandResult } from '../../context';
import {
  folderReader,
  methodOf,
  namesOf,
  type PlanOptions,
  savePlan,
} from '../../plans/plan-by-flags';
import { hasOnlyChecks } from '../../plans/saved-plan';
import { PLAN_ENDING } from '../../many-zones/for-plans';
import { runGroups } from '../../many-zones/for-zones';
import {
  parseConcurrency,
  parseRulesetAddress,
  PLANS_AT_ONCE,
  refuseForMany,
  sameZones,
} from '../../options';
import { listFolder, withListedZones } from '../../zones';

/**
 * `plan` for the zones of many states. The list names the Terraform folder of each zone; each folder gets one
 * plan, as JSON in the folder of `--out`.
 * @throws MigrationError `USAGE`, and as `forZones`
 */
export async function planMany(options: PlanOptions, context: CliContext): Promise<CommandResult> {
  const { address, from = null, to = null, write } = options;
  const method = methodOf(options);
  const out = outputFolder(options, context);
  parseRulesetAddress(address);
  const flags = parseTerraformFlags(context.passedArguments);
  const concurrency = parseConcurrency(options, PLANS_AT_ONCE);
  const { cwd } = context;
  const base = listFolder(options, cwd);
  const readFolder = folderReader(options, context, out);
  return withListedZones(options, context, async (found, client) => {
    const { groups: all, ...others } = groupByDir(found.zones, (dir) => resolve(base, dir));
    if (found.zones.length > 0 && !found.zones.some(hasFolder)) {
      throw new MigrationError('USAGE', 'the list has no column dir: pass --state or --dir');
    }
    const groups = all.map((group) => ({ ...group, id: planFolder(base, group.dir) }));
    const files = planNames(groups.map(({ id }) => id));
    const passed = context.passedArguments;
    const next = `rehearse ${posixQuote(options.out ?? '')} ${sameZones(options)}`;
    const many = {
      stage: 'plan',
      next: (outcomes: readonly ZoneOutcome[]) => {
        const has = (kind: string) => outcomes.some(({ outcome }) => outcome === kind);
        if (outcomes.some(({ result }) => objectOf(result)['ready'] === true)) return next;
        if (has('attention')) return context.commandLine;
        return has('failed') ? undefined : `status ${sameZones(options)}`;
      },
      request: { address, method, from, to, flags: passed, write, out: planFolder(cwd, out) },
      ...{ groups, ...others, concurrency },
      perform: async ({ zones, dir, id }: (typeof groups)[number]) => {
        const path = join(out, files.get(id) ?? '');
        const file = relative(cwd, path);
        const fail = (error: unknown): never => {
          setAside(path);
          if (zones.length < 2 || !(error instanceof MigrationError)) throw error;
          // the error of one zone stops the plan of its folder, and of the other zones in it
          const place = printable(relative(cwd, dir) || '.', 200);
          throw error.withPrefix(`the folder ${place} is not planned`);
        };
        const state = await readFolder(dir).catch(fail);
        refuseOtherWorkspace(path, file, state.workspace);
        const ids = zones.map((zone) => zone.id);
        await requireSynthesised(ids, [state], out).catch(fail);
        const made = await makePlan({
          zones: ids,
          names: namesOf(zones),
          rulesetIds: new Map(),
          states: [state],
          ...{ address, flags, method },
          client,
        }).catch(fail);
        const { open, isManual } = await savePlan(made, path, out, options, context);
        // a decision can be accepted later, a blocker needs another plan
        const blocked = open.some(({ severity }) => severity === 'blocker');
        const ready = !blocked && !hasOnlyChecks(made);
        const codes = findingCodes(open);
        const steps = made.steps.length;
        const more = [
          ...(codes === '' ? [] : [codes]),
          ...(isManual ? ['a manual step changes a program'] : []),
        ];
        const line = [`wrote ${printable(file, 200)}: ${steps} steps`, ...more].join(': ');
        return {
          json: { plan: file, files: [file], digest: made.digest, steps, codes, ready },
          line,
          exitCode: open.length === 0 && !isManual ? (0 as const) : (2 as const),
        };
      },
    };
    return runGroups(many, found, options, context);
  });
}

/** The plan in a file; undefined without a plan. */
function earlierPlan(path: string): Plan | undefined {
  return existsSync(path)
    ? attempt(() => parsePlan(parseJson(readFileSync(path, 'utf8'))))
    : undefined;
}

/** One folder has a plan for each of its workspaces. @throws MigrationError `FILE_EXISTS` */
function refuseOtherWorkspace(path: string, file: string, workspace: string): void {
  const earlier = earlierPlan(path)?.states[0]?.workspace ?? workspace;
  if (earlier === workspace) return;
  const message = `${printable(file)} is the plan of workspace ${printable(earlier, 100)}, not ${printable(workspace, 100)}`;
  throw new MigrationError('FILE_EXISTS', message, {
    hint: 'pass another --out for each workspace',
  });
}

/** After a failure, renames the plan of an earlier run, so that `apply` does not run it. */
function setAside(path: string): void {
  if (earlierPlan(path) !== undefined) renameSync(path, `${path}.old`);
}

function outputFolder(
  { out, zone, rulesetId, format = 'json' }: PlanOptions,
  { cwd }: CliContext,
): string {
  refuseForMany({ zone, 'ruleset-id': rulesetId });
  if (out === undefined || !['text', 'json'].includes(format)) {
    const message = 'pass a folder for the plans of several states: --out <dir>';
    throw new MigrationError('USAGE', message);
  }
  return resolve(cwd, out);
}

/**
 * A file name for each folder.
 * @throws MigrationError `USAGE` for two folders with the same name
 */
function planNames(folders: readonly string[]): Map<string, string> {
  const names = folders.map((folder) => {
    const words = folder.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '');
    return [folder, `${words || 'main'}${PLAN_ENDING}`] as const;
  });
  // some disks ignore case
  const groups = groupBy(names, ([, name]) => name.toLowerCase());
  const clash = [...groups.values()].find(({ length }) => length > 1);
  if (clash === undefined) return new Map(names);
  const both = clash.map(([folder]) => printable(folder, 200)).join(' and ');
  throw new MigrationError('USAGE', `the plans of ${both} would have one file name`, {
    hint: 'plan them in two runs, each with its own --out',
  });
}
