import { join, relative } from 'node:path';
import { journalPath } from '../../apply/journal/journal';
import { isBlocker } from '../../core/finding';
import { posixQuote } from '../../core/posix-quote';
import { type SavedPlan } from '../../fleet/group-zones';
import { gateLine } from '../../plan/formats/pull-request';
import { majorOf } from '../../plan/facts/provider-versions';
import { openDecisions, type Plan, type PlanState, type Step } from '../../plan/plan-schema';
import { acceptOf, readAccepted } from '../consent';
import { type CliContext, type CommandResult } from '../context';
import { type AcceptOptions, commandOf } from '../options';
import { progressOf } from '../../apply/journal/progress';

/** A plan; its file is empty if it is not saved, or is that of the latest run. */
export type PlanInFolder = Pick<SavedPlan, 'plan' | 'folder' | 'place' | 'file'>;

/** The command that brings a plan to its end. */
export function nextOfPlan(
  planned: PlanInFolder,
  options: AcceptOptions,
  context: CliContext,
): Pick<CommandResult, 'next' | 'before'> {
  const { plan, file } = planned;
  const to = plan.states.map(({ provider }) => provider).find(isUpgrade)?.to;
  const planAgain = { next: withFoldersOf(planned, 'plan', context, { to, out: file }) };
  if (plan.findings.some(isBlocker)) return planAgain;
  switch (progressOf(planned)) {
    case 'rolled back':
      // the rollback has raised the serial, so the plan cannot be applied again
      return planAgain;
    case 'rolling back':
      return { next: rollbackLine(planned, context) };
    case 'in review':
      return { next: gateLine(plan, file), before: { task: 'the plan of the pipeline' } };
    case 'applied':
      return { next: commandOf('verify', file, { accept: readAccepted(options, 'apply') }) };
    default:
      return { next: `${applyLine(file, plan, options)}${context.yes ? ' --yes' : ''}` };
  }
}

const isUpgrade = ({ from, to }: PlanState['provider']): boolean => majorOf(to) > majorOf(from);

export const rollbackLine = (
  { plan, folder }: Pick<PlanInFolder, 'plan' | 'folder'>,
  { cwd }: CliContext,
): string =>
  commandOf(
    'rollback',
    folder === cwd ? '' : relative(cwd, join(folder, journalPath(plan.digest))),
  );

/** The command that applies a plan, with the flags for its decisions. */
export const applyLine = (file: string, plan: Plan, { accept }: AcceptOptions): string =>
  commandOf('apply', file, { accept: acceptOf(openDecisions(plan), accept) });

export function withFoldersOf(
  { plan, folder }: Pick<PlanInFolder, 'plan' | 'folder'>,
  command: 'plan' | 'status',
  { cwd }: CliContext,
  flags: Parameters<typeof commandOf>[2] = {},
): string {
  const dirs = new Set(plan.states.map(({ dir }) => relative(cwd, join(folder, dir)) || '.'));
  return commandOf(command, '', { dir: [...dirs].join() === '.' ? [] : [...dirs], ...flags });
}

/**
 * What to do before the next command: a manual step, with its commands.
 * @param folder of the plan, relative to the working directory
 */
export function stepBeforeNext(step: Step | undefined, folder: string): CommandResult['before'] {
  if (step === undefined) return undefined;
  const { id, runs = [], provider } = step;
  // it installs nothing before the user sets the version constraint, and then `apply` runs it
  if (provider !== undefined) return { task: `step ${id}` };
  const commands = runs.map(({ argv }) => argv.slice(1).map(posixQuote).join(' '));
  return { task: `step ${id}`, commands, folder };
}
