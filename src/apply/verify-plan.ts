import { join } from 'node:path';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Plan, type PlanState, type Promised, promisedBy } from '../plan/plan';
import { judgePlan, plannedAddresses, type PlannedChange } from '../terraform/judge-plan';
import { type TerraformOptions } from '../terraform/run-terraform';
import { statePull, withJudgedPlan } from '../terraform/subcommands';
import {
  type Acceptance,
  acceptChanges,
  type AcceptedChange,
  expectedAlone,
  unusedAcceptances,
  withoutRemovedOutputs,
} from './accept-changes';
import { type ApplyContext } from './apply-context';
import { otherRulesets, readLiveState } from './preflight/live-state';
import { requirePlaces } from './preflight/require-places';

/** Something that is not as the plan promises. */
export interface Difference {
  /** Name of the state; empty where a plan of Terraform was given, which names none. */
  readonly state: string;
  /** Of a resource; `output.<name>`, or empty where it is the state itself. */
  readonly address: string;
  readonly problem: string;
  /** Attributes that would change, as paths; never their values. */
  readonly attributes: readonly string[];
  /** As of `PlannedChange`. */
  readonly isOutput?: true;
}

/** Whether what a plan promised is true. */
export interface Verification {
  readonly verdict: 'clean' | 'dirty';
  readonly differences: readonly Difference[];
  /** Where differences were accepted by name: those that were found. */
  readonly accepted?: readonly AcceptedChange[];
  /** And what was named in vain. */
  readonly findings?: readonly Finding[];
}

/**
 * The gate for a pull request: a plan of Terraform (`terraform show -json`) holds nothing but no-op,
 * read, forget, and import without a change; of these two only what a step of the plan expects; and once
 * it is applied, one state of the plan is as promised. What is done already, it does not do again.
 * @throws MigrationError `TERRAFORM_PLAN_INVALID`
 */
export function verifyTerraformPlan(
  document: unknown,
  { steps, states, zones }: Pick<Plan, 'steps' | 'states' | 'zones'>,
  accept: readonly Acceptance[] = [],
): Verification {
  const gone = steps.flatMap(({ expects }) => expects?.gone ?? []);
  const present = steps.flatMap(({ expects }) => expects?.present ?? []);
  const verdict = judgePlan(document, 'import-and-forget');
  const { differences } = expectedAlone(verdict, { gone, present });
  const others = withoutRemovedOutputs(differences, { steps, states });
  const { left, accepted } = acceptChanges(others, accept);
  const promises = states.map(({ name }) => heldInTheEnd({ steps, zones }, name));
  const found = [...left.map(planned('')), ...unkept(promises, plannedAddresses(document))];
  return verification(found, accept, accepted);
}

/** What the steps of a state promise, and its rulesets: one that it has had before, no step brings. */
function heldInTheEnd({ steps, zones }: Pick<Plan, 'steps' | 'zones'>, state: string): Promised {
  const promised = promisedBy(steps, state);
  const owned = zones.flatMap(({ ruleset }) => (ruleset.state === state ? ruleset.address : []));
  return { ...promised, present: [...new Set([...promised.present, ...owned])] };
}

/**
 * A plan of Terraform is of one state, and does not say of which: the one of which it names most; of those
 * that it names alike, the one that it fits best.
 */
function unkept(
  promises: readonly Promised[],
  { named, after }: ReturnType<typeof plannedAddresses>,
): Difference[] {
  const problem = problemOf('');
  const states = promises.map(({ gone, present, flags = [] }) => {
    const isTargeted = flags.some((flag) => flag.startsWith('-target'));
    const lacking = present.filter((address) => !after.has(address));
    // one that is aimed at one of the rulesets does not name the others
    const isAimed = isTargeted && lacking.length < present.length;
    const differences = [
      ...(isAimed ? [] : lacking).map((address) =>
        problem(address, 'is not in the plan of Terraform'),
      ),
      ...gone
        .filter((address) => after.has(address))
        .map((address) => problem(address, 'stays in the state')),
    ];
    return { count: [...gone, ...present].filter((one) => named.has(one)).length, differences };
  });
  const [best] = states.sort(
    (one, other) => other.count - one.count || one.differences.length - other.differences.length,
  );
  return best?.differences ?? [];
}

/**
 * Compares a state that the user has as a file with what a plan of one state promises.
 * @throws MigrationError `USAGE` for a plan of several states, `STATE_…`
 */
export function verifyStateBytes(plan: Plan, bytes: Buffer): Verification {
  const [state, another] = plan.states;
  if (state === undefined || another !== undefined) {
    throw new MigrationError('USAGE', 'one state file says nothing of a plan of several states');
  }
  return verification(stateDifferences(state, plan, bytes));
}

/**
 * Compares every state of a plan with all that its steps promise, and lets Terraform plan in each
 * folder. Changes nothing.
 *
 * @param folder of the plan: its paths are relative to it
 * @param accept differences that the user named
 * @throws MigrationError `TERRAFORM_…`, `STATE_…`
 */
export async function verifyPlan(
  plan: Plan,
  folder: string,
  terraform: Omit<TerraformOptions, 'dir'>,
  accept: readonly Acceptance[] = [],
): Promise<Verification> {
  requirePlaces(plan, folder, terraform.environment);
  const differences: Difference[] = [];
  const acceptedOnes: AcceptedChange[] = [];
  for (const state of plan.states) {
    const options = { ...terraform, dir: join(folder, state.dir) };
    const found = stateDifferences(state, plan, await statePull(options));
    differences.push(...found);
    const { flags } = promisedBy(plan.steps, state.name);
    // a plan over a state that is not as promised tells of the same things again, or does not work
    if (flags === undefined || found.length > 0) continue;
    const verdict = await withJudgedPlan(flags, 'empty', options, (one) => Promise.resolve(one));
    const others = withoutRemovedOutputs(verdict.differences, plan);
    const { left, accepted } = acceptChanges(others, accept);
    differences.push(...left.map(planned(state.name)));
    acceptedOnes.push(...accepted);
  }
  return verification(differences, accept, acceptedOnes);
}

/** What of a state is not as all steps of a plan together promise. */
export function stateDifferences(state: PlanState, plan: Plan, bytes: Buffer): Difference[] {
  const { gone, present } = heldInTheEnd(plan, state.name);
  const live = readLiveState(bytes);
  const problem = problemOf(state.name);
  if (bytes.length > 0 && state.lineage !== '' && live.lineage !== state.lineage) {
    return [problem('', 'it is another state than was planned for: its lineage differs')];
  }
  return [
    ...gone
      .filter((address) => live.addresses.has(address))
      .map((address) => problem(address, 'is still in the state')),
    ...present
      .filter((address) => !live.addresses.has(address))
      .map((address) => problem(address, 'is not in the state')),
    ...otherRulesets(live, plan, state.name).map((address) =>
      problem(address, 'is another ruleset than was planned'),
    ),
  ];
}

function problemOf(state: string): (address: string, problem: string) => Difference {
  return (address, problem) => ({ state, address, problem, attributes: [] });
}

function planned(state: string): (change: PlannedChange) => Difference {
  return ({ address, actions, attributes, isOutput }) => ({
    state,
    address,
    problem: `Terraform plans: ${actions.join(', ')}`,
    attributes,
    ...(isOutput && { isOutput }),
  });
}

function verification(
  differences: readonly Difference[],
  accept: readonly Acceptance[] = [],
  accepted: readonly AcceptedChange[] = [],
): Verification {
  return {
    verdict: differences.length === 0 ? 'clean' : 'dirty',
    differences,
    ...(accept.length + accepted.length > 0 && {
      accepted,
      findings: unusedAcceptances(accept, accepted),
    }),
  };
}

/**
 * Reads the states that were changed once more, where no check has planned all of them: a plan of everything
 * that is empty has shown as much, since it would create what is missing, and destroy what is still there.
 *
 * @param done ids of the steps of this run
 * @throws MigrationError `STATE_CHANGED`
 */
export async function requirePromised(
  context: ApplyContext,
  done: ReadonlySet<string>,
): Promise<void> {
  const { plan, folder, terraform } = context;
  for (const state of plan.states.filter((one) => isUnseen(one, context, done))) {
    const bytes = await statePull({ ...terraform, dir: join(folder, state.dir) });
    const [first] = stateDifferences(state, plan, bytes);
    if (first === undefined) continue;
    const { address, problem } = first;
    const what = address === '' ? problem : `${printable(address, 200)} ${problem}`;
    throw new MigrationError(
      'STATE_CHANGED',
      `state ${printable(state.name, 80)} is not as the steps left it: ${what}`,
      { hint: 'look who else writes this state, then run the same command again' },
    );
  }
}

function isUnseen({ name }: PlanState, { plan }: ApplyContext, done: ReadonlySet<string>): boolean {
  const own = plan.steps.filter(({ state }) => state === name);
  const { gone, present } = promisedBy(plan.steps, name);
  return (
    gone.length + present.length > 0 &&
    own.some(
      ({ id, expects }) => done.has(id) && (expects?.gone ?? expects?.present) !== undefined,
    ) &&
    own.findLast(({ kind }) => kind === 'check')?.expects?.plan !== 'empty'
  );
}
