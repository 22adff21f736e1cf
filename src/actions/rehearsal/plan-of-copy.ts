import { type Plan, type Step } from '../../plan/plan';

/** A plan as it is applied to a copy: the local backend there takes no `-backend-config`. */
export function planOfCopy(plan: Plan): Plan {
  const stepOf = (step: Step): Step =>
    step.runs === undefined
      ? step
      : {
          ...step,
          runs: step.runs.map(({ argv, ...run }) => ({
            ...run,
            argv: argv.filter((word) => !/^--?backend-config=/.test(word)),
          })),
        };
  return { ...plan, steps: plan.steps.map(stepOf) };
}
