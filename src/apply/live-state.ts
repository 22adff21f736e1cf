import { join } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Plan, type PlanState } from '../plan/plan-schema';
import { type OwnedRuleset } from '../plan/facts/facts';
import { KEEP_ONE } from '../plan/findings/state-ruleset-findings';
import { NO_STATE, rulesetsOf } from '../plan/facts/read-facts';
import { statePull } from '../terraform/subcommands';
import { type TerraformSettings } from '../terraform/run-terraform';
import { parseState, pickLegacyResources } from '../tfstate/parse-state';

/** The current state. A step that changes the state updates `addresses`. */
export interface LiveState {
  readonly bytes: Buffer;
  readonly lineage: string;
  readonly serial: number;
  readonly addresses: Set<string>;
  /** The rulesets by address; one without an id is missing. */
  readonly rulesets: ReadonlyMap<string, OwnedRuleset>;
  /** The zones of the legacy resources, by address. */
  readonly zoneIds: ReadonlyMap<string, string | undefined>;
}

export async function pullState(
  { dir }: Pick<PlanState, 'dir'>,
  { folder, terraform }: { readonly folder: string; readonly terraform: TerraformSettings },
): Promise<LiveState> {
  return readLiveState(await statePull({ ...terraform, dir: join(folder, dir) }));
}

/** For a plan file that was moved. */
export const KEEP_IN_PLACE =
  'keep the plan where `plan --out` wrote it: its folders are relative to that place';

/** @throws MigrationError `STATE_CHANGED` if a state of the plan is not where the plan says */
export function requireState({ bytes }: LiveState, { name, lineage }: PlanState): void {
  if (bytes.length > 0 || lineage === '') return;
  throw new MigrationError('STATE_CHANGED', `state ${printable(name, 80)} is missing or empty`, {
    hint: `${KEEP_IN_PLACE}. Also check that \`terraform init\` was run`,
  });
}

/** Parses the output of `terraform state pull`, which is empty for an empty backend. */
export function readLiveState(bytes: Buffer): LiveState {
  // parseState reads the resource types of a plan in full
  const state = bytes.length === 0 ? NO_STATE : parseState(bytes);
  const { lineage, serial, resources } = state;
  const rulesets = rulesetsOf(state).filter(({ id }) => id !== undefined);
  const legacy = pickLegacyResources(state).filter(({ mode }) => mode === 'managed');
  return {
    bytes,
    lineage,
    serial,
    addresses: new Set(
      resources.flatMap(({ instances }) => instances.map(({ address }) => address)),
    ),
    rulesets: new Map(rulesets.map((one) => [one.address, one])),
    zoneIds: new Map(legacy.map(({ address, zoneId }) => [address, zoneId])),
  };
}

/** Returns the planned addresses at which a state has a different ruleset. */
export const otherRulesets = (
  { rulesets }: LiveState,
  { zones }: Pick<Plan, 'zones'>,
  state: string,
): readonly string[] =>
  zones
    .map(({ ruleset }) => ruleset)
    .filter((one) => one.state === state && (rulesets.get(one.address)?.id ?? one.id) !== one.id)
    .map(({ address }) => address);

/** The zones of which the plan itself says that two resources have their ruleset. */
export const zonesDeclaredTwice = (findings: Plan['findings']): ReadonlySet<string> =>
  new Set(
    findings.flatMap(({ code, subject }) => (code === 'ENTRY_POINT_DECLARED_TWICE' ? subject : [])),
  );

/**
 * The rulesets of a plan that a state has at another address than the planned one: also there, or only there. Leaves out
 * those of which the plan itself says that two resources have them.
 */
export function rulesetsElsewhere(
  { zones, findings }: Pick<Plan, 'zones' | 'findings'>,
  live: ReadonlyMap<string, LiveState>,
) {
  const known = zonesDeclaredTwice(findings);
  return zones.flatMap(({ zoneId, ruleset }) => {
    const { id, state: own, address: planned } = ruleset;
    const isThere = live.get(own)?.addresses.has(planned) === true;
    if (isThere && known.has(zoneId)) return [];
    return [...live].flatMap(([state, { rulesets }]) =>
      [...rulesets.values()]
        .filter((one) => one.id === id && !(state === own && one.address === planned))
        .map(({ address }) => ({ ruleset, isThere, state, address })),
    );
  });
}

/**
 * Checks that no state has a ruleset of a plan at another address. Providers import a ruleset twice without an error. If
 * the configuration then declares only one, the next apply destroys the live ruleset.
 * @throws MigrationError `STATE_CHANGED`
 */
export function requireNotElsewhere(plan: Plan, live: ReadonlyMap<string, LiveState>): void {
  const [first] = rulesetsElsewhere(plan, live);
  if (first === undefined) return;
  const { state, address, ruleset, isThere } = first;
  const hint = isThere
    ? `both addresses have it now: ${KEEP_ONE}. Then run \`plan --out plan.json\` to plan again`
    : 'another process imported the ruleset at that address: declare it there before the next `terraform apply`. Then run `plan --out plan.json` to plan again, and delete the legacy blocks that `plan` names. Do not import the ruleset a second time: the next apply would destroy it';
  throw new MigrationError(
    'STATE_CHANGED',
    `state ${printable(state, 80)} has the ruleset at ${printable(address, 200)}, but the plan imports it to ${printable(ruleset.address, 200)}`,
    { hint: printable(hint, 1000) },
  );
}
