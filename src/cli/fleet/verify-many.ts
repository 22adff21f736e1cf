import { verifyPlan } from '../../actions/verify-plan';
import { type CommonOptions } from '../command';
import { type CliContext, type CommandResult } from '../context';
import { counted } from '../../model/counted';
import { printable } from '../../model/printable';
import { type ServiceOptions } from '../service-options';
import { type TerraformFlags, terraformOptions } from '../terraform-options';
import { type FleetOptions } from './fleet-options';
import { forPlans, TOLD } from './for-plans';

type Options = FleetOptions & ServiceOptions & TerraformFlags & CommonOptions;

/**
 * `verify` for the plans of many zones.
 * @param operand a plan, or a folder of plans
 * @throws MigrationError as `forPlans`
 */
export async function verifyMany(
  options: Options,
  context: CliContext,
  operand: string,
): Promise<CommandResult> {
  const terraform = terraformOptions(options, context);
  return forPlans(options, context, operand, {
    stage: 'verify',
    request: {},
    perform: async ({ plan: { plan, folder, file, digest } }) => {
      const { verdict, differences } = await verifyPlan(plan, folder, terraform);
      const [first] = differences;
      const why =
        first === undefined
          ? ''
          : `: ${counted(differences.length, 'difference')}, first ${first.address}: ${first.problem}`;
      const line = `${verdict}: ${printable(file, 200)}${printable(why, 200)}`;
      const told = differences.slice(0, TOLD);
      const json = { plan: file, digest, verdict, differences: told };
      return { json, text: line, line, exitCode: verdict === 'clean' ? 0 : 2 };
    },
  });
}
