import { dirname, join, relative, resolve } from 'node:path';
import { isBlocker } from '../../../core/finding';
import { MigrationError } from '../../../core/migration-error';
import { printable } from '../../../core/printable';
import { planFolder } from '../../../files/paths';
import { planFormats } from '../../../plan/formats/plan-formats';
import { gateLine, NO_REVERT, pullRequestTasks } from '../../../plan/formats/pull-request';
import { hasOnlyChecks, changedStates, type Plan } from '../../../plan/plan-schema';
import { documentOf } from '../../output';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { progressOf } from '../../../apply/journal/progress';
import { PLAN, planByFlags, type PlanOptions } from '../../plans/plan-by-flags';
import { refuseInterrupted } from '../../plans/earlier-run';
import { shownPlan } from '../../../plan/formats/shown-plan';
import { renderPlace } from '../../plans/plan-text';
import { savePlan } from '../../plans/saved-plan';
import { REMEDIES } from '../../fleet/next-of-list';
import { commandOf, refuseForOne } from '../../options';
import { binaryOf } from '../../terraform';

export const planCommand = defineCommand({
  example: 'plan --out plan.json',
  passesArguments: true,
  flags: PLAN,
  run: async (options, context) => {
    const { zones, state, dir } = options;
    // from the edited files, the same plan cannot be made again
    if (options.write && (options.method !== 'blocks' || options.out === undefined)) {
      throw new MigrationError('USAGE', '--write goes with --method blocks and --out plan.json');
    }
    // a list that names the folder of each zone replaces --dir
    if (zones !== undefined && state === undefined && dir === undefined) {
      const { planList } = await import('./plan-of-list');
      return planList(options, context);
    }
    refuseForOne(options, 'goes with --zones and a column dir, without --dir and --state');
    const out = options.out === undefined ? undefined : resolve(context.cwd, options.out);
    if (state !== undefined && resolve(context.cwd, state) === out) {
      throw new MigrationError('USAGE', '--out is the state itself');
    }
    const folder = out === undefined ? context.cwd : dirname(out);
    // an interrupted run comes first where nothing is saved, or nothing else is left to plan
    if (out === undefined && state === undefined) await refuseInterrupted(context);
    const made = await planByFlags(options, context, folder);
    if (hasOnlyChecks(made)) await refuseInterrupted(context, 'nothing else is left to plan here');
    const saved = await savePlan(made, out, folder, options, context);
    return describe(saved, folder, options, context);
  },
});

function describe(
  { plan, did, hasManualStep, exitCode }: Awaited<ReturnType<typeof savePlan>>,
  folder: string,
  options: PlanOptions,
  context: CliContext,
): CommandResult {
  const { out, format = 'text', write = false } = options;
  const saved = out === undefined ? [] : [`${did} ${printable(out)}`];
  const place = relative(context.cwd, folder);
  // a document keeps the paths of the plan
  const shown = format === 'text' ? shownPlan({ plan, place }) : plan;
  const text = context.json ? '' : planFormats[format].render(shown, binaryOf(options, context));
  if (!context.json && format !== 'text') {
    saved.forEach(context.notify);
    return { json: plan, text: '', document: documentOf(text, format), exitCode };
  }
  const isToReview = !hasManualStep && progressOf({ plan, folder }) === 'in review';
  const parts = [
    [text.trimEnd(), ...renderPlace(place, 'Its paths, and the commands of its steps,')].join('\n'),
    ...saved,
    ...(write ? afterEdits(plan, folder, out ?? '', context.cwd) : []),
  ];
  const following = afterPlan(plan, isToReview, options, context);
  return { json: plan, text: parts.join('\n\n').trim(), ...following, exitCode };
}

/** What happens to the pull request after the edits. */
function afterEdits(plan: Plan, folder: string, out: string, cwd: string): string[] {
  if (changedStates(plan).length === 0) return [];
  const tasks = pullRequestTasks(plan, out, (dir) => planFolder(cwd, join(folder, dir)));
  const lines = Object.entries(tasks).flatMap(([task, commands]) => [
    `${task}:`,
    ...commands.map((command) => `  ${command}`),
  ]);
  return [[...lines, NO_REVERT].join('\n')];
}

/** A plan with flags is saved first, because `rehearse` without a plan uses none of them. */
function afterPlan(
  plan: Plan,
  isToReview: boolean,
  options: PlanOptions,
  { commandLine, commandWith }: CliContext,
): Pick<CommandResult, 'next' | 'before'> {
  const { out, state, dir, to } = options;
  const blockers = plan.findings.filter(isBlocker);
  const upgrade = [...blockers, ...plan.findings].find(({ command }) => command?.includes('--to'));
  if (upgrade?.command !== undefined && blockers.every((one) => one === upgrade)) {
    // of several folders, the remedy names one
    const isOfAll = plan.states.length === 1 || !upgrade.command.includes('--dir');
    if (isOfAll) return { next: commandWith(upgrade.command.slice(-2), '--to') };
  }
  if (blockers.length > 0) return { next: commandLine, before: REMEDIES };
  // the remedy has the command
  if (hasOnlyChecks(plan) && plan.findings.some(({ code }) => code === 'ZONE_NOT_IN_STATE'))
    return {};
  if (plan.steps.length === 0 || (to !== undefined && hasOnlyChecks(plan)))
    return { next: commandOf('status', { dir }) };
  if (out !== undefined && isToReview)
    return { next: gateLine(plan, out), before: { task: 'the plan of the pipeline' } };
  if (out !== undefined) return { next: commandOf('rehearse', {}, out) };
  const saved = commandWith(['--out', 'plan.json'], '--state');
  if (state !== undefined) return { next: saved.replace(/^plan/, 'plan --dir <folder>') };
  return { next: commandLine === 'plan' ? 'rehearse' : saved };
}
