import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { addressesToAccept } from '../../../apply/accept-changes';
import { howToDeclare } from '../../../apply/remedies';
import { type Verification, verifyPlan, verifyTerraformPlan } from '../../../apply/verify-plan';
import { requireWorkspaces } from '../../../apply/preflight/require-places';
import { staleStack } from '../../../apply/undeclared-rulesets';
import { type Finding, hintLines, renderFindings } from '../../../core/finding';
import { acceptFlag, posixQuote } from '../../../core/posix-quote';
import { counted, printable } from '../../../core/printable';
import { readJsonFile } from '../../../files/read-files';
import { withCommand, words } from '../../../plan/formats/render-command';
import { openDecisions } from '../../../plan/plan-schema';
import { readAccepted, renderDecisions, showChange, unaccepted } from '../../consent';
import { progressOf } from '../../../apply/journal/progress';
import { shownFindings, shownPlan } from '../../../plan/formats/shown-plan';
import {
  flagsOf,
  nextOfPlan,
  type PlanInFolder,
  planAgain,
  renderAccepted,
  renderOpenDecisions,
  withDecisions,
  withFoldersOf,
} from '../../plans/plan-text';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import { forPlans, type PlanResult } from '../../fleet/for-plans';
import { commandOf, isList, PLAN_RUN, refuseForMany, refuseForOne } from '../../options';
import { requireLatestRun } from '../../plans/earlier-run';
import { readOperand } from '../../plans/saved-plan';
import { terraformOptions } from '../../terraform';

const flags = defineFlags({
  ...PLAN_RUN,
  '--accept <what>': {
    ...PLAN_RUN['--accept <what>'],
    summary: 'accept a change (address), or with --tfplan a decision (code)',
  },
  '--tfplan <file>': 'check this Terraform plan (JSON) instead',
});

type VerifyOptions = OptionsOf<typeof flags>;

export const verifyCommand = defineCommand({
  example: 'verify plan.json --tfplan tfplan.json',
  operand: '[plan]',
  flags,
  run: async (options, context, operand) => {
    const { tfplan } = options;
    const accept = readAccepted(options);
    const given = { options, context, accept };
    if (isList(options)) {
      refuseForMany(options, { tfplan });
      return forPlans(options, context, operand, {
        stage: 'verify',
        // the state has to change first
        repeats: () => false,
        // differences, not decisions, need attention
        before: () => undefined,
        perform: (planned) => verifyFolders({ ...planned, ...given }),
      });
    }
    refuseForOne(options);
    const gate = tfplan === undefined ? '' : ` --tfplan ${posixQuote(tfplan)}`;
    const hint = `apply a plan first; to check the folder without one, run \`cf-waf-migrate rehearse\`. Elsewhere, pass the plan:\ncf-waf-migrate verify <plan>${gate}`;
    const planned = await (operand === ''
      ? requireLatestRun(context, hint)
      : readOperand(operand, context));
    const request = { ...planned, ...given };
    // with --tfplan, Terraform is not started
    if (tfplan === undefined) showChange({ lists: flagsOf([planned.plan]) }, context);
    return tfplan === undefined ? verifyFolders(request) : verifyTfplan(tfplan, request);
  },
});

interface VerifyRequest extends PlanInFolder {
  readonly options: VerifyOptions;
  readonly context: CliContext;
  /** Addresses of accepted differences. */
  readonly accept: readonly string[];
}

const UNFINISHED = 'The rollback of this plan is not finished.';
const CHANGED =
  'The state changed after this plan was made, so `apply` refuses it. Plan what is left:';

/** Checks the states and configurations of the plan. */
async function verifyFolders(request: VerifyRequest): Promise<PlanResult> {
  const { plan, folder, file, options, context, accept } = request;
  const result = await verifyPlan(plan, folder, terraformOptions(options, context), accept);
  const { verdict, differences } = result;
  const [first] = differences;
  const progress = progressOf(request);
  const isRollingBack = progress === 'rolling back';
  // a state that matches has the result of the steps, wherever they ran
  const areStepsDone = first === undefined || progress === 'applied';
  const done = new Set(areStepsDone ? plan.steps.map(({ id }) => id) : []);
  const wereAccepted = isRollingBack || progress === 'begun' || progress === 'applied';
  const heading = wereAccepted ? 'Accepted decisions:' : 'Decisions of the plan:';
  const decisions = areStepsDone
    ? renderDecisions(openDecisions(plan, done), { heading })
    : renderOpenDecisions(shownPlan(request));
  const line = `${verdict}: ${printable(file, 200)}`;
  const status = { next: withFoldersOf(request, 'status', context) };
  if (first !== undefined) {
    const why = `${counted(differences.length, 'difference')}, first ${first.address}: ${first.problem}`;
    const repair = isRollingBack ? [] : await howToRepair(result, request);
    const isRefused = result.stateChanged === true && progress === 'new';
    return {
      json: withDecisions(result, plan, done),
      text: [
        ...renderDifferences(result),
        ...(isRollingBack ? [UNFINISHED] : renderRepair(repair, APPLY)),
        ...(isRefused ? [CHANGED, `  cf-waf-migrate ${planAgain(request, context)}`] : []),
        ...decisions,
      ].join('\n'),
      line: `${line}: ${printable(why, 120)}. To see it: cf-waf-migrate ${commandOf('verify', {}, file)}`,
      ...(isRefused ? status : whatFollows(result, request, repair[0]?.command)),
      exitCode: 2,
    };
  }
  // a list shows one line for each plan
  const stale = isList(options) ? [] : await staleStacks(request);
  return {
    json: withDecisions(result, plan, done),
    text: [
      'State and configuration match the plan.',
      ...(isRollingBack ? [UNFINISHED] : leftBlocks(request)),
      ...renderFindings(shownFindings(stale, request.place)),
      ...renderAccepted(result),
      ...decisions,
    ].join('\n'),
    line: [line, ...renderAccepted(result)].join(': '),
    ...(isRollingBack ? nextOfPlan(request, options, context) : status),
    exitCode: 0,
  };
}

/** Checks a Terraform plan, as a gate before it is applied. */
async function verifyTfplan(tfplan: string, request: VerifyRequest): Promise<CommandResult> {
  const { plan, folder, file, options, context, accept } = request;
  requireWorkspaces(plan, folder, context.environment);
  const document = await readJsonFile(resolve(context.cwd, tfplan), NOT_JSON);
  const result = verifyTerraformPlan(document, plan, accept);
  const { verdict, differences, accepted = [] } = result;
  const open = unaccepted(openDecisions(plan), options.accept);
  const isPassed = verdict === 'clean' && open.length === 0;
  const missing = [...differences.map(({ address }) => address), ...open.map(({ code }) => code)];
  const onlyPlanned =
    accepted.length === 0
      ? 'The Terraform plan changes nothing but the planned imports and removals from state.'
      : 'Apart from the planned imports and removals from state, the Terraform plan only changes:';
  const text = [
    ...(verdict === 'clean' ? [onlyPlanned] : []),
    ...renderDifferences(result),
    ...renderRepair(await howToRepair(result, request), 'The pipeline has to plan again'),
    ...(isPassed ? ['Apply exactly this plan with terraform apply.'] : []),
    ...renderOpenDecisions(shownPlan(request), options.accept),
  ];
  const retry = differences.every(({ isOutput }) => isOutput)
    ? [context.commandLine, ...new Set(missing.map(acceptFlag))].join(' ')
    : undefined;
  return {
    json: withDecisions(result, plan),
    text: text.join('\n'),
    next: isPassed ? commandOf('verify', {}, file) : retry,
    before: isPassed ? { task: 'terraform apply' } : undefined,
    exitCode: isPassed ? 0 : 2,
  };
}

const NOT_JSON = 'pass the JSON of the Terraform plan:\nterraform show -json tfplan > tfplan.json';

/** What the check cannot see: the program of a stack that changed after the synthesis. */
async function staleStacks({ plan, folder }: VerifyRequest): Promise<Finding[]> {
  const found = await Promise.all(plan.states.map(({ dir }) => staleStack(dir, folder)));
  return found.flat().map((one) => ({ ...one, severity: 'info' }));
}

/** The files of method blocks, which have no purpose when the plan is applied. */
function leftBlocks({ plan, folder, context }: VerifyRequest): string[] {
  const edits = plan.steps.flatMap(({ edits = [] }) => edits);
  const blocks = edits.filter(({ insert = '' }) => /^(import|removed) \{/m.test(insert));
  const files = blocks.map(({ file }) => join(folder, file)).filter((file) => existsSync(file));
  return files.map(
    (file) =>
      `Delete ${printable(relative(context.cwd, file), 200)} when every workspace and environment has applied it.`,
  );
}

/**
 * The command after a failed check: it makes, resumes or repeats the change.
 * @param declare the command that declares a ruleset whose live rules differ
 */
function whatFollows(
  { differences }: Verification,
  request: VerifyRequest,
  declare: readonly string[] | undefined,
): Pick<CommandResult, 'next' | 'before'> {
  const { options, context } = request;
  // the states are as the plan promises, so no apply of it removes the difference
  if (declare !== undefined && differences.every(({ actions }) => actions !== undefined))
    return { next: words(declare.slice(1)) };
  const progress = progressOf(request);
  // unless it changed nothing, the rollback has raised the serial, so the plan cannot be applied again
  if (progress === 'rolled back') return { next: planAgain(request, context) };
  if (progress !== 'applied') {
    const accept = [...(options.accept ?? []), ...addressesToAccept(plannedOf(differences))];
    return nextOfPlan(request, { accept }, context);
  }
  return { next: withFoldersOf(request, 'status', context) };
}

const APPLY =
  'If the configuration is right, run terraform apply, which changes the live ruleset: what the files disable or lack no longer protects the zone';

/** What to do about rulesets whose live rules differ. */
async function howToRepair({ differences }: Verification, request: VerifyRequest) {
  const updated = differences.filter(({ actions }) => actions?.includes('update'));
  const ways = await howToDeclare(updated, request);
  // the user may have edited the file: without --force, the command refuses to overwrite it
  return ways.map(({ remedy, command, ...how }) => ({
    ...how,
    remedy: command.includes('--force') ? `${remedy} (add --force unless you edited it)` : remedy,
    command: command.filter((word) => word !== '--force'),
  }));
}

function renderRepair(ways: Awaited<ReturnType<typeof howToRepair>>, otherwise: string): string[] {
  if (ways.length === 0) return [];
  const remedies = ways.map(({ remedy, command }) => withCommand(remedy, command)).join('\n');
  return hintLines(ways.some((how) => how.isForOther) ? remedies : `${otherwise}; ${remedies}`);
}

function renderDifferences(result: Verification): string[] {
  const { differences } = result;
  return [...differences.map(renderDifference), ...renderAccepted(result, plannedOf(differences))];
}

/** The differences that Terraform plans. */
const plannedOf = (differences: Verification['differences']) =>
  differences.flatMap(({ actions, ...one }) => (actions ? { ...one, actions } : []));

function renderDifference({
  state,
  address,
  problem,
  attributes,
}: Verification['differences'][number]): string {
  const place = [state, address].filter(Boolean).map((one) => printable(one, 200));
  const paths = attributes.slice(0, 8).map((one) => printable(one, 80));
  const more = paths.length === 0 ? '' : ` (${paths.join(', ')})`;
  return [...place, `${problem}${more}`].join(': ');
}
