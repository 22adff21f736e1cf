import { dirname, join, relative, resolve } from 'node:path';
import { applyPlan, type ApplyResult } from '../../actions/apply/apply-plan';
import { MigrationError } from '../../model/migration-error';
import { renderStep } from '../../plan/formats/text';
import { openDecisions, refuseBlockers } from '../../plan/open-decisions';
import { type Plan, type Step } from '../../plan/plan';
import { counted } from '../../model/counted';
import { printable } from '../../model/printable';
import { type CliCommand } from '../command';
import { changeOf, consent } from '../consent';
import { applyMany } from '../fleet/apply-many';
import { type ApplyManyOptions, withApplyMany } from '../fleet/apply-many-options';
import { isFleet } from '../fleet/fleet-options';
import {
  type AcceptOptions,
  readAccepted,
  refuseAccepted,
  renderAccepted,
  withAccept,
} from '../accept-option';
import { stepReporter } from '../report-steps';
import { type ServiceOptions, withService } from '../service-options';
import { rulesetCheck } from '../ruleset-check';
import { NOTHING_DONE, renderDecisions, withDecisions } from '../plan-decisions';
import { readSavedPlan } from '../read-saved-plan';
import { type TerraformFlags, terraformOptions, withTerraform } from '../terraform-options';

interface ApplyOptions extends TerraformFlags, ServiceOptions, ApplyManyOptions, AcceptOptions {
  readonly yes?: boolean;
  readonly only?: string;
}

const HEADINGS = {
  files: 'Edited files',
  present: 'Imported addresses',
  gone: 'Addresses removed from state',
};

/** `apply`: carries a saved plan out, or goes on with it. */
export const applyCommand: CliCommand<ApplyOptions> = {
  example: 'apply plan.json',
  operand: 'plan',
  define: (command) =>
    withAccept(withApplyMany(withTerraform(withService(command))))
      .option('--only <what>', '`edits`: the edits of files alone, where the state allows them')
      .option('--yes', 'do not ask')
      .addHelpText('after', '\nThe plan: cf-waf-migrate plan … --format json --out plan.json'),
  run: async (options, context, operand) => {
    const only = parseOnly(options.only);
    if (isFleet(options)) {
      refuseAccepted(options, '--zones');
      return applyMany(options, context, operand, only);
    }
    if (options.confirm !== undefined) {
      throw new MigrationError(
        'USAGE',
        '--confirm goes with --zones or --account; one plan has --yes',
      );
    }
    const path = resolve(context.cwd, operand);
    const accept = readAccepted(options);
    const terraform = terraformOptions(options, context);
    const plan = await readSavedPlan(path);
    refuseBlockers(plan);
    const question = `Apply ${counted(plan.steps.length, 'step')} to ${counted(plan.states.length, 'state')}?`;
    const decisions = openDecisions(plan, NOTHING_DONE);
    await consent({ lists: changeOf(plan, HEADINGS), decisions, question }, options, context);
    const result = await applyPlan({
      plan,
      folder: dirname(path),
      terraform,
      accept,
      report: stepReporter(plan.steps.length, options, context),
      fault: context.fault,
      only,
      checkRulesets: rulesetCheck(plan, options, context),
    });
    const waiting = waitingIn(result, plan);
    const yours = waiting === undefined ? {} : { yours: waiting };
    const isOpen = result.steps.some(({ status }) => status === 'waiting' || status === 'due');
    return {
      json: withDecisions({ ...result, ...yours }, plan, doneIn(result)),
      text: render(result, plan, relative(context.cwd, dirname(path))),
      exitCode: isOpen ? 2 : 0,
    };
  },
};

/** The step that a person has to do before the run goes on. */
function waitingIn({ steps }: ApplyResult, plan: Plan): Step | undefined {
  const waiting = steps.find(({ status }) => status === 'waiting');
  return plan.steps.find(({ id }) => id === waiting?.id);
}

/** As the plan shows it: who waits here need not look it up. */
function stepLines(step: Step): string[] {
  return ['', ...renderStep(step)];
}

/** Ids of the steps that are done by now, whenever that was. */
function doneIn({ steps }: ApplyResult): ReadonlySet<string> {
  const done = steps.filter(({ status }) => status === 'done' || status === 'found');
  return new Set(done.map(({ id }) => id));
}

function parseOnly(only: string | undefined): 'edits' | undefined {
  if (only === undefined || only === 'edits') return only;
  throw new MigrationError('USAGE', `--only "${printable(only, 40)}" is not \`edits\``);
}

/** @param folder of the plan, from where the command was given: so that what it names can be pasted */
function render(result: ApplyResult, plan: Plan, folder: string): string {
  const { steps, journal, backup } = result;
  const waiting = waitingIn(result, plan);
  const due = steps.filter(({ status }) => status === 'due').length;
  return [
    waiting === undefined
      ? due === 0
        ? `All ${steps.length} steps are done.`
        : `The edits are made; ${due} other steps are due.`
      : `Step ${waiting.id} is yours; then run the same command again.`,
    ...(waiting === undefined ? [] : stepLines(waiting)),
    `Journal: ${printable(join(folder, journal))}`,
    ...backup.map((file) => `Backup:  ${printable(join(folder, file))}`),
    ...renderAccepted(result),
    ...renderDecisions(plan, doneIn(result)),
  ].join('\n');
}
