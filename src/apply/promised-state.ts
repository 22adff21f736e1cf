import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type ProviderFacts, providerMajors } from '../core/provider-majors';
import { majorOf } from '../plan/facts/provider-versions';
import {
  type Plan,
  type PlanState,
  type PlanZone,
  type Promised,
  promisedBy,
} from '../plan/plan-schema';
import { isCheck } from '../plan/steps/step-kinds';
import { type PlannedAddresses, type PlannedChange } from '../terraform/judge-plan';
import { type ApplyContext } from './apply-context';
import {
  zonesDeclaredTwice,
  type LiveState,
  otherRulesets,
  pullState,
  rulesetsElsewhere,
} from './live-state';

/** A way in which the result differs from the plan. If the state itself differs, `address` is empty. */
export interface Difference extends Omit<PlannedChange, 'actions'> {
  /** Name of the state; empty for a Terraform plan, which names no state. */
  readonly state: string;
  readonly problem: string;
  /** Absent if a state differs. */
  readonly actions?: PlannedChange['actions'];
}

/**
 * Whether a state shows that the steps of the plan have run, for example in a pipeline. That a ruleset was removed and
 * imported again shows only if the new provider version writes it in another form.
 */
export function isApplied(live: LiveState, planned: PlanState, plan: Plan): boolean {
  const { gone, present, removed } = promisedBy(plan.steps, planned.name);
  const isWrittenAgain = (address: string): boolean => {
    const { reads }: ProviderFacts = providerMajors[majorOf(planned.provider.to)];
    const written = live.rulesets.get(address)?.written;
    return written !== undefined && reads?.(written) === true;
  };
  const again = present.filter((address) => removed.includes(address));
  const isShown = gone.length + present.length > 0 && again.every(isWrittenAgain);
  return isShown && stateDifferences(planned, plan, live).length === 0;
}

/**
 * Checks a changed state again unless the last check of `apply` planned the whole state.
 *
 * @param done ids of the steps of this run
 * @throws MigrationError `STATE_CHANGED`
 */
export async function requirePromised(
  context: ApplyContext,
  done: ReadonlySet<string>,
): Promise<void> {
  const { plan } = context;
  for (const state of plan.states) {
    const own = plan.steps.filter((step) => step.state === state.name);
    const changed = own.some(
      ({ id, expects }) => done.has(id) && (expects?.gone ?? expects?.present) !== undefined,
    );
    // an untargeted empty plan proves it: missing rulesets would be created, and remaining resources destroyed
    const isProven = own.findLast(isCheck)?.expects?.plan === 'empty';
    if (!changed || isProven) continue;
    const [first] = stateDifferences(state, plan, await pullState(state, context));
    if (first === undefined) continue;
    const what = `${printable(first.address, 200)} ${first.problem}`.trimStart();
    throw new MigrationError(
      'STATE_CHANGED',
      `state ${printable(state.name, 80)} changed after the steps: ${what}`,
      { hint: 'find out which other process writes this state, then run the same command again' },
    );
  }
}

export function stateDifferences(state: PlanState, plan: Plan, live: LiveState): Difference[] {
  const { name, lineage } = state;
  const { gone, present } = promisedWithRulesets(plan, name);
  if (live.bytes.length > 0 && lineage !== '' && live.lineage !== lineage) {
    return [problem('', 'is not the state that the plan was made for: its lineage differs', name)];
  }
  const left = gone.filter((one) => live.addresses.has(one));
  const missing = present.filter((one) => !live.addresses.has(one));
  return [
    ...left.map((one) => problem(one, 'is still in the state', name)),
    ...missing.map((one) => problem(one, 'is not in the state', name)),
    ...otherRulesets(live, plan, name).map((one) =>
      problem(one, 'is not the ruleset of the plan', name),
    ),
    ...rulesetsElsewhere(plan, new Map([[name, live]])).map(({ address, ruleset }) =>
      heldElsewhere(address, ruleset, name),
    ),
  ];
}

/** Adds the rulesets of the state to what its steps promise, because no step imports those it already has. */
export function promisedWithRulesets(
  { steps, zones }: Pick<Plan, 'steps' | 'zones'>,
  state: string,
): Promised {
  const promised = promisedBy(steps, state);
  const owned = zones.flatMap(({ ruleset }) => (ruleset.state === state ? ruleset.address : []));
  return { ...promised, present: [...new Set([...promised.present, ...owned])] };
}

/**
 * The addresses at which a Terraform plan has another ruleset than the planned one: it imports one, moves one there, or
 * keeps one. Also those where the state has a planned ruleset that the Terraform plan imports elsewhere.
 */
export function plannedOthers(
  { zones, findings }: Pick<Plan, 'zones' | 'findings'>,
  { imported, held }: PlannedAddresses,
): Difference[] {
  // providers write the first part in two ways
  const place = (id = ''): string => id.replace(/^zones\//, 'zone/');
  const atPlanned = zones.flatMap(({ ruleset: { address, importId } }) => {
    // several states can have the same address
    const own = zones.flatMap(({ ruleset }) => (ruleset.address === address ? ruleset : []));
    const [importing, id] = [place(imported.get(address)), held.get(address)];
    if (imported.has(address) && !own.some((one) => place(one.importId) === importing))
      return problem(address, `is imported from another id than ${importId}`);
    return id === undefined || own.some((one) => one.id === id)
      ? []
      : problem(address, `is ruleset ${printable(id, 80)}, not the ruleset of the plan`);
  });
  const twice = zonesDeclaredTwice(findings);
  const elsewhere = [...held].flatMap(([address, id]) => {
    const own = zones.filter(({ zoneId, ruleset }) => ruleset.id === id && !twice.has(zoneId));
    const [first] = own.some(({ ruleset }) => ruleset.address === address) ? [] : own;
    return first === undefined ? [] : heldElsewhere(address, first.ruleset);
  });
  return [...atPlanned, ...elsewhere];
}

const heldElsewhere = (address: string, planned: PlanZone['ruleset'], state?: string) =>
  problem(address, `is the ruleset that the plan has at ${planned.address}`, state);

export function problem(address: string, what: string, state = ''): Difference {
  return { state, address, problem: what, attributes: [] };
}
