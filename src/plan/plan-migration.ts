import { type Finding } from '../model/finding';
import { providerMajors } from '../model/provider-majors';
import { assignOwners, type OwnedZone } from './assign-owners';
import { chooseOrder, type ChosenOrder, requireImport } from './choose-order';
import { departureOf, type StateDeparture } from './departure';
import { blockingFirewallRules } from './blocked-by';
import { hazardsOf } from './hazards';
import { leftOverBlocks, leftOverOverrides } from './left-over-blocks';
import { checkAll, checkRulesets, takeBlocksOut, takeOverridesOut } from './orders/draft-steps';
import { type OrderInput } from './orders/order';
import { orderInput, requireEdits } from './order-input';
import { type Method, type Plan, type PlanState, type PlanZone, type StepDraft } from './plan';
import { orderStates } from './order-states';
import * as finding from './plan-findings';
import { withDigest } from './plan-digest';
import { otherDialect } from './other-dialect';
import { otherStackFindings } from './other-stack-findings';
import { importsAgainAlone, withOwned } from './provider-alone';
import { type PlannedState, type PlannedZone } from './planned-state';
import { sharedWithOthers, type StateSteps } from './shared-files';
import { majorOf } from './provider-version';
import { removalOf } from './removal-of';
import { otherZones, withoutZone, zonesNotInStates } from './zone-findings';

/**
 * Lists the steps that take every given state from the old resources to the rulesets of the given
 * zones. Pure: the same input gives the same plan, byte for byte.
 *
 * @param asked also zones whose ruleset was not looked up, because nothing is left to be done for any
 * @throws MigrationError `METHOD_UNSUITABLE` where the method that is asked for does not work for a state, or
 *   its provider would go back; `CONFIG_EDIT_REFUSED`
 * @example
 * planMigration([{ zoneId, rulesetId, address: 'cloudflare_ruleset.managed_rules' }], [state]);
 */
export function planMigration(
  zones: readonly PlannedZone[],
  states: readonly PlannedState[],
  method: Method | 'auto' = 'auto',
  asked: readonly string[] = zones.map(({ zoneId }) => zoneId),
): Plan {
  const owned = assignOwners(zones, states);
  const departures = states.map((state) => departureOf(zones, owned, state, method));
  const kept = new Set(departures.flatMap(({ kept: blocks }) => blocks));
  const planned = departures.map((departure) =>
    planState(asked, owned, departure, kept, states.length === 1),
  );
  const notInStates = zonesNotInStates(asked, owned, states);
  const isOfNone = notInStates.length === asked.length;
  const ordered = planned.toSorted((one, other) => turnOf(one) - turnOf(other));
  return withDigest({
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones: owned.map(planZone),
    states: planned.map(({ planned: state }) => state),
    steps: orderStates(ordered),
    findings: [
      ...planned.flatMap(({ state, leaving, steps, findings }) => [
        ...(leaving || steps.length > 0 || isOfNone ? [] : [finding.noOldResources(state)]),
        ...findings,
      ]),
      ...notInStates,
      ...sharedWithOthers(planned),
      ...otherStackFindings(planned),
    ],
  });
}

function planZone({ zoneId, rulesetId, address, owner }: OwnedZone): PlanZone {
  const { to } = chooseOrder(owner);
  const id = providerMajors[majorOf(to)].importId(zoneId, rulesetId);
  return { zoneId, ruleset: { id: rulesetId, address, importId: id, state: owner.name } };
}

/** What takes a ruleset in goes before what only lets go, a new state first: no object without an owner. */
function turnOf({ leaving, steps }: PlannedOrder): number {
  if (!leaving) return 0;
  return steps.some(({ kind }) => kind === 'import') ? 1 : 2;
}

interface PlannedOrder extends StateSteps {
  readonly planned: PlanState;
  /** Whether anything leaves this state. */
  readonly leaving: boolean;
  readonly findings: readonly Finding[];
}

function planState(
  asked: readonly string[],
  owned: readonly OwnedZone[],
  { state, order, leaving, absent }: StateDeparture,
  kept: ReadonlySet<string>,
  isAlone: boolean,
): PlannedOrder {
  const own = owned.filter(({ owner }) => owner === state);
  const imports = own.filter(({ imported }) => !imported);
  if (imports.length > 0) requireImport(state, order);
  const isNew = leaving.length === 0;
  const { plansFirewallRules } = providerMajors[majorOf(order.to)];
  const movesNothing = isNew && imports.length === 0;
  const rulesets = withOwned(own, state, asked);
  const importsAgain = movesNothing && importsAgainAlone(state, order, asked);
  const isBlocked = rulesets.length > 0 && blockingFirewallRules(state, order.to).length > 0;
  const changesAlone = movesNothing && (importsAgain || isBlocked);
  const retired = plansFirewallRules || (movesNothing && !changesAlone) ? [] : state.retired;
  const addresses = [...new Set([...leaving, ...retired].map(({ address }) => address))];
  // the old resources have left before: what the files declare of them is to be created
  const hadLeft = isAlone && imports.length > 0 && state.oldResources.length === 0;
  const isBlocks = order.method === 'blocks';
  const removal =
    addresses.length === 0 && imports.length === 0 && !isBlocks
      ? undefined
      : removalOf(
          state,
          { to: order.to, isAlone, all: isBlocks || (isNew ? hadLeft : order.leavesAll) },
          { leaving: addresses, absent: isNew ? [] : absent.ofZones },
          kept,
        );
  const staying = leaving.length < state.oldResources.length ? own : undefined;
  const input = orderInput(state, order, { leaving: addresses, staying, imports, removal });
  if (isBlocks) requireEdits(input);
  // with method blocks, also a state that holds nothing keeps what is declared from being created or destroyed
  const removesBlocks = isBlocks && removal !== undefined && removal.going.length > 0;
  const isIdle = movesNothing && !changesAlone && !removesBlocks;
  const leftOver = movesNothing && !removesBlocks ? leftOverSteps(state) : [];
  const steps = isIdle ? withCheck(leftOver, input) : [...leftOver, ...order.steps(input)];
  const changesMajor = steps.some(({ kind }) => kind === 'upgrade-provider');
  return {
    state,
    checks: staying && rulesets.length > 0 ? checkRulesets(input, rulesets) : [checkAll(input)],
    planned: planStateOf(state, {
      ...order,
      ...(isNew && imports.length > 0 ? { because: isAlone ? ALONE : NEW_STATE } : {}),
      ...(leftOver.length > 0 ? { because: BLOCKS_DONE } : {}),
    }),
    leaving: !isNew,
    steps,
    findings: [
      ...(isNew
        ? hadLeft
          ? finding.leftBefore(state, imports)
          : removesBlocks
            ? []
            : finding.oldBlocksDeclared(state)
        : [
            ...otherZones(state, leaving, new Set(asked)),
            ...finding.oldBlocksDeclared(state, absent.others),
          ]),
      ...(imports.length > 0 && state.installed === undefined
        ? [finding.providerAssumed(state, order)]
        : []),
      ...finding.newerThanTested(state, order),
      ...withoutZone(state, leaving),
      ...(removal?.findings ?? []),
      ...own.filter(({ imported }) => imported).map((zone) => finding.rulesetOwned(zone)),
      ...hazardsOf(state, importsAgain ? rulesets : own, steps.length > 0),
      ...otherDialect(state, changesMajor ? order : { ...order, to: order.from }),
      ...(retired.length === 0 ? [] : [finding.retiredLeave(retired)]),
      ...(changesMajor ? finding.othersChangeMajor(state, order.to, asked) : []),
      ...(steps.length === 0 ? [] : finding.typesUnknownToProvider(state, order.to)),
    ],
  };
}

const NEW_STATE =
  'this state holds nothing old and takes the rulesets in, before the old state lets anything go';

const ALONE = 'this state holds nothing old, and takes the rulesets in';

const BLOCKS_DONE = 'the import and removed blocks have done their work';

/** `import` and `removed` blocks that have done their work leave the files, or the program. */
function leftOverSteps(state: PlannedState): StepDraft[] {
  const edits = leftOverBlocks(state);
  const overrides = leftOverOverrides(state);
  return [
    ...(edits.length === 0 ? [] : [takeBlocksOut(edits)]),
    ...(overrides.length === 0 ? [] : [takeOverridesOut(overrides)]),
  ];
}

function withCheck(steps: readonly StepDraft[], input: OrderInput): readonly StepDraft[] {
  return steps.length > 0 ? [...steps, checkAll(input)] : [];
}

function planStateOf(state: PlannedState, { from, to, because, method }: ChosenOrder): PlanState {
  const { name, dir, workspace, dataDir, lineage, serial, terraformVersion } = state;
  return {
    name,
    dir,
    workspace,
    ...(dataDir === undefined ? {} : { dataDir }),
    lineage,
    serial,
    terraformVersion,
    provider: { from, to },
    method,
    because,
  };
}
