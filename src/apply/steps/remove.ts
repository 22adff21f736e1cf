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
import { requireAccepted } from '../accept-changes';
import { restOf, type StepContext, type StepExecutor, type StepPlace } from '../apply-context';
import { doneSteps, isStarted } from '../journal/journal';
import { pullState, requireNotElsewhere } from '../live-state';
import { isApplied } from '../promised-state';

/** Searches the pulled state, because the dry run of Terraform ignores missing addresses. */
export const removeDryRunStep: StepExecutor = {
  isDone(context) {
    const removal = removalAfter(context);
    // an interrupted run may have run some of its commands
    return isGone(context) || (removal !== undefined && isStarted(removal.id, context.journal));
  },
  async run(context) {
    const { step, current } = context;
    const missing = (step.addresses ?? []).filter((address) => !current.addresses.has(address));
    if (missing.length === 0) return refuseCreation(context);
    const message = `the state does not have ${printable(listed(missing), 300)}`;
    throw new MigrationError('STATE_CHANGED', message);
  },
};

/**
 * Checks that Terraform would create no ruleset: the last check would fail, after the removal.
 * @throws MigrationError `PLAN_NOT_EMPTY`
 */
async function refuseCreation(context: StepContext): Promise<void> {
  const { plan, folder, step, planned, current } = context;
  const configuration = await readConfiguration(planned.dir, folder);
  if (configuration === undefined) return;
  const present = new Set([...current.addresses].map(withoutKeys));
  const place = { workspace: planned.workspace, zones: new Set<string>() };
  const lacking = declaredRulesets(configuration, place).filter(
    ({ address }) => !present.has(address),
  );
  if (lacking.length === 0) return;
  const check = plan.steps.find(
    (one) => one.state === step.state && isCheck(one) && Number(one.id) < Number(step.id),
  );
  const created =
    // without an earlier check, Terraform may fail to plan before the removal
    check === undefined
      ? secondEntryPoints(lacking, configuration, plan.zones, step.state)
      : await plannedAmong(
          lacking.map(({ address }) => address),
          check,
          context,
        );
  await requireAccepted(created, context);
}

/**
 * The changes that Terraform plans for resources of a configuration, without the legacy API.
 * @param addresses without keys
 * @param check whose flags for Terraform are used
 */
export async function plannedAmong(
  addresses: readonly string[],
  check: Step | undefined,
  { options }: Pick<StepPlace, 'options'>,
): Promise<PlannedChange[]> {
  const flags = planFlagsOf(check ?? {}).filter((one) => !/^-target\b/.test(one));
  // a refresh would call the legacy API; a target in a module with keys needs them
  const { differences } = await judgeEmptyPlan([...flags, '-refresh=false'], options);
  return differences.filter(({ address }) => addresses.includes(withoutKeys(address)));
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
  async run(context) {
    const { step, planned, options, current, fault } = context;
    const removed: string[] = [];
    fault('remove-before');
    for (const run of step.runs ?? []) {
      const addresses = restOf(run).filter((word) => current.addresses.has(word));
      if (addresses.length === 0) continue;
      await stateRemove(addresses, restOf(run), planned.workspace, options);
      fault('remove-after');
      removed.push(...addresses);
    }
    if (removed.length > 0) await requireRemoved(removed, context);
    for (const address of removed) current.addresses.delete(address);
  },
};

/**
 * Reads the state again, because an exit code is not enough: the blocks are removed next, and Terraform destroys
 * resources without a block. Another process may also have imported the ruleset while Terraform waited for the lock.
 */
async function requireRemoved(removed: readonly string[], context: StepContext): Promise<void> {
  const { step, planned } = context;
  const fresh = await pullState(planned, context);
  requireNotElsewhere(context.plan, new Map([...context.live, [step.state, fresh]]));
  if (fresh.lineage !== context.current.lineage) {
    // a wrapper can hide that `terraform state pull` failed
    throw new MigrationError(
      'STATE_CHANGED',
      `state ${printable(step.state, 80)} cannot be read after the removal: \`terraform state pull\` prints another one, or none`,
      { hint: 'check the credentials of the backend, then run the same command again' },
    );
  }
  const first = removed.find((address) => fresh.addresses.has(address));
  if (first === undefined) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `state ${printable(step.state, 80)} still has ${printable(first, 200)}, though Terraform reported its removal`,
    { hint: 'find out which other process writes this state, then run the same command again' },
  );
}

/** Whether the state has none of the addresses, except those that a later step imported again. */
function isGone({ plan, journal, step, planned, current }: StepContext): boolean {
  const wasDone = doneSteps(journal.entries).includes(step.id) || isApplied(current, planned, plan);
  const again = wasDone ? promisedBy(plan.steps, step.state).present : [];
  return (step.addresses ?? []).every(
    (address) => !current.addresses.has(address) || again.includes(address),
  );
}

/** The step that removes what a step before it checked. */
export function removalAfter({ plan, step }: StepPlace): Step | undefined {
  return plan.steps.find(
    (one) => one.expects?.gone && one.state === step.state && Number(one.id) > Number(step.id),
  );
}
