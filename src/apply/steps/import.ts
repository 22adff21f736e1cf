import { stateOf, type StepExecutor, terraformOf } from '../apply-context';
import { runArgv } from '../run-argv';

/** `import`: the entry point, once; importing it again would be refused. */
export const importStep: StepExecutor = {
  isDone: (step, context) => {
    const { live } = stateOf(context, step);
    return (step.expects?.present ?? []).every((address) => live.addresses.has(address));
  },
  async run(step, context) {
    const { live } = stateOf(context, step);
    context.fault('import-before');
    for (const run of step.runs ?? []) await runArgv(run, terraformOf(context, step));
    for (const address of step.expects?.present ?? []) live.addresses.add(address);
    context.fault('import-after');
  },
};
