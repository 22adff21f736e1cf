import { resolve } from 'node:path';
import { type Plan, type Run, type Step } from '../../plan/plan';

/**
 * A plan as it is carried out on a copy: the local backend there takes no `-backend-config`, and what
 * `-plugin-dir` names is read where it is.
 * @param folder of the plan, the original
 */
export function planOfCopy(plan: Plan, folder: string): Plan {
  const dirs = new Map(plan.states.map(({ name, dir }) => [name, resolve(folder, dir)]));
  const stepOf = (step: Step): Step =>
    step.runs === undefined ? step : { ...step, runs: step.runs.map((run) => runOf(run, step)) };
  const runOf = ({ argv, ...run }: Run, { state }: Step): Run => ({
    ...run,
    argv: argv.flatMap((word) => wordOf(word, dirs.get(state) ?? folder)),
  });
  return { ...plan, steps: plan.steps.map(stepOf) };
}

function wordOf(word: string, dir: string): string[] {
  const [, flag, value = ''] = /^(--?(?:backend-config|plugin-dir))=([\s\S]*)$/.exec(word) ?? [];
  if (flag === undefined) return [word];
  return flag.endsWith('plugin-dir') ? [`${flag}=${resolve(dir, value)}`] : [];
}
