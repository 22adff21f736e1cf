import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan } from '../../plan/plan';
import { type LiveState } from './live-state';

/** The rulesets of a plan that are still to be imported. */
export function dueImports(
  { zones }: Pick<Plan, 'zones'>,
  live: ReadonlyMap<string, LiveState>,
): Plan['zones'][number]['ruleset'][] {
  return zones
    .map(({ ruleset }) => ruleset)
    .filter(({ state, address }) => live.get(state)?.addresses.has(address) !== true);
}

/** A ruleset that a plan is still to import, and where somebody else has. */
export interface HeldElsewhere {
  readonly state: string;
  /** Where the state holds it. */
  readonly address: string;
  /** Where the plan was to have it. */
  readonly due: string;
}

/** What leads on from there, whether or not the old resources have left the state already. */
export const takeOver =
  'somebody has imported it meanwhile: let Terraform apply nothing before the configuration is right: take over how they declare it, plan again, and delete the old blocks that are still declared and have left the state (`plan` names them)';

/** The rulesets that are still to be imported, and that a state holds at an address of somebody else's. */
export function heldElsewhere(plan: Plan, live: ReadonlyMap<string, LiveState>): HeldElsewhere[] {
  return dueImports(plan, live).flatMap(({ id, address: due }) =>
    [...live].flatMap(([state, { rulesetIds }]) => {
      const [address] = [...rulesetIds].find(([, one]) => one === id) ?? [];
      return address === undefined ? [] : [{ state, address, due }];
    }),
  );
}

/**
 * Checks that no state holds a ruleset that is still to be imported, at an address of somebody else's. The
 * providers import it a second time without a word, and the next apply of a configuration that declares one of
 * the two destroys the live ruleset as the other.
 * @throws MigrationError `STATE_CHANGED`
 */
export function requireNotElsewhere(plan: Plan, live: ReadonlyMap<string, LiveState>): void {
  const [held] = heldElsewhere(plan, live);
  if (held === undefined) return;
  throw new MigrationError(
    'STATE_CHANGED',
    `state ${printable(held.state, 80)} holds the ruleset as ${printable(held.address, 200)} by now, and ${printable(held.due, 200)} was planned`,
    { hint: `${takeOver}; a second import would have the next apply destroy it` },
  );
}
