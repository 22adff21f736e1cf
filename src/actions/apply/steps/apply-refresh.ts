import { sha256 } from '../../../blocks/decode-config';
import { MigrationError } from '../../../model/migration-error';
import { printable } from '../../../model/printable';
import { providerMajors } from '../../../model/provider-majors';
import { backupFile } from '../../../plan/backup-file';
import { type Step } from '../../../plan/plan';
import { applySavedPlan } from '../../../terraform/apply-saved-plan';
import { withJudgedPlan } from '../../../terraform/judged-plan';
import { statePull } from '../../../terraform/state-pull';
import { writeStateBackup } from '../../write-backup';
import { isOutputChange } from '../accept-changes';
import { type ApplyContext, stateOf, terraformOf } from '../apply-context';
import { readLiveState } from '../../preflight/live-state';
import { requireAccepted } from '../require-clean';
import { flagsOf } from '../run-argv';
import { type StepExecutor } from '../step-executor';

/**
 * `apply-refresh`: provider 4 writes the entries of provider 3 or an early 4 anew, by a saved plan that changes and
 * loses nothing. Every entry of the provider is written then: a rollback compares with a copy of this.
 */
export const applyRefreshStep: StepExecutor = {
  isDone: (step, context) =>
    isRewritten(step, context) &&
    context.journal.entries.some((one) => one.event === 'refreshed' && one.state === step.state),
  async run(step, context) {
    const options = terraformOf(context, step);
    const [planRun] = step.runs ?? [];
    const flags = planRun === undefined ? [] : flagsOf(planRun).rest;
    const own = flags.filter((flag) => !/^-(input|out)\b/.test(flag));
    context.fault('apply-refresh-before');
    if (!isRewritten(step, context)) {
      await withJudgedPlan(own, 'refresh', options, async (verdict, file) => {
        requireAccepted(verdict, context, isOutputChange);
        await applySavedPlan(file, own, options);
      });
    }
    context.fault('apply-refresh-after');
    const now = readLiveState(await statePull(options));
    const { live, planned } = stateOf(context, step);
    live.ofThree.clear();
    for (const address of now.ofThree) live.ofThree.add(address);
    if (!isRewritten(step, context)) {
      throw new MigrationError(
        'PROVIDER_NOT_UPGRADED',
        `the entries of state ${printable(planned.name, 80)} are still none that provider 5 reads: it is neither provider ${providerMajors[4].last} nor a later 4 that is installed`,
      );
    }
    const name = backupFile(planned, now.serial, 'refreshed.tfstate');
    const file = writeStateBackup(context.folder, name, now.bytes);
    context.fault('apply-refresh-copied');
    const copied = { state: step.state, file, sha256: sha256(now.bytes) };
    context.journal.append({ event: 'refreshed', ...copied });
    context.fault('apply-refresh-noted');
  },
};

/** Whether no entry of a step is one that provider 3 or an early 4 wrote. */
export function isRewritten(step: Step, context: ApplyContext): boolean {
  const { ofThree } = stateOf(context, step).live;
  return (step.expects?.rewritten ?? []).every((address) => !ofThree.has(address));
}
