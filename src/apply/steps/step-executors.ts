import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listed } from '../../core/lists';
import { attempt, MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { withoutKeys } from '../../core/resource-address';
import { backupFile, writeStateBackup } from '../../files/backups';
import { type Plan, promisedBy, type Step, type StepKind } from '../../plan/plan-schema';
import { isCheck } from '../../plan/steps/step-kinds';
import { planFlagsOf } from '../../plan/steps/terraform-flags';
import { type DeclaredRulesetAddress, declaredRulesets } from '../../project/declared-rulesets';
import { type Configuration, readConfiguration } from '../../project/read-configuration';
import { type PlannedChange } from '../../terraform/judge-plan';
import {
  applySavedPlan,
  judgeEmptyPlan,
  stateRemove,
  withJudgedPlan,
} from '../../terraform/subcommands';
import { startsOf } from '../../tfconfig/state-blocks';
import { sha256 } from '../../core/json';
import { isOutputChange, requireAccepted, requireClean, unexpected } from '../accept-changes';
import {
  type ApplyContext,
  liveState,
  plannedState,
  restOf,
  runArgv,
  type StepExecutor,
  terraformOf,
} from '../apply-context';
import { backupOf, isStarted } from '../journal/journal';
import { pullState, requireNotElsewhere } from '../preflight/live-state';
import { isApplied } from '../verify-plan';
import { editStep } from './edit';
import { manualStep } from './manual';
import { upgradeProviderStep } from './upgrade-provider';

/** Saves the pulled state in a private file, and reads it back. */
const backupStep: StepExecutor = {
  isDone(step, context) {
    const { journal, folder, plan } = context;
    const entry = backupOf(step.state, journal.entries);
    const [planned, live] = [plannedState(step, context), liveState(step, context)];
    // a copy of the state from after the steps would be no backup
    if (entry === undefined && live.serial !== planned.serial)
      return isApplied(live, planned, plan);
    return entry !== undefined && sha256OfFile(join(folder, entry.file)) === entry.sha256;
  },
  run(step, context) {
    const [planned, live] = [plannedState(step, context), liveState(step, context)];
    const digest = sha256(live.bytes);
    refuseDamaged(step, context);
    context.fault('backup-before');
    const name = step.runs?.[0]?.saveTo ?? backupFile(planned, live.serial);
    const file = writeStateBackup(context.folder, name, live.bytes);
    context.fault('backup-written');
    const path = join(context.folder, file);
    if (sha256OfFile(path) !== digest) {
      throw new MigrationError(
        'FILE_UNWRITABLE',
        `the backup ${printable(path)} differs from the state that was written to it`,
      );
    }
    const { lineage, serial } = live;
    const { state } = step;
    context.journal.append({ event: 'backup', state, file, sha256: digest, lineage, serial });
    context.fault('backup-after');
    return Promise.resolve();
  },
};

/** @throws MigrationError `BACKUP_INVALID` if the backup of an earlier run has changed: a rollback could not complete */
function refuseDamaged({ state, id }: Step, { journal }: ApplyContext): void {
  const entry = backupOf(state, journal.entries);
  if (entry === undefined) return;
  throw new MigrationError(
    'BACKUP_INVALID',
    `the backup ${printable(entry.file)} of step ${id} has changed since it was written`,
    {
      hint: 'restore the backup from a copy, then run the same command again; without a copy, plan again from the present state: the state from before is lost',
    },
  );
}

function sha256OfFile(path: string): string | undefined {
  return attempt(() => sha256(readFileSync(path)));
}

/** Imports each ruleset only once, because Terraform refuses a second import. */
const importStep: StepExecutor = {
  isDone: isAsExpected,
  async run(step, context) {
    context.fault('import-before');
    for (const run of step.runs ?? []) await runArgv(run, terraformOf(context, step));
    noteExpected(step, context);
    context.fault('import-after');
  },
};

/**
 * The only place where Terraform applies a plan: a saved plan with only the expected imports and forgets. No
 * flag overrides that, except that the user can accept the change of an output.
 */
const applyBlocksStep: StepExecutor = {
  isDone: isAsExpected,
  async run(step, context) {
    const options = terraformOf(context, step);
    const flags = planFlagsOf(step.runs?.[0]?.argv ?? []);
    await withJudgedPlan(flags, 'import-and-forget', options, async (verdict, file) => {
      requireAccepted(verdict, context, isOutputChange);
      requireClean(
        unexpected(verdict, step.expects),
        'another block is pending: apply it first, or remove it until this is done, then run the same command again',
      );
      context.fault('apply-blocks-before');
      const { drifted = [] } = verdict;
      context.journal.append({ event: 'drifted', state: step.state, addresses: drifted });
      context.fault('apply-blocks-noted');
      await applySavedPlan(file, flags, options);
    });
    noteExpected(step, context);
    context.fault('apply-blocks-after');
  },
};

/** Searches the pulled state, because the dry run of Terraform ignores missing addresses. */
const removeDryRunStep: StepExecutor = {
  isDone(step, context) {
    const removal = removalAfter(step, context.plan);
    // an interrupted run may have run some of its commands
    return (
      isGone(step, context) || (removal !== undefined && isStarted(removal.id, context.journal))
    );
  },
  async run(step, context) {
    const { addresses = [] } = step;
    const live = liveState(step, context);
    const missing = addresses.filter((address) => !live.addresses.has(address));
    if (missing.length === 0) return refuseCreation(step, context);
    const message = `the state does not have ${printable(listed(missing), 300)}`;
    throw new MigrationError('STATE_CHANGED', message);
  },
};

/**
 * Checks that Terraform would create no ruleset that may be an entry point: the last check would fail, after the removal.
 * @throws MigrationError `PLAN_NOT_EMPTY`
 */
async function refuseCreation(step: Step, context: ApplyContext): Promise<void> {
  const { plan, folder } = context;
  const { dir, workspace } = plannedState(step, context);
  const configuration = await readConfiguration(dir, folder);
  if (configuration === undefined) return;
  const held = new Set([...liveState(step, context).addresses].map(withoutKeys));
  const lacking = declaredRulesets(configuration, workspace).filter(
    ({ address }) => !held.has(address),
  );
  if (lacking.length === 0) return;
  const check = plan.steps.find(
    (one) => one.state === step.state && isCheck(one) && Number(one.id) < Number(step.id),
  );
  const created =
    // without an earlier check, Terraform may fail to plan before the removal
    check === undefined
      ? secondEntryPoints(lacking, configuration, plan)
      : await createdAmong(lacking, check, context);
  requireAccepted({ differences: created }, context);
}

/** The rulesets that Terraform would create. */
async function createdAmong(
  rulesets: readonly DeclaredRulesetAddress[],
  check: Step,
  context: ApplyContext,
): Promise<PlannedChange[]> {
  const flags = planFlagsOf(check.runs?.[0]?.argv ?? []).filter((one) => !/^-target\b/.test(one));
  // a refresh would call the legacy API; a target in a module with keys needs them
  const judged = judgeEmptyPlan([...flags, '-refresh=false'], terraformOf(context, check));
  const addresses = new Set(rulesets.map(({ address }) => address));
  return (await judged).differences.filter(({ address }) => addresses.has(withoutKeys(address)));
}

/** The rulesets of zones of the plan that no step imports, because another ruleset is that of the zone. */
function secondEntryPoints(
  rulesets: readonly DeclaredRulesetAddress[],
  { project }: Configuration,
  { zones }: Plan,
): PlannedChange[] {
  // a moved ruleset is not created
  if (startsOf(project, 'moved').length > 0) return [];
  const planned = new Set(zones.map(({ ruleset }) => withoutKeys(ruleset.address)));
  return rulesets
    .filter(({ zoneId }) => zones.some((zone) => zone.zoneId === zoneId))
    .filter(({ address, isRepeated }) => isRepeated !== true && !planned.has(address))
    .map(({ address }) => ({ address, actions: ['create'], attributes: [] }));
}

/** Removes only addresses of the plan that the state still has. */
const removeStep: StepExecutor = {
  isDone: isGone,
  async run(step, context) {
    const [planned, live] = [plannedState(step, context), liveState(step, context)];
    const removed: string[] = [];
    context.fault('remove-before');
    for (const run of step.runs ?? []) {
      const addresses = restOf(run).filter((word) => live.addresses.has(word));
      if (addresses.length === 0) continue;
      await stateRemove(addresses, restOf(run), planned.workspace, terraformOf(context, step));
      context.fault('remove-after');
      removed.push(...addresses);
    }
    if (removed.length > 0) await requireRemoved(removed, step, context);
    for (const address of removed) live.addresses.delete(address);
  },
};

/**
 * Reads the state again, because an exit code is not enough: the blocks are removed next, and Terraform destroys
 * resources without a block. Another process may also have imported the ruleset while Terraform waited for the lock.
 * @throws MigrationError `STATE_CHANGED`
 */
async function requireRemoved(
  removed: readonly string[],
  step: Step,
  context: ApplyContext,
): Promise<void> {
  const fresh = await pullState(plannedState(step, context), context);
  requireNotElsewhere(context.plan, new Map([...context.live, [step.state, fresh]]));
  const first = removed.find((address) => fresh.addresses.has(address));
  if (first === undefined) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `state ${printable(step.state, 80)} still has ${printable(first, 200)}, though Terraform reported its removal`,
    { hint: 'find out which other process writes this state, then run the same command again' },
  );
}

/** Whether the state has none of the addresses, except those that a later step imported again. */
function isGone({ id, state, addresses = [] }: Step, context: ApplyContext): boolean {
  const { plan, journal } = context;
  const live = liveState({ state }, context);
  const wasDone =
    journal.entries.some((one) => one.event === 'done' && one.step === id) ||
    isApplied(live, plannedState({ state }, context), plan);
  const again = wasDone ? promisedBy(plan.steps, state).present : [];
  return addresses.every((address) => !live.addresses.has(address) || again.includes(address));
}

function removalAfter({ id, state }: Step, { steps }: Plan): Step | undefined {
  return steps.find(
    (one) => one.expects?.gone && one.state === state && Number(one.id) > Number(id),
  );
}

/** Whether the state has the added addresses and lacks the removed ones. */
function isAsExpected(
  { state, expects: { gone = [], present = [] } = {} }: Step,
  context: ApplyContext,
): boolean {
  const { addresses } = liveState({ state }, context);
  return gone.every((one) => !addresses.has(one)) && present.every((one) => addresses.has(one));
}

/** Updates the addresses of this run after Terraform has changed the state. */
function noteExpected(
  { state, expects: { gone = [], present = [] } = {} }: Step,
  context: ApplyContext,
) {
  const { addresses } = liveState({ state }, context);
  for (const address of gone) addresses.delete(address);
  for (const address of present) addresses.add(address);
}

const checkStep: StepExecutor = {
  // only a check that a later removal made obsolete counts as done, because a check is about the present
  async isDone(step, context) {
    if (step.expects?.plan !== 'target-empty') return false;
    const removal = removalAfter(step, context.plan);
    return removal !== undefined && (await removeStep.isDone(removal, context));
  },
  async run(step, context) {
    const flags = planFlagsOf(step.runs?.[0]?.argv ?? []);
    context.fault('check-before');
    const verdict = await judgeEmptyPlan(flags, terraformOf(context, step));
    // this plan is not applied, so the user may accept more
    requireAccepted(verdict, context);
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
