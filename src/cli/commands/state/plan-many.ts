import { dirname, join, relative, resolve } from 'node:path';
import { findingCodes } from '../../../core/finding';
import { MigrationError } from '../../../core/migration-error';
import { posixQuote } from '../../../core/posix-quote';
import { printable } from '../../../core/printable';
import { planFolder } from '../../../files/paths';
import { groupByDir } from '../../../fleet/group-zones';
import { refuseBlockers } from '../../../plan/decisions';
import { makePlan } from '../../../plan/make-plan';
import { parseTerraformFlags } from '../../../plan/steps/terraform-flags';
import { type CliContext, type CommandResult } from '../../context';
import {
  folderReader,
  namesOf,
  type PlanOptions,
  savePlan,
  showOpen,
  writeEdits,
} from '../../make-plan';
import { PLAN_ENDING } from '../../many-zones/for-plans';
import { runGroups } from '../../many-zones/for-zones';
import { parseConcurrency, parseRulesetAddress, PLANS_AT_ONCE, sameZones } from '../../options';
import { withListedZones } from '../../zones';

/**
 * `plan` for the zones of many states. The list names the Terraform folder of each zone; each folder gets one
 * plan, as JSON in the folder of `--out`.
 * @throws MigrationError `USAGE`, and as `forZones`
 */
export async function planMany(options: PlanOptions, context: CliContext): Promise<CommandResult> {
  const { address, method = 'auto', from = null, to = null, write } = options;
  const out = outputFolder(options, context);
  parseRulesetAddress(address);
  const flags = parseTerraformFlags(context.passedArguments);
  const concurrency = parseConcurrency(options, PLANS_AT_ONCE);
  const { cwd } = context;
  const { zones: list = '-' } = options;
  const base = list === '-' ? cwd : dirname(resolve(cwd, list));
  const readFolder = folderReader(options, context, out);
  return withListedZones(options, context, async (found, client) => {
    const { groups: all, refused } = groupByDir(found, (dir) => resolve(base, dir));
    const hasColumn = [...found.listed.values()].flat().some(({ dir }) => dir !== undefined);
    if (found.zones.length > 0 && !hasColumn) {
      throw new MigrationError('USAGE', 'the list has no column dir: pass --state or --dir');
    }
    const groups = all.map((group) => ({ ...group, id: planFolder(base, group.dir) }));
    const files = planNames(groups.map(({ id }) => id));
    const passed = context.passedArguments;
    const many = {
      stage: 'plan',
      next: `rehearse ${posixQuote(options.out ?? '')} ${sameZones(options)}`,
      request: { address, method, from, to, flags: passed, write, out: planFolder(cwd, out) },
      ...{ groups, refused, concurrency },
      perform: async ({ zones, dir, id }: (typeof groups)[number]) => {
        const made = await makePlan({
          zones: zones.map((zone) => zone.id),
          names: namesOf(zones),
          rulesetIds: new Map(),
          states: [await readFolder(dir)],
          ...{ address, flags, method },
          client,
        });
        if (write) refuseBlockers(made);
        const path = join(out, files.get(id) ?? '');
        savePlan(made, path, options);
        const isManual = await writeEdits(made, dirname(path), options, context);
        const open = showOpen(made, context);
        const codes = findingCodes(open);
        const file = relative(cwd, path);
        const steps = made.steps.length;
        const more = [
          ...(codes === '' ? [] : [codes]),
          ...(isManual ? ['a manual step changes a program'] : []),
        ];
        const line = [`wrote ${printable(file, 200)}: ${steps} steps`, ...more].join(': ');
        return {
          json: { plan: file, files: [file], digest: made.digest, steps, codes },
          text: line,
          line,
          exitCode: open.length === 0 && !isManual ? (0 as const) : (2 as const),
        };
      },
    };
    return runGroups(many, found, options, context);
  });
}

function outputFolder(
  { out, zone, rulesetId, format = 'json' }: PlanOptions,
  { cwd }: CliContext,
): string {
  if (zone !== undefined) throw new MigrationError('USAGE', 'pass either --zone or --zones');
  if (rulesetId !== undefined) {
    throw new MigrationError('USAGE', '--ruleset-id goes with --dir or --state');
  }
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
  const taken = new Map<string, string>();
  const names = new Map<string, string>();
  for (const folder of folders) {
    const words = folder.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'main';
    // some disks ignore case
    const other = taken.get(words.toLowerCase());
    if (other !== undefined) {
      const both = `${printable(other, 200)} and ${printable(folder, 200)}`;
      throw new MigrationError('USAGE', `the plans of ${both} would have one file name`, {
        hint: 'plan them in two runs, each with its own --out',
      });
    }
    taken.set(words.toLowerCase(), folder);
    names.set(folder, `${words}${PLAN_ENDING}`);
  }
  return names;
}
