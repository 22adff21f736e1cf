import { judgeEmptyPlan } from '../../terraform/subcommands';
import { type ApplyContext, type StepExecutor, terraformOf } from '../apply-context';
import { requireAccepted } from '../require-clean';
import { flagsOf } from '../run-argv';
import { removeStep } from './remove';
import { type Step } from '../../plan/plan';

/** `check`: a plan of Terraform that changes nothing, judged by its JSON. */
export const checkStep: StepExecutor = {
  // a check proves what is now: only one that later steps have overtaken is passed over
  isDone: isOvertaken,
  async run(step, context) {
    const [run] = step.runs ?? [];
    if (run === undefined) return;
    const flags = flagsOf(run).rest.filter(
      (flag) => flag !== '-input=false' && flag !== '-detailed-exitcode',
    );
    context.fault('check-before');
    const verdict = await judgeEmptyPlan(
      flags,
      terraformOf(context, step),
      context.accept.length === 0,
    );
    // nothing of this plan is applied: it is a proof, and the user may know better of what it shows
    requireAccepted(verdict, context);
    context.fault('check-after');
  },
};

async function isOvertaken(step: Step, context: ApplyContext): Promise<boolean> {
  if (step.expects?.plan !== 'target-empty') return false;
  const later = context.plan.steps.find(
    ({ id, state, kind }) =>
      state === step.state && kind === 'remove' && Number(id) > Number(step.id),
  );
  return later !== undefined && (await removeStep.isDone(later, context));
}
