import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../core/json';
import { attempt, MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { backupFile, writeStateBackup } from '../../files/backups';
import { type StepKind } from '../../plan/plan-schema';
import { planFlagsOf } from '../../plan/steps/terraform-flags';
import { type Verdict } from '../../terraform/judge-plan';
import { applySavedPlan, judgeEmptyPlan, withJudgedPlan } from '../../terraform/subcommands';
import { isOutputChange, requireAccepted, unexpected } from '../accept-changes';
import { contextOf, runArgv, type StepContext, type StepExecutor } from '../apply-context';
import { backupOf } from '../journal/journal';
import { isApplied, plannedOthers } from '../promised-state';
import { editStep } from './edit';
import { manualStep } from './manual';
import { removalAfter, removeDryRunStep, removeStep } from './remove';
import { upgradeProviderStep } from './upgrade-provider';

/** Saves the pulled state in a private file, and reads it back. */
const backupStep: StepExecutor = {
  isDone({ journal, folder, plan, step, planned, current }) {
    const entry = backupOf(step.state, journal.entries);
    // a copy of the state from after the steps would be no backup
    if (entry === undefined && current.serial !== planned.serial)
      return isApplied(current, planned, plan);
    return entry !== undefined && sha256OfFile(join(folder, entry.file)) === entry.sha256;
  },
  run(context) {
    const { step, planned, current, folder, journal, fault } = context;
    const { lineage, serial, bytes } = current;
    const digest = sha256(bytes);
    const earlier = backupOf(step.state, journal.entries);
    if (earlier !== undefined) {
      // a rollback could not complete
      throw new MigrationError(
        'BACKUP_INVALID',
        `the backup ${printable(earlier.file)} of step ${step.id} has changed since it was written`,
        {
          hint: 'restore the backup from a copy, then run the same command again; without a copy, plan again from the present state: the state from before is lost',
        },
      );
    }
    fault('backup-before');
    const name = step.runs?.[0]?.saveTo ?? backupFile(planned, serial);
    const file = writeStateBackup(folder, name, bytes);
    fault('backup-written');
    const path = join(folder, file);
    if (sha256OfFile(path) !== digest) {
      throw new MigrationError(
        'FILE_UNWRITABLE',
        `the backup ${printable(path)} differs from the state that was written to it`,
      );
    }
    const { state } = step;
    journal.append({ event: 'backup', state, file, sha256: digest, lineage, serial });
    fault('backup-after');
    return Promise.resolve();
  },
};

function sha256OfFile(path: string): string | undefined {
  return attempt(() => sha256(readFileSync(path)));
}

/** Imports each ruleset only once, because Terraform refuses a second import. */
const importStep: StepExecutor = {
  isDone: isAsExpected,
  async run(context) {
    context.fault('import-before');
    for (const run of context.step.runs ?? []) await runArgv(run, context.options);
    noteExpected(context);
    context.fault('import-after');
  },
};

/**
 * The only place where Terraform applies a plan: a saved plan with only the expected imports and forgets. No
 * flag overrides that, except that the user can accept the change of an output.
 */
const applyBlocksStep: StepExecutor = {
  isDone: isAsExpected,
  async run(context) {
    const { step, options } = context;
    const flags = planFlagsOf(step);
    await withJudgedPlan(flags, 'import-and-forget', options, async (verdict, file) => {
      const differences = [...verdict.differences, ...unexpected(verdict, step.expects)];
      requireOwnRulesets(verdict, context);
      await requireAccepted(differences, context, isOutputChange);
      context.fault('apply-blocks-before');
      const { drifted: addresses } = verdict;
      context.journal.append({ event: 'drifted', state: step.state, addresses });
      context.fault('apply-blocks-noted');
      await applySavedPlan(file, flags, options);
    });
    noteExpected(context);
    context.fault('apply-blocks-after');
  },
};

function requireOwnRulesets({ addresses }: Verdict, { plan, step }: StepContext): void {
  const zones = plan.zones.filter(({ ruleset }) => ruleset.state === step.state);
  const [other] = plannedOthers({ ...plan, zones }, addresses);
  if (other === undefined) return;
  const { address, problem } = other;
  throw new MigrationError('RULESET_NOT_LIVE', `${printable(address, 200)} ${problem}`, {
    hint: 'correct its import block, or remove the moved block that ends there, then run the same command again',
  });
}

/** Whether the state has the added addresses and lacks the removed ones. */
function isAsExpected({ step, current: { addresses } }: StepContext): boolean {
  const { gone = [], present = [] } = step.expects ?? {};
  return gone.every((one) => !addresses.has(one)) && present.every((one) => addresses.has(one));
}

/** Updates the addresses of this run after Terraform has changed the state. */
function noteExpected({ step, current: { addresses } }: StepContext): void {
  const { gone = [], present = [] } = step.expects ?? {};
  for (const address of gone) addresses.delete(address);
  for (const address of present) addresses.add(address);
}

const checkStep: StepExecutor = {
  // only a check that a later removal made obsolete counts as done, because a check is about the present
  async isDone(context) {
    if (context.step.expects?.plan !== 'target-empty') return false;
    const removal = removalAfter(context);
    return removal !== undefined && (await removeStep.isDone(contextOf(removal, context)));
  },
  async run(context) {
    const { step, options } = context;
    const flags = planFlagsOf(step);
    context.fault('check-before');
    const { differences } = await judgeEmptyPlan(flags, options);
    // this plan is not applied, so the user may accept more
    await requireAccepted(differences, context);
    context.fault('check-after');
  },
};

export const stepExecutors: Readonly<Record<StepKind, StepExecutor>> = {
  backup: backupStep,
  edit: editStep,
  import: importStep,
  'remove-dry-run': removeDryRunStep,
  remove: removeStep,
  'apply-blocks': applyBlocksStep,
  'upgrade-provider': upgradeProviderStep,
  check: checkStep,
  manual: manualStep,
};
