import { describeChange, howToDeclare } from '../../../apply/accept-changes';
import { type RehearsalResult, rehearse } from '../../../apply/rehearsal/rehearse';
import { counted, printable } from '../../../core/printable';
import { renderStep } from '../../../plan/formats/text';
import { type Plan } from '../../../plan/plan-schema';
import { isManual, kindOf } from '../../../plan/steps/step-kinds';
import { readAccepted } from '../../consent';
import {
  applyLine,
  stepBeforeNext,
  renderAccepted,
  renderOpenDecisions,
} from '../../plans/plan-text';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { forPlans, MOST_LISTED } from '../../many-zones/for-plans';
import { isFleet, PLAN_RUN, type PlanRunOptions } from '../../options';
import { stepReporter } from '../../progress';
import { planToRun } from '../../plans/saved-plan';
import { terraformOptions } from '../../terraform';

/** `rehearse`: runs the plan on a copy, and requires an empty Terraform plan. */
export const rehearseCommand = defineCommand({
  example: 'rehearse plan.json',
  operand: '[plan]',
  flags: PLAN_RUN,
  run: async (options, context, operand) => {
    if (isFleet(options)) return rehearseMany(options, context, operand);
    const accept = readAccepted(options, 'rehearse');
    const terraform = terraformOptions(options, context);
    const { plan, folder } = await planToRun(operand, options, context, renderSummary);
    const report = stepReporter(plan.steps.length, context);
    const result = await rehearse({ plan, folder, terraform, accept, report });
    const isClean = result.verdict === 'clean';
    const declare = howToDeclare(result.changes, { plan, folder });
    const [first] = result.changes.length === 0 ? result.notRehearsed : [];
    const manual = plan.steps.find((step) => step.id === first && isManual(step));
    const earlier = manual === undefined ? [] : plan.steps.slice(0, plan.steps.indexOf(manual));
    // `apply` runs up to it first: the next deployment would destroy constructs that are removed before their state
    const isAfterChange = earlier.some((step) => kindOf(step).changes !== 'nothing');
    return {
      json: result,
      text: [
        renderVerdict(result),
        ...(declare === undefined ? [] : ['', declare]),
        ...(manual === undefined ? [] : ['', ...renderStep(manual)]),
        ...renderAccepted({ ...result, left: result.changes }),
        ...renderOpenDecisions(plan),
        ...(isClean && plan.states.some(({ method }) => method === 'blocks') ? [IN_PIPELINE] : []),
      ]
        .join('\n')
        .trimEnd(),
      next: isClean || isAfterChange ? applyLine(operand, plan, options) : context.commandLine,
      before: isAfterChange ? undefined : stepBeforeNext(manual),
      exitCode: isClean ? 0 : 2,
    };
  },
});

const IN_PIPELINE =
  'In a pull request, do not run `apply`: the pipeline applies the edited files, and `verify <plan> --tfplan <file>` checks its plan.';

/** How long a plan is, and how to see it. */
function renderSummary({ zones, steps }: Plan): string {
  const manual = steps.filter(isManual).length;
  const note = manual === 0 ? '' : ` (${manual} manual)`;
  const size = `${counted(steps.length, 'step')}${note} for ${counted(zones.length, 'zone')}`;
  return `Migration plan: ${size}. To see it:\n  cf-waf-migrate plan`;
}

function renderVerdict({ verdict, changes, notRehearsed }: RehearsalResult): string {
  if (verdict === 'clean')
    return 'Clean: on a copy, every step worked and the last plan changed no resource.';
  return [
    changes.length === 0
      ? 'Not proven: some steps could not be rehearsed.'
      : 'Dirty: Terraform would change something.',
    ...changes.map((change) => `  ${describeChange(change)}`),
    ...(notRehearsed.length === 0
      ? []
      : [
          `Steps not rehearsed, because they are manual or follow a manual step: ${notRehearsed.join(', ')}`,
        ]),
  ].join('\n');
}

/** `rehearse` for the plans of many zones, each on a separate copy. */
function rehearseMany(
  options: PlanRunOptions,
  context: CliContext,
  operand: string,
): Promise<CommandResult> {
  const terraform = terraformOptions(options, context);
  return forPlans(options, context, operand, {
    stage: 'rehearse',
    next: 'apply',
    perform: async ({ plan, folder, file }) => {
      const { verdict, changes, notRehearsed } = await rehearse({ plan, folder, terraform });
      const [first] = changes;
      const why =
        first === undefined
          ? `steps that are not rehearsed: ${notRehearsed.slice(0, MOST_LISTED).join(', ')}`
          : `${counted(changes.length, 'change')}, first ${first.address} (${first.actions.join(' and ')})`;
      const line = `${verdict}: ${printable(file, 200)}${verdict === 'clean' ? '' : `: ${printable(why, 200)}`}`;
      const json = { verdict, changes: changes.slice(0, MOST_LISTED), notRehearsed };
      return { json, line, exitCode: verdict === 'clean' ? 0 : 2 };
    },
  });
}
