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

/**
 * Checks that no state holds a ruleset that is still to be imported, at an address of somebody else's. The
 * providers import it a second time without a word, and the next apply of a configuration that declares one of
 * the two destroys the live ruleset as the other.
 * @throws MigrationError `STATE_CHANGED`
 */
export function requireNotElsewhere(plan: Plan, live: ReadonlyMap<string, LiveState>): void {
  for (const due of dueImports(plan, live)) {
    for (const [name, { rulesetIds }] of live) {
      const [address] = [...rulesetIds].find(([, id]) => id === due.id) ?? [];
      if (address === undefined) continue;
      throw new MigrationError(
        'STATE_CHANGED',
        `state ${printable(name, 80)} holds the ruleset as ${printable(address, 200)} by now, and ${printable(due.address, 200)} was planned`,
        {
          hint: 'somebody has imported it meanwhile: take over how they declare it, and plan again; a second import would have the next apply destroy it',
        },
      );
    }
  }
}
