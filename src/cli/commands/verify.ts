import { dirname, resolve } from 'node:path';
import {
  type Verification,
  verifyPlan,
  verifyStateBytes,
  verifyTerraformPlan,
} from '../../apply/verify-plan';
import { MigrationError } from '../../core/migration-error';
import { counted, printable } from '../../core/printable';
import { readJsonFile } from '../../files/read-json-file';
import { type Plan } from '../../plan/plan';
import {
  NOTHING_DONE,
  readAccepted,
  refuseAccepted,
  renderAccepted,
  renderDecisions,
  withDecisions,
} from '../consent';
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
import { readStateInput, terraformOptions } from '../terraform';

interface VerifyOptions extends TerraformFlags, FleetOptions, ServiceOptions, AcceptOptions {
  readonly tfplan?: string;
  readonly state?: string;
}

/** `verify`: whether what a plan promised is true; changes nothing. */
export const verifyCommand: CliCommand<VerifyOptions> = {
  example: 'verify plan.json --tfplan tfplan.json',
  operand: 'plan',
  define: (command) =>
    withAccept(withFleetOfPlans(withService(withTerraform(command))))
      .option('--tfplan <file>', 'output of terraform show -json: only forget and import allowed')
      .option('--state <file>', 'a state file, or -, instead of the folders of the plan'),
  run: async (options, context, operand) => {
    if (isFleet(options)) {
      refuseAccepted(options, '--zones');
      if (options.tfplan !== undefined || options.state !== undefined) {
        throw new MigrationError(
          'USAGE',
          '--tfplan and --state are of one plan: leave out --zones',
        );
      }
      return verifyMany(options, context, operand);
    }
    const path = resolve(context.cwd, operand);
    const plan = await readSavedPlan(path);
    const result = await verify(plan, dirname(path), options, context);
    const exitCode = result.verdict === 'clean' ? 0 : 2;
    const clean =
      options.tfplan !== undefined
        ? 'The plan of Terraform changes nothing: it only imports and forgets what is planned, if anything.'
        : options.state !== undefined
          ? 'The state file matches the plan. Terraform was not run.'
          : 'Everything is as the plan promised.';
    // a file is no proof of what Terraform plans by now
    const isProof = options.tfplan === undefined && options.state === undefined && exitCode === 0;
    const done = isProof ? new Set(plan.steps.map(({ id }) => id)) : NOTHING_DONE;
    const text = [
      renderVerdict(result, clean),
      ...renderAccepted({ ...result, left: result.differences }),
      ...renderDecisions(plan, done),
    ];
    return { json: withDecisions(result, plan, done), text: text.join('\n'), exitCode };
  },
};

async function verify(
  plan: Plan,
  folder: string,
  options: VerifyOptions & CommonOptions,
  context: CliContext,
): Promise<Verification> {
  const { tfplan, state } = options;
  if (tfplan !== undefined && state !== undefined) {
    throw new MigrationError('USAGE', 'pass either --tfplan or --state');
  }
  if (state !== undefined) refuseAccepted(options, '--state');
  const accept = readAccepted(options);
  if (tfplan !== undefined) {
    const document = await readJsonFile(resolve(context.cwd, tfplan));
    return verifyTerraformPlan(document, plan, accept);
  }
  if (state !== undefined) {
    return verifyStateBytes(plan, await readStateInput(state, context));
  }
  return verifyPlan(plan, folder, terraformOptions(options, context), accept);
}

function renderVerdict({ verdict, differences }: Verification, clean: string): string {
  if (verdict === 'clean') return clean;
  return differences
    .map(({ state, address, problem, attributes }) => {
      const place = [state, address].filter(Boolean).map((one) => printable(one, 200));
      const paths = attributes.slice(0, 8).map((one) => printable(one, 80));
      const more = paths.length === 0 ? '' : ` (${paths.join(', ')})`;
      return [...place, `${problem}${more}`].join(': ');
    })
    .join('\n');
}

type Options = FleetOptions & ServiceOptions & TerraformFlags & CommonOptions;

/**
 * `verify` for the plans of many zones.
 * @param operand a plan, or a folder of plans
 * @throws MigrationError as `forPlans`
 */
async function verifyMany(
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
