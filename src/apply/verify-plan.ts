import { join } from 'node:path';
import { printable } from '../core/printable';
import { goneFrom, type Plan, type Promised, promisedBy } from '../plan/plan-schema';
import { judgePlan, type PlannedAddresses, type PlannedChange } from '../terraform/judge-plan';
import { type TerraformSettings } from '../terraform/run-terraform';
import { judgeEmptyPlan } from '../terraform/subcommands';
import { acceptChanges, unexpected } from './accept-changes';
import { type AcceptedChange } from './apply-context';
import { pullState, requireState } from './live-state';
import { requirePlaces } from './preflight/require-places';
import {
  type Difference,
  plannedOthers,
  problem,
  promisedWithRulesets,
  stateDifferences,
} from './promised-state';
import { declaredAgain } from './undeclared-rulesets';

/** Whether state and configuration match a plan. */
export interface Verification {
  readonly verdict: 'clean' | 'dirty';
  readonly differences: readonly Difference[];
  /** Whether a state that differs has changed after the plan was made. */
  readonly stateChanged?: true;
  /** The accepted differences; absent if none was accepted or named. */
  readonly accepted?: readonly AcceptedChange[];
}

/**
 * Compares every state of a plan with what its steps promise, and runs `terraform plan` in each folder. Changes
 * nothing.
 *
 * @param folder the folder of the plan, to which its paths are relative
 * @param accept addresses of differences that the user accepts
 * @throws MigrationError `TERRAFORM_…`, `STATE_…`
 */
export async function verifyPlan(
  plan: Plan,
  folder: string,
  terraform: TerraformSettings,
  accept: readonly string[] = [],
): Promise<Verification> {
  requirePlaces(plan, folder, terraform.environment);
  const differences: Difference[] = [];
  const accepted: AcceptedChange[] = [];
  let stateChanged = false;
  for (const state of plan.states) {
    const live = await pullState(state, { folder, terraform });
    requireState(live, state);
    const again = await declaredAgain({ plan, planned: state, folder });
    differences.push(...again.map((one) => problem(one.subject, one.message, state.name)));
    const found = stateDifferences(state, plan, live);
    differences.push(...found);
    if (found.length > 0) {
      stateChanged ||= live.serial !== state.serial || live.lineage !== state.lineage;
      // `terraform plan` repeats the differences, or fails
      continue;
    }
    const options = { ...terraform, dir: join(folder, state.dir) };
    for (const flags of promisedBy(plan.steps, state.name).checks) {
      const verdict = await judgeEmptyPlan(flags, options);
      const changes = acceptChanges(verdict.differences, accept, plan);
      differences.push(...changes.remaining.map((change) => plannedChange(state.name, change)));
      accepted.push(...changes.accepted);
      // the next check would repeat them
      if (changes.remaining.length > 0) break;
    }
  }
  return { ...verification(differences, accept, accepted), ...(stateChanged && { stateChanged }) };
}

/**
 * Checks a Terraform plan (`terraform show -json`), for a pull request. It may only read, forget and import
 * what the steps expect. Once applied, it must leave one state as promised.
 * @throws MigrationError `TERRAFORM_PLAN_INVALID`
 */
export function verifyTerraformPlan(
  document: unknown,
  plan: Pick<Plan, 'steps' | 'states' | 'zones' | 'findings'>,
  accept: readonly string[] = [],
): Verification {
  const gone = goneFrom(plan.steps);
  const present = plan.steps.flatMap(({ expects }) => expects?.present ?? []);
  const verdict = judgePlan(document, 'import-and-forget');
  const changes = [...verdict.differences, ...unexpected(verdict, { gone, present })];
  const { remaining, accepted } = acceptChanges(changes, accept, plan);
  const promises = plan.states.map(({ name }) => promisedWithRulesets(plan, name));
  const changed = new Set(remaining.map(({ address }) => address));
  const { addresses: planned } = verdict;
  const found = [
    ...remaining.map((change) => plannedChange('', change)),
    ...plannedOthers(plan, planned),
    ...forgottenOfOthers(plan, planned),
    ...unkept(promises, planned).filter(({ address }) => !changed.has(address)),
  ];
  return verification(found, accept, accepted);
}

/** The resources of zones that the plan does not have: the Terraform plan is that of another environment. */
function forgottenOfOthers(
  { zones }: Pick<Plan, 'zones'>,
  { forgotten }: PlannedAddresses,
): Difference[] {
  const planned = new Set(zones.map(({ zoneId }) => zoneId));
  return [...forgotten].flatMap(([address, zone]) =>
    zone === '' || planned.has(zone.toLowerCase())
      ? []
      : problem(
          address,
          `is of zone ${printable(zone, 80)}, which the plan does not have: check the backend and the workspace`,
        ),
  );
}

/**
 * A Terraform plan does not name its state. It is compared with the state of which it names most addresses;
 * between equals, with the state that it differs from least.
 */
function unkept(
  promises: readonly Promised[],
  { named, after, imported, held }: PlannedAddresses,
): Difference[] {
  const states = promises.map(({ gone, present, checks }) => {
    const lacking = present.filter((address) => !after.has(address));
    // a plan with `-target` of one ruleset does not name the others
    const isTargeted =
      checks.flat().some((flag) => flag.startsWith('-target')) && lacking.length < present.length;
    // a state that never had them, or one whose ruleset came with them
    const isOther =
      present.some((one) => imported.has(one)) &&
      ![...gone.filter((one) => named.has(one)), ...present.filter((one) => held.has(one))].length;
    const differences = [
      ...(isTargeted ? [] : lacking).map((one) => problem(one, 'is not in the plan of Terraform')),
      ...gone.filter((one) => after.has(one)).map((one) => problem(one, 'stays in the state')),
      ...(isOther ? gone : []).map((one) =>
        problem(one, 'is not in the state: check the backend and the workspace'),
      ),
    ];
    return { count: [...gone, ...present].filter((one) => named.has(one)).length, differences };
  });
  const [best] = states.sort(
    (one, other) => other.count - one.count || one.differences.length - other.differences.length,
  );
  return best?.differences ?? [];
}

function plannedChange(state: string, change: PlannedChange): Difference {
  return { state, ...change, problem: `Terraform plans: ${change.actions.join(', ')}` };
}

function verification(
  differences: readonly Difference[],
  accept: readonly string[],
  accepted: readonly AcceptedChange[],
): Verification {
  return {
    verdict: differences.length === 0 ? 'clean' : 'dirty',
    differences,
    ...(accept.length + accepted.length > 0 && { accepted }),
  };
}
