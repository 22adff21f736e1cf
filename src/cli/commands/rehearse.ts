import { dirname, resolve } from 'node:path';
import { type RehearsalResult, rehearse } from '../../apply/rehearsal/rehearse';
import { counted, printable } from '../../core/printable';
import { readAccepted, refuseAccepted, renderAccepted } from '../consent';
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
} from '../context';
import { forPlans, readSavedPlan, TOLD } from '../many-plans';
import {
  type AcceptOptions,
  type FleetOptions,
  isFleet,
  type ServiceOptions,
  type TerraformFlags,
  withAccept,
  withFleetOfPlans,
  withService,
  withTerraform,
} from '../options';
import { stepReporter } from '../progress';
import { terraformOptions } from '../terraform';

interface RehearseOptions extends TerraformFlags, FleetOptions, ServiceOptions, AcceptOptions {}

/** `rehearse`: the plan on a copy, and the proof of its empty plan. */
export const rehearseCommand: CliCommand<RehearseOptions> = {
  example: 'rehearse plan.json',
  operand: 'plan',
  define: (command) => withAccept(withFleetOfPlans(withService(withTerraform(command)))),
  run: async (options, context, operand) => {
    if (isFleet(options)) {
      refuseAccepted(options, '--zones');
      return rehearseMany(options, context, operand);
    }
    const path = resolve(context.cwd, operand);
    const accept = readAccepted(options);
    const plan = await readSavedPlan(path);
    const result = await rehearse({
      plan,
      folder: dirname(path),
      terraform: terraformOptions(options, context),
      accept,
      report: stepReporter(plan.steps.length, options, context),
    });
    return { json: result, text: render(result), exitCode: result.verdict === 'clean' ? 0 : 2 };
  },
};

function render(result: RehearsalResult): string {
  const left = result.changes;
  return [renderVerdict(result), ...renderAccepted({ ...result, left })].join('\n');
}

function renderVerdict({ verdict, changes, notRehearsed }: RehearsalResult): string {
  if (verdict === 'clean')
    return 'Clean: on a copy, every step worked and the last plan was empty.';
  return [
    changes.length === 0
      ? 'Not proven: some steps could not be rehearsed.'
      : 'Dirty: Terraform would change something.',
    ...changes.map(({ address, actions, attributes }) =>
      printable(`  ${address} (${actions.join(' and ')}) ${attributes.join(', ')}`.trimEnd(), 300),
    ),
    ...(notRehearsed.length === 0
      ? []
      : [`Not rehearsed, a person does them or they follow: ${notRehearsed.join(', ')}`]),
  ].join('\n');
}

type Options = FleetOptions & ServiceOptions & TerraformFlags & CommonOptions;

/**
 * `rehearse` for the plans of many zones, each on a copy of its own.
 * @param operand a plan, or a folder of plans
 * @throws MigrationError as `forPlans`
 */
async function rehearseMany(
  options: Options,
  context: CliContext,
  operand: string,
): Promise<CommandResult> {
  const terraform = terraformOptions(options, context);
  return forPlans(options, context, operand, {
    stage: 'rehearse',
    request: {},
    perform: async ({ plan: { plan, folder, file, digest } }, { alone }) => {
      const { verdict, changes, notRehearsed } = await rehearse({
        plan,
        folder,
        terraform,
        report: alone ? stepReporter(plan.steps.length, options, context) : () => undefined,
      });
      const [first] = changes;
      const why =
        first === undefined
          ? `steps that are not rehearsed: ${notRehearsed.slice(0, TOLD).join(', ')}`
          : `${counted(changes.length, 'change')}, first ${first.address} (${first.actions.join(' and ')})`;
      const line = `${verdict}: ${printable(file, 200)}${verdict === 'clean' ? '' : `: ${printable(why, 200)}`}`;
      const told = changes.slice(0, TOLD);
      const json = { plan: file, digest, verdict, changes: told, notRehearsed };
      return { json, text: line, line, exitCode: verdict === 'clean' ? 0 : 2 };
    },
  });
}
