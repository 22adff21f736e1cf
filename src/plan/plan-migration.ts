import { type FileEdit } from '../blocks/file-edit';
import { planNewFile } from '../blocks/plan-edit';
import { withoutKeys } from '../blocks/resource-address';
import { type Finding } from '../model/finding';
import { type OldResource } from '../state/pick-old-resources';
import { assignOwners, holds, type OwnedZone } from './assign-owners';
import { chooseOrder, type ChosenOrder } from './choose-order';
import { planRemoval, type PlannedRemoval } from './edit-configuration';
import { newState } from './orders/new-state';
import { type OrderInput } from './orders/draft-steps';
import { type Plan, type PlanState, type PlanZone, type Step, type StepDraft } from './plan';
import * as finding from './plan-findings';
import { withDigest } from './plan-digest';
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
  const owned = assignOwners(zones, states);
  const planned = states.map((state) => planState(zones, owned, state));
  // a new state takes the rulesets in before an old one lets anything go: no object without an owner
  const ordered = [
    ...planned.filter(({ leaving }) => !leaving),
    ...planned.filter(({ leaving }) => leaving),
  ];
  const steps = ordered.flatMap(({ state, steps: drafts }) =>
    drafts.map((draft): Omit<Step, 'id'> => ({ ...draft, state: state.name })),
  );
  return withDigest({
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones: owned.map(planZone),
    states: planned.map(({ state }) => state),
    steps: steps.map((step, index): Step => ({ id: String(index + 1), ...step })),
    findings: [
      ...planned.flatMap(({ findings }) => findings),
      ...finding.zonesWithoutOldResources(zones, states),
    ],
  });
}

function planZone({ zoneId, rulesetId, address, owner }: OwnedZone): PlanZone {
  const { to } = chooseOrder(owner);
  const id = importId(majorOf(to), zoneId, rulesetId);
  return { zoneId, ruleset: { id: rulesetId, address, importId: id, state: owner.name } };
}

interface PlannedOrder {
  readonly state: PlanState;
  /** Whether anything leaves this state. */
  readonly leaving: boolean;
  readonly steps: readonly StepDraft[];
  readonly findings: readonly Finding[];
}

function planState(
  zones: readonly PlannedZone[],
  owned: readonly OwnedZone[],
  state: PlannedState,
): PlannedOrder {
  const order = chooseOrder(state);
  const leaving = leavingOf(zones, state, order);
  const own = owned.filter(({ owner }) => owner === state);
  const imports = own.filter(({ imported }) => !imported);
  const retired = leaving.length > 0 && majorOf(order.to) === 5 ? state.retired : [];
  const addresses = [...new Set([...leaving, ...retired].map(({ address }) => address))];
  const removal = removalOf(state, order, addresses, leaving);
  const input = orderInput(state, order, { leaving: addresses, imports, removal });
  const isNew = leaving.length === 0;
  const asked = new Set(zones.map(({ zoneId }) => zoneId));
  return {
    state: planStateOf(
      state,
      isNew && imports.length > 0 ? { ...order, because: NEW_STATE } : order,
    ),
    leaving: !isNew,
    steps: !isNew ? order.steps(input) : imports.length > 0 ? newState(input) : [],
    findings: [
      ...(isNew && imports.length === 0 ? [finding.noOldResources(state)] : []),
      ...(isNew ? [] : finding.otherZones(state, leaving, asked)),
      ...finding.withoutZone(leaving),
      ...(removal?.findings ?? []),
      ...own.filter(({ imported }) => imported).map((zone) => finding.rulesetOwned(zone)),
      ...(retired.length === 0 ? [] : [finding.retiredLeave(retired)]),
      ...(input.upgradeTo === undefined ? [] : finding.othersChangeMajor(state, order.to)),
    ],
  };
}

/** How the blocks of what leaves the state leave its files; undefined where these are not known. */
function removalOf(
  { configuration, oldResources }: PlannedState,
  { leavesAll, to }: ChosenOrder,
  addresses: readonly string[],
  leaving: readonly OldResource[],
): PlannedRemoval | undefined {
  if (configuration === undefined || addresses.length === 0) return undefined;
  const gone = new Set(leaving);
  return planRemoval(configuration, {
    leaving: addresses,
    staying: oldResources.filter((one) => !gone.has(one)).map(({ address }) => address),
    all: leavesAll,
    retired: majorOf(to) === 5 ? ['cloudflare_filter', 'cloudflare_firewall_rule'] : [],
  });
}

const NEW_STATE =
  'this state holds nothing old and takes the rulesets in, before the old state lets anything go';

/** The old resources that leave a state. */
function leavingOf(
  zones: readonly PlannedZone[],
  state: PlannedState,
  { leavesAll }: ChosenOrder,
): readonly OldResource[] {
  // a state in which no zone of the plan has anything is most likely the wrong one: leave it alone
  if (!zones.some((zone) => holds(state, zone))) return [];
  if (leavesAll) return state.oldResources;
  const asked = new Set<string | undefined>([undefined, ...zones.map(({ zoneId }) => zoneId)]);
  return state.oldResources.filter(({ zoneId }) => asked.has(zoneId));
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

interface Moving {
  /** Addresses that leave the state. */
  readonly leaving: readonly string[];
  readonly imports: readonly PlannedZone[];
  readonly removal: PlannedRemoval | undefined;
}

function orderInput(state: PlannedState, { from, to }: ChosenOrder, moving: Moving): OrderInput {
  const { leaving, imports, removal } = moving;
  return {
    exists: state.exists,
    dir: state.dir,
    backup: `cf-waf-migrate-backup/${state.name}-${state.serial}.tfstate`,
    leaving,
    blocks: [...new Set(leaving.map(withoutKeys))],
    removal,
    imports: imports.map((zone) => ({
      ...zone,
      importId: importId(majorOf(to), zone.zoneId, zone.rulesetId),
      declared: state.declared.some(({ address }) => address === zone.address),
      edit: declarationEdit(state, zone),
    })),
    provider: majorOf(to),
    upgradeTo: majorOf(to) > majorOf(from) ? to : undefined,
  };
}

/** The edit that writes the ruleset, where its text is known and no file of the name is there. */
function declarationEdit(
  { dir, configuration }: PlannedState,
  { declaration }: PlannedZone,
): FileEdit | undefined {
  if (declaration === undefined || configuration === undefined) return undefined;
  const path = dir === '.' ? declaration.path : `${dir}/${declaration.path}`;
  const files = configuration.project.modules.get(configuration.project.root)?.files ?? [];
  return files.some((file) => file.path === path) ? undefined : planNewFile(path, declaration.text);
}
