import { applySavedPlan, withJudgedPlan } from '../../terraform/subcommands';
import { isOutputChange } from '../accept-changes';
import { stateOf, type StepExecutor, terraformOf } from '../apply-context';
import { expectedAlone, requireAccepted, requireClean } from '../require-clean';
import { flagsOf } from '../run-argv';

const OF_OTHERS =
  'a block of somebody else is pending: let them apply it first, or take it out until this is done, and run the same command again';

/**
 * `apply-blocks`: the one place where Terraform applies anything, and it is a saved plan that only
 * imports and forgets what the step expects. No flag overrides that; the change of an output, which is
 * none of a resource, can be accepted by its name.
 */
export const applyBlocksStep: StepExecutor = {
  isDone: (step, context) => {
    const { addresses } = stateOf(context, step).live;
    const { gone = [], present = [] } = step.expects ?? {};
    return gone.every((one) => !addresses.has(one)) && present.every((one) => addresses.has(one));
  },
  async run(step, context) {
    const { live } = stateOf(context, step);
    const options = terraformOf(context, step);
    const [planRun] = step.runs ?? [];
    const flags = planRun === undefined ? [] : flagsOf(planRun).rest;
    const own = flags.filter((flag) => !/^-(input|out)\b/.test(flag));
    await withJudgedPlan(own, 'import-and-forget', options, async (verdict, file) => {
      requireAccepted(verdict, context, isOutputChange);
      requireClean(expectedAlone({ ...verdict, differences: [] }, step.expects), OF_OTHERS);
      context.fault('apply-blocks-before');
      const { drifted = [] } = verdict;
      context.journal.append({ event: 'drifted', state: step.state, addresses: drifted });
      context.fault('apply-blocks-noted');
      await applySavedPlan(file, own, options);
    });
    for (const address of step.expects?.gone ?? []) live.addresses.delete(address);
    for (const address of step.expects?.present ?? []) live.addresses.add(address);
    context.fault('apply-blocks-after');
  },
};
