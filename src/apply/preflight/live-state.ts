import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan, type PlanState } from '../../plan/plan';
import { parseState } from '../../tfstate/parse-state';

/** A state as it is now, and as the steps of this run leave it. */
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

/**
 * Checks that it is the state that was planned for: the same one, and in a first run unchanged.
 * @throws MigrationError `STATE_CHANGED`
 */
export function requirePlanned(live: LiveState, planned: PlanState, isFirstRun: boolean): void {
  const name = `state ${printable(planned.name, 80)}`;
  if (live.bytes.length === 0 && planned.lineage !== '') {
    throw new MigrationError('STATE_CHANGED', `${name} is not there, or has nothing in it`, {
      hint: 'the folders of a plan are relative to its own: keep it where `plan --out` wrote it, and check that `terraform init` was run',
    });
  }
  if (live.lineage !== planned.lineage && (isFirstRun || planned.lineage !== '')) {
    throw new MigrationError(
      'STATE_CHANGED',
      `${name} is another one than was planned for: its lineage differs`,
    );
  }
  if (isFirstRun && live.serial !== planned.serial) {
    const message = `${name} was written since the plan was made: serial ${live.serial}, planned for ${planned.serial}`;
    throw new MigrationError('STATE_CHANGED', message);
  }
  if (live.serial < planned.serial) {
    throw new MigrationError(
      'STATE_CHANGED',
      `${name} is older than the plan: serial ${live.serial}`,
    );
  }
}

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
interface HeldElsewhere {
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
