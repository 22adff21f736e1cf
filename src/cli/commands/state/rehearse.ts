import { addressesToAccept, describeChange, isOutputChange } from '../../../apply/accept-changes';
import { howToDeclare, remediesOf, stillDeclared } from '../../../apply/remedies';
import { progressOf } from '../../../apply/journal/progress';
import { type RehearsalResult, rehearse } from '../../../apply/rehearsal/rehearse';
import { hintLines } from '../../../core/finding';
import { acceptFlag } from '../../../core/posix-quote';
import { counted, printable } from '../../../core/printable';
import { leadsToApply } from '../../../fleet/ledger';
import { hasOnlyChecks, type Plan } from '../../../plan/plan-schema';
import { isManual, kindOf } from '../../../plan/steps/step-kinds';
import { readAccepted, showChange } from '../../consent';
import { shownPlan } from '../../../plan/formats/shown-plan';
import {
  doneTogether,
  flagsOf,
  nextOfPlan,
  type PlanInFolder,
  planAgain,
  renderAccepted,
  renderLeft,
  renderManual,
  renderOpenDecisions,
  stepsBeforeNext,
  withFoldersOf,
} from '../../plans/plan-text';
import { type CliContext, defineCommand } from '../../context';
import { forPlans, type PlanResult } from '../../fleet/for-plans';
import { commandOf, isList, PLAN_RUN, type PlanRunOptions, refuseForOne } from '../../options';
import { stepReporter } from '../../progress';
import { planToRun } from '../../plans/earlier-run';
import { terraformOptions } from '../../terraform';

export const rehearseCommand = defineCommand({
  example: 'rehearse plan.json',
  operand: '[plan]',
  flags: {
    ...PLAN_RUN,
    '--accept <what>': {
      ...PLAN_RUN['--accept <what>'],
      summary: 'accept a change by its address',
    },
  },
  run: async (options, context, operand) => {
    const accept = readAccepted(options);
    const terraform = terraformOptions(options, context);
    if (isList(options)) {
      return forPlans(options, context, operand, {
        stage: 'rehearse',
        repeats: (result) => !leadsToApply(result),
        perform: async (planned) => {
          const result = await rehearse({ ...planned, terraform, accept });
          const described = await describe(result, planned, options, context);
          const ready = result.verdict === 'clean' || isForApply(result, planned.plan);
          const outdated = outdatedRulesets(result, planned).length > 0;
          return { ...described, json: { ...result, ready, ...(outdated && { outdated }) } };
        },
      });
    }
    refuseForOne(options);
    const planned = await planToRun(operand, options, context, renderSummary);
    showChange({ lists: flagsOf([planned.plan]) }, context);
    const report = stepReporter(planned.plan.steps.length, context);
    context.ifStopped('stopped; nothing was changed');
    const result = await rehearse({ ...planned, terraform, accept, report });
    return describe(result, planned, options, context);
  },
});

async function describe(
  result: RehearsalResult,
  planned: PlanInFolder,
  options: PlanRunOptions,
  context: CliContext,
): Promise<PlanResult> {
  const { plan, place, file } = planned;
  const { verdict, changes, stoppedAt } = result;
  const isClean = verdict === 'clean';
  const step = plan.steps.find(({ id }) => id === stoppedAt);
  const outdated = outdatedRulesets(result, planned);
  const others = changes.filter((one) => !outdated.includes(one));
  const remedies = [
    ...outdated.map(
      ({ address }) =>
        `the live ruleset of ${printable(address, 200)} may have changed: plan again`,
    ),
    ...(step === undefined ? [] : await remediesOf(others, { ...planned, step })),
  ];
  // the plan of blocks is applied, and only its outputs can be accepted
  const isOfBlocks = plan.states.some(({ method }) => method === 'blocks');
  const acceptable = isOfBlocks ? changes.filter(isOutputChange) : changes;
  const manual = manualStepOf(result, plan);
  return {
    json: result,
    text: [
      renderVerdict(result),
      ...remedies.flatMap((remedy) => ['', ...hintLines(remedy)]),
      ...doneTogether(manual, plan.steps).flatMap((one) => renderManual(one, place)),
      ...(manual === undefined ? [] : renderLeft(manual, result, planned)),
      ...renderAccepted(result, acceptable),
      ...renderOpenDecisions(shownPlan(planned)),
      ...(isClean && isOfBlocks ? [IN_PIPELINE] : []),
    ]
      .join('\n')
      .trimEnd(),
    line: [
      `${verdict}: ${printable(file, 200)}`,
      ...(isClean ? renderAccepted(result) : [printable(whyDirty(result, file), 300)]),
    ].join(': '),
    ...(isClean || isForApply(result, plan)
      ? hasOnlyChecks(plan)
        ? { next: withFoldersOf(planned, 'status', context) }
        : nextOfPlan(planned, options, context)
      : await rehearseAgain(result, planned, outdated, addressesToAccept(acceptable), context)),
    exitCode: isClean ? 0 : 2,
  };
}

/** The manual step that a rehearsal could not pass; undefined if it found changes. */
function manualStepOf({ changes, notRehearsed: [first] }: RehearsalResult, { steps }: Plan) {
  return changes.length > 0 ? undefined : steps.find((step) => step.id === first && isManual(step));
}

/** Whether only `apply` leads on: it runs up to the step of the user, which comes after a change of the state. */
function isForApply(result: RehearsalResult, plan: Plan): boolean {
  const { changes, steps } = result;
  // the user edits blocks that other zones share when their resources have left the state
  if (changes.length > 0) {
    const shared = stillDeclared(changes, plan);
    return shared.length > 0 && changes.every((one) => shared.includes(one) || isOutputChange(one));
  }
  const manual = manualStepOf(result, plan);
  const earlier = manual === undefined ? [] : plan.steps.slice(0, plan.steps.indexOf(manual));
  // the next deployment would destroy constructs that are removed before their state
  return earlier.some(
    (step) =>
      kindOf(step).changes !== 'nothing' &&
      steps.some(({ id, status }) => id === step.id && status === 'done'),
  );
}

/**
 * The rulesets that Terraform would update though nothing of the saved plan is applied, and whose file the plan creates:
 * only the live ruleset can have changed since, and there is no file to write again.
 */
function outdatedRulesets({ changes }: RehearsalResult, planned: PlanInFolder) {
  const { plan, file } = planned;
  if (file === '' || progressOf(planned) !== 'new') return [];
  const created = plan.steps.flatMap(({ edits = [], addresses = [] }) =>
    edits.some(({ sha256 }) => sha256 === null) ? addresses : [],
  );
  return changes.filter(
    ({ address, actions }) => actions.join() === 'update' && created.includes(address),
  );
}

/** The command to rehearse or plan again, and what comes before it. */
async function rehearseAgain(
  result: RehearsalResult,
  planned: PlanInFolder,
  outdated: RehearsalResult['changes'],
  addresses: readonly string[],
  context: CliContext,
): Promise<Pick<PlanResult, 'next' | 'before'>> {
  const { plan, place, file } = planned;
  const { changes } = result;
  // the new plan is the correction
  if (outdated.length > 0 && outdated.length === changes.length)
    return { next: planAgain(planned, context) };
  const toCorrect = changes.filter(({ address }) => !addresses.includes(address));
  // without a file, `rehearse` plans again
  if (file !== '' && (await needsNewPlan(toCorrect, planned)))
    return { next: planAgain(planned, context), before: { task: 'the correction' } };
  const waiting = doneTogether(manualStepOf(result, plan), plan.steps);
  const correction = addresses.length > 0 ? undefined : { task: 'the correction' };
  return {
    next: [context.commandLine, ...addresses.map(acceptFlag)].join(' '),
    before: stepsBeforeNext(waiting, place) ?? correction,
  };
}

/** Whether the correction of some changes is one of the state, or of a file that the plan edits. */
async function needsNewPlan(
  changes: RehearsalResult['changes'],
  planned: PlanInFolder,
): Promise<boolean> {
  const { steps, zones } = planned.plan;
  const own = new Set(zones.map(({ ruleset }) => ruleset.address));
  const isPending = changes.some(
    ({ address, actions }) =>
      /^(create|import|forget)$/.test(actions.join()) ||
      (actions.includes('import') && !own.has(address)),
  );
  if (isPending) return true;
  const edited = new Set(steps.flatMap(({ edits = [] }) => edits.map((one) => one.file)));
  const ways = await howToDeclare(changes, planned);
  return ways.some((one) => one.file !== undefined && edited.has(one.file));
}

function whyDirty({ changes, notRehearsed }: RehearsalResult, file: string): string {
  const [first] = changes;
  const what =
    first === undefined
      ? `step ${notRehearsed[0] ?? ''} is manual`
      : `${counted(changes.length, 'change')}, first ${first.address} (${first.actions.join(' and ')})`;
  return `${what}. To see it: cf-waf-migrate ${commandOf('rehearse', {}, file)}`;
}

const IN_PIPELINE =
  'In a pull request, do not run `apply`: the pipeline applies the edited files, and `verify <plan> --tfplan <file>` checks its plan.';

/** How long a plan is, and how to see it. */
function renderSummary({ zones, steps }: Plan): string {
  const manual = steps.filter(isManual).length;
  const note = manual === 0 ? '' : ` (${manual} manual)`;
  const size = `${counted(steps.length, 'step')}${note} for ${counted(zones.length, 'zone')}`;
  return `Migration plan: ${size}. To see it:\n  cf-waf-migrate plan`;
}

function renderVerdict({ verdict, changes, notRehearsed, accepted = [] }: RehearsalResult): string {
  const isChanged = accepted.some(({ by, isOutput }) => by.length > 0 && isOutput !== true);
  if (verdict === 'clean')
    return `Clean: on a copy, every step worked and the last plan ${isChanged ? 'makes only the accepted changes' : 'changed no resource'}.`;
  const skipped = notRehearsed.join(', ');
  if (changes.length === 0)
    return `Not proven: step ${notRehearsed[0]} is manual, so these were not rehearsed: ${skipped}`;
  return [
    'Dirty: Terraform would change something.',
    ...changes.map((change) => `  ${describeChange(change)}`),
    ...(skipped === '' ? [] : [`Not rehearsed: ${skipped}`]),
  ].join('\n');
}
