import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan } from '../../plan/plan';
import { parseState } from '../../tfstate/parse-state';

/** A state as it is now; a step that changes it keeps `addresses` up to date. */
export interface LiveState {
  readonly bytes: Buffer;
  readonly lineage: string;
  readonly serial: number;
  readonly addresses: Set<string>;
  /** The ids of the rulesets by address, where the state has one. */
  readonly rulesetIds: ReadonlyMap<string, string>;
}

/** Reads what `terraform state pull` gave; a backend without a state has nothing in it. */
export function readLiveState(bytes: Buffer): LiveState {
  // every address of a plan is of a type that is read in full
  const { lineage, serial, resources } =
    bytes.length === 0 ? { lineage: '', serial: 0, resources: [] } : parseState(bytes);
  const addresses = resources.flatMap(({ instances }) => instances.map(({ address }) => address));
  const rulesets = resources
    .filter(({ type, mode }) => mode === 'managed' && type === 'cloudflare_ruleset')
    .flatMap(({ instances }) => instances);
  return {
    bytes,
    lineage,
    serial,
    addresses: new Set(addresses),
    rulesetIds: new Map(
      rulesets.flatMap(({ address, deposed, attributes: { id } }): [string, string][] =>
        deposed === undefined && typeof id === 'string' ? [[address, id]] : [],
      ),
    ),
  };
}

/** The rulesets of a plan at whose address a state has another one: the plan is not about that. */
export const otherRulesets = (
  { rulesetIds }: LiveState,
  { zones }: Pick<Plan, 'zones'>,
  state: string,
): readonly string[] =>
  zones
    .map(({ ruleset }) => ruleset)
    .filter((one) => one.state === state && (rulesetIds.get(one.address) ?? one.id) !== one.id)
    .map(({ address }) => address);

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
 * Checks that no state holds a ruleset to import at another address. The providers would import it a second time
 * without an error, and the next apply of a configuration that declares one of the two would destroy the live ruleset.
 * @throws MigrationError `STATE_CHANGED`
 */
export function requireNotElsewhere(plan: Plan, live: ReadonlyMap<string, LiveState>): void {
  for (const { id, address: due } of dueImports(plan, live)) {
    for (const [state, { rulesetIds }] of live) {
      const [address] = [...rulesetIds].find(([, one]) => one === id) ?? [];
      if (address === undefined) continue;
      throw new MigrationError(
        'STATE_CHANGED',
        `state ${printable(state, 80)} has the ruleset at ${printable(address, 200)}, but the plan imports it to ${printable(due, 200)}`,
        {
          hint: 'do not run `terraform apply` before the configuration declares the ruleset at that address: another process has imported it. Then plan again, and delete the legacy blocks whose resources are no longer in the state (`plan` names them); after a second import, the next apply would destroy the ruleset',
        },
      );
    }
  }
}
