import { rehearse } from '../../actions/rehearsal/rehearse';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { counted } from '../../model/counted';
import { printable } from '../../model/printable';
import { stepReporter } from '../report-steps';
import { type ServiceOptions } from '../service-options';
import { type TerraformFlags, terraformOptions } from '../terraform-options';
import { type FleetOptions } from './fleet-options';
import { forPlans, TOLD } from './for-plans';

type Options = FleetOptions & ServiceOptions & TerraformFlags & CommonOptions;

/**
 * `rehearse` for the plans of many zones, each on a copy of its own.
 * @param operand a plan, or a folder of plans
 * @throws MigrationError as `forPlans`
 */
export async function rehearseMany(
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
