import { type Plan } from '../plan';

/**
 * A plan as it is printed for people and shells that use another binary, such as `tofu`: each command
 * begins with it. The plan itself stays as it is, for `apply` is told the binary when it runs.
 *
 * @param binary as the user wrote it: a name, or a path
 */
export function withBinary(plan: Plan, binary: string): Plan {
  if (binary === 'terraform') return plan;
  const steps = plan.steps.map(({ runs, ...step }) => ({
    ...step,
    ...(runs !== undefined && {
      runs: runs.map(({ argv, ...run }) => ({
        ...run,
        argv: argv[0] === 'terraform' ? [binary, ...argv.slice(1)] : argv,
      })),
    }),
  }));
  return { ...plan, steps };
}
