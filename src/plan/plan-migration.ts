import { type Finding } from '../core/finding';
import { providerMajors } from '../core/provider-majors';
import { type OldResource } from '../tfstate/legacy-resources';
import { type AbsentBlocks, absentBlocks, noneAbsent, leftOverSteps } from './absent-blocks';
import {
  assignOwners,
  holds,
  isEntryPointOf,
  type OwnedZone,
  type PlannedState,
  type PlannedZone,
} from './facts';
import { blockKeys, planRemoval } from './edit-configuration';
import * as finding from './findings';
import {
  hazardsOf,
  newerThanTested,
  noOldResources,
  oldBlocksDeclared,
  otherDialect,
  otherStacks,
  otherZones,
  typesUnknownToProvider,
  withoutZone,
  zonesNotInStates,
} from './report-facts';
import {
  allOldBlocks,
  blockingFirewallRules,
  chooseOrder,
  type ChosenOrder,
  oldResourceBlocks,
  requireImport,
} from './order';
import { orderStates, sharedWithOthers, type StateSteps } from './order-states';
import { orderInput, planStateOf, requireEdits } from './plan-state';
import { checkAll, checkRulesets } from './steps';
import { type Method, type Plan, type PlanState, type PlanZone, withDigest } from './plan';
import { majorOf, retiredTypes } from './provider-versions';

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
  const kept = new Set(departures.flatMap((departure) => departure.kept));
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
        ...(leaving || steps.length > 0 || isOfNone ? [] : [noOldResources(state)]),
        ...findings,
      ]),
      ...notInStates,
      ...sharedWithOthers(planned),
      ...otherStacks(planned),
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

/** What leaves a state, in which order, and the blocks of what stays. */
interface Departure {
  readonly state: PlannedState;
  readonly order: ChosenOrder;
  readonly leaving: readonly OldResource[];
  /** What the files declare beside it; none where all old blocks leave. */
  readonly absent: AbsentBlocks;
  readonly kept: readonly string[];
}

/** @param owned of the zones those that a state owns, or is to own */
function departureOf(
  zones: readonly PlannedZone[],
  owned: readonly OwnedZone[],
  state: PlannedState,
  method: Method | 'auto',
): Departure {
  // a state in which no zone of the plan has anything is most likely the wrong one: it is left alone
  const isConcerned = zones.some((zone) => holds(state, zone));
  const own = owned.filter(({ owner }) => owner === state);
  const takesIn = own.some(({ imported }) => !imported);
  const { configuration, oldResources } = state;
  const declares = own.length > 0 && oldResourceBlocks(configuration).length > 0;
  const order = chooseOrder(state, isConcerned || takesIn || declares ? method : 'auto');
  const isBlocked = own.length > 0 && !providerMajors[majorOf(order.from)].knowsOldWaf;
  const asked = new Set<string | undefined>([undefined, ...zones.map(({ zoneId }) => zoneId)]);
  const leaving = oldResources.filter(({ mode, zoneId }) => {
    if (!isConcerned && !takesIn && !isBlocked) return false;
    if (order.leavesAll || mode === 'data') return true;
    return isConcerned && asked.has(zoneId);
  });
  const gone = new Set(leaving);
  const staying = oldResources.filter((one) => !gone.has(one)).map(({ address }) => address);
  const kept = configuration === undefined ? [] : blockKeys(configuration, staying);
  const absent = order.leavesAll
    ? noneAbsent
    : absentBlocks(state, new Set(zones.map(({ zoneId }) => zoneId)));
  return { state, order, leaving, absent, kept };
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
  { state, order, leaving, absent }: Departure,
  kept: ReadonlySet<string>,
  isAlone: boolean,
): PlannedOrder {
  const { configuration, oldResources } = state;
  const own = owned.filter(({ owner }) => owner === state);
  const imports = own.filter(({ imported }) => !imported);
  if (imports.length > 0) requireImport(state, order);
  const isNew = leaving.length === 0;
  const movesNothing = isNew && imports.length === 0;
  const rulesets = withOwned(own, state, asked);
  const importsAgain = movesNothing && importsAgainAlone(state, order, asked);
  const isBlocked = rulesets.length > 0 && blockingFirewallRules(state, order.to).length > 0;
  const changesAlone = movesNothing && (importsAgain || isBlocked);
  const types = retiredTypes(order.to);
  const retired = types.length === 0 || (movesNothing && !changesAlone) ? [] : state.retired;
  const addresses = [...new Set([...leaving, ...retired].map(({ address }) => address))];
  // the old resources have left before: what the files declare of them is to be created
  const hadLeft = isAlone && imports.length > 0 && oldResources.length === 0;
  const isBlocks = order.method === 'blocks';
  const isPart = leaving.length < oldResources.length;
  const removal =
    configuration === undefined || (addresses.length === 0 && imports.length === 0 && !isBlocks)
      ? undefined
      : planRemoval(configuration, {
          leaving: [...addresses, ...(isNew ? [] : absent.ofZones)],
          ...{ kept, retired: types, isAlone },
          all: isBlocks || (isNew ? hadLeft : order.leavesAll),
        });
  const staying = isPart ? own : undefined;
  const input = orderInput(state, order, { leaving: addresses, staying, imports, removal });
  if (isBlocks) requireEdits(input);
  // with method blocks, also a state that holds nothing keeps what is declared from being created or destroyed
  const removesBlocks = isBlocks && removal !== undefined && removal.going.length > 0;
  const isIdle = movesNothing && !changesAlone && !removesBlocks;
  const leftOver = movesNothing && !removesBlocks ? leftOverSteps(state) : [];
  const lastCheck = leftOver.length > 0 ? [checkAll(input)] : [];
  const steps = [...leftOver, ...(isIdle ? lastCheck : order.steps(input))];
  const changesMajor = steps.some(({ kind }) => kind === 'upgrade-provider');
  return {
    state,
    checks:
      staying && (rulesets.length > 0 || !isAlone)
        ? checkRulesets(input, rulesets)
        : [checkAll(input)],
    planned: planStateOf(state, {
      ...order,
      ...(isNew && imports.length > 0 ? { because: isAlone ? ALONE : NEW_STATE } : {}),
      ...(leftOver.length > 0 ? { because: BLOCKS_DONE } : {}),
    }),
    leaving: !isNew,
    steps,
    findings: [
      ...(isNew ? [] : otherZones(state, leaving, new Set(asked))),
      ...(hadLeft ? leftBefore(state, imports) : []),
      ...oldBlocksDeclared(
        state,
        isNew
          ? hadLeft || removesBlocks || oldResources.length > 0
            ? []
            : allOldBlocks(configuration)
          : absent.others,
      ),
      ...(imports.length > 0 && state.installed === undefined
        ? [finding.providerAssumed(state.name, order)]
        : []),
      ...newerThanTested(state, order),
      ...withoutZone(state, leaving),
      ...(removal?.findings ?? []),
      ...own
        .filter(({ imported }) => imported)
        .map((zone) => finding.rulesetInState(zone.zoneId, zone)),
      ...hazardsOf(state, importsAgain ? rulesets : own, steps.length > 0),
      ...otherDialect(state, changesMajor ? order : { ...order, to: order.from }),
      ...(retired.length === 0
        ? []
        : [finding.firewallRulesLeave(retired.map(({ address }) => address).join(', '))]),
      ...(steps.length === 0 ? [] : typesUnknownToProvider(state, order.to)),
    ],
  };
}

const NEW_STATE =
  'this state holds nothing old and takes the rulesets in, before the old state lets anything go';

const ALONE = 'this state holds nothing old, and takes the rulesets in';

const BLOCKS_DONE = 'the import and removed blocks have done their work';

/** What the state shows no more was taken out of it by hand, or it is not the right state. */
function leftBefore(
  { name, declared, configuration }: PlannedState,
  imports: readonly OwnedZone[],
): Finding[] {
  const isDeclared = imports.every(({ address }) =>
    declared.some((one) => one.address === address),
  );
  return isDeclared && oldResourceBlocks(configuration).length === 0
    ? []
    : [finding.leftBefore(name)];
}

/**
 * Whether all that is left to do in a state is to import its rulesets again: it owns the ruleset of a zone that is
 * asked for, and neither holds nor declares legacy resources.
 */
function importsAgainAlone(
  { installed, oldResources, rulesets, configuration }: PlannedState,
  { reimported }: ChosenOrder,
  asked: readonly string[],
): boolean {
  return (
    installed !== undefined &&
    reimported.length > 0 &&
    oldResources.length === 0 &&
    asked.some((zoneId) => rulesets.some(isEntryPointOf(zoneId))) &&
    allOldBlocks(configuration).length === 0
  );
}

/** With the zones of which nothing was looked up, because the state owns their rulesets: these are to stay. */
function withOwned(
  own: readonly OwnedZone[],
  owner: PlannedState,
  asked: readonly string[],
): readonly OwnedZone[] {
  const known = new Set(own.map(({ zoneId }) => zoneId));
  const others = asked.filter((zoneId) => !known.has(zoneId));
  return [
    ...own,
    ...others.flatMap((zoneId) =>
      owner.rulesets
        .filter(isEntryPointOf(zoneId))
        .map(({ address, id = '' }) => ({ zoneId, rulesetId: id, address, owner, imported: true })),
    ),
  ];
}
