import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { withoutKeys } from '../../core/resource-address';
import { type Plan, promisedBy, type Step } from '../../plan/plan-schema';
import { isCheck } from '../../plan/steps/step-kinds';
import { planFlagsOf } from '../../plan/steps/terraform-flags';
import { type DeclaredRulesetAddress, declaredRulesets } from '../../project/declared-rulesets';
import { type Configuration, readConfiguration } from '../../project/read-configuration';
import { type PlannedChange } from '../../terraform/judge-plan';
import { judgeEmptyPlan, stateRemove } from '../../terraform/subcommands';
import { startsOf } from '../../tfconfig/state-blocks';
import { requireAccepted } from '../plan-not-empty';
import {
  type ApplyContext,
  liveState,
  plannedState,
  restOf,
  type StepExecutor,
  terraformOf,
} from '../apply-context';
import { isStarted } from '../journal/journal';
import { pullState, requireNotElsewhere } from '../preflight/live-state';
import { isApplied } from '../verify-plan';

/** Searches the pulled state, because the dry run of Terraform ignores missing addresses. */
export const removeDryRunStep: StepExecutor = {
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
 * Checks that Terraform would create no ruleset: the last check would fail, after the removal.
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
      ? secondEntryPoints(lacking, configuration, plan.zones, step.state)
      : await createdAmong(lacking, check, context);
  await requireAccepted(created, { ...context, state: step.state });
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
  zones: Plan['zones'],
  state: string,
): PlannedChange[] {
  // a moved ruleset is not created
  if (startsOf(project, 'moved').length > 0) return [];
  const planned = new Set(
    zones.flatMap(({ ruleset }) => (ruleset.state === state ? withoutKeys(ruleset.address) : [])),
  );
  return rulesets
    .filter(({ zoneId }) => zones.some((zone) => zone.zoneId === zoneId))
    .filter(({ address, isRepeated }) => isRepeated !== true && !planned.has(address))
    .map(({ address }) => ({ address, actions: ['create'], attributes: [] }));
}

/** Removes only addresses of the plan that the state still has. */
export const removeStep: StepExecutor = {
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

/** The step that removes what a step before it checked. */
export function removalAfter({ id, state }: Step, { steps }: Plan): Step | undefined {
  return steps.find(
    (one) => one.expects?.gone && one.state === state && Number(one.id) > Number(id),
  );
}
