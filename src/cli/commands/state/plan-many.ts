import { createHash } from 'node:crypto';
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
          client: () => client,
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

/** The bytes for the folder in a file name, which can have 255 bytes. */
const LONGEST_WORDS = 200;

/** A file name for each folder. Equal or too long names get a part of the folder's hash. */
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
