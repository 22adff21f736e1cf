import { type Finding } from '../model/finding';
import { type OldResource } from '../state/pick-old-resources';
import { chooseOrder, type ChosenOrder } from './choose-order';
import * as finding from './plan-findings';
import { type OrderInput } from './orders/draft-steps';
import { type Plan, type PlanState, type PlanZone, type Step, type StepDraft } from './plan';
import { type PlannedState, type PlannedZone } from './planned-state';
import { importId, majorOf } from './provider-version';

/**
 * Lists the steps that take every given state from the old resources to the rulesets of the given
 * zones. Pure: the same input gives the same plan, byte for byte.
 *
 * @example
 * planMigration([{ zoneId, rulesetId, address: 'cloudflare_ruleset.managed_rules' }], [state]);
 */
export function planMigration(
  zones: readonly PlannedZone[],
  states: readonly PlannedState[],
): Plan {
  const planned = states.map((state) => planState(zones, state));
  const owners = zones.map(
    (zone) => planned.find(({ zoneIds }) => zoneIds.has(zone.zoneId)) ?? planned[0],
  );
  const steps = planned.flatMap(({ state, steps: drafts }) =>
    drafts.map((draft): Omit<Step, 'id'> => ({ ...draft, state: state.name })),
  );
  return {
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones: zones.flatMap((zone, index): PlanZone[] => {
      const owner = owners[index];
      if (!owner) return [];
      const id = importId(majorOf(owner.state.provider.to), zone.zoneId, zone.rulesetId);
      const ruleset = {
        id: zone.rulesetId,
        address: zone.address,
        importId: id,
        state: owner.state.name,
      };
      return [{ zoneId: zone.zoneId, ruleset }];
    }),
    states: planned.map(({ state }) => state),
    steps: steps.map((step, index): Step => ({ id: String(index + 1), ...step })),
    findings: [
      ...planned.flatMap(({ findings }) => findings),
      ...finding.zonesWithoutOldResources(zones, states),
    ],
  };
}

interface PlannedOrder {
  readonly state: PlanState;
  readonly zoneIds: ReadonlySet<string>;
  readonly steps: readonly StepDraft[];
  readonly findings: readonly Finding[];
}

function planState(zones: readonly PlannedZone[], state: PlannedState): PlannedOrder {
  const order = chooseOrder(state);
  const zoneIds = new Set(zones.map(({ zoneId }) => zoneId));
  const isAsked = ({ zoneId }: OldResource): boolean => zoneId === undefined || zoneIds.has(zoneId);
  // a state in which no zone of the plan has anything is most likely the wrong one: leave it alone
  const concerned = state.oldResources.some(
    ({ zoneId }) => zoneId !== undefined && zoneIds.has(zoneId),
  );
  const leaving = !concerned
    ? []
    : order.leavesAll
      ? state.oldResources
      : state.oldResources.filter(isAsked);
  const staying = zones.filter(({ zoneId }) =>
    leaving.some((resource) => resource.zoneId === zoneId),
  );
  const owned = staying.filter((zone) => ownedBy(state, zone));
  const retired = concerned && majorOf(order.to) === 5 ? state.retired : [];
  const input = orderInput(
    state,
    order,
    leaving,
    staying.filter((zone) => !ownedBy(state, zone)),
    retired,
  );
  return {
    state: planStateOf(state, order),
    zoneIds: new Set(staying.map(({ zoneId }) => zoneId)),
    steps: leaving.length === 0 ? [] : order.steps(input),
    findings: [
      ...(leaving.length === 0 ? [finding.noOldResources(state)] : []),
      ...(concerned ? finding.otherZones(state, leaving, zoneIds) : []),
      ...finding.withoutZone(leaving),
      ...owned.map((zone) => finding.rulesetOwned(zone)),
      ...(retired.length === 0 ? [] : [finding.retiredLeave(retired)]),
      ...(input.upgradeTo === undefined ? [] : finding.othersChangeMajor(state, order.to)),
    ],
  };
}

function ownedBy(state: PlannedState, zone: PlannedZone): boolean {
  return state.rulesets.some(
    ({ address, id }) => id === zone.rulesetId || address === zone.address,
  );
}

function planStateOf(state: PlannedState, { from, to, because }: ChosenOrder): PlanState {
  const { name, dir, workspace, lineage, serial, terraformVersion } = state;
  return {
    name,
    dir,
    workspace,
    lineage,
    serial,
    terraformVersion,
    provider: { from, to },
    method: 'commands',
    because,
  };
}

function orderInput(
  state: PlannedState,
  { from, to }: ChosenOrder,
  leaving: readonly OldResource[],
  imports: readonly PlannedZone[],
  retired: readonly { readonly address: string }[],
): OrderInput {
  const addresses = [...leaving, ...retired].map(({ address }) => address);
  const unique = [...new Set(addresses)];
  return {
    dir: state.dir,
    backup: `cf-waf-migrate-backup/${state.name}-${state.serial}.tfstate`,
    leaving: unique,
    blocks: [...new Set(unique.map(withoutKeys))],
    imports: imports.map((zone) => ({
      ...zone,
      importId: importId(majorOf(to), zone.zoneId, zone.rulesetId),
    })),
    provider: majorOf(to),
    upgradeTo: majorOf(to) > majorOf(from) ? to : undefined,
  };
}

/** The block that declares an address: no instance key, of the resource or of a module. */
function withoutKeys(address: string): string {
  return address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, '');
}
