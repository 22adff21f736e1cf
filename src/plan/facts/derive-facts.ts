import { type ResourceBlock } from '../../tfconfig/config';
import { findBlocksOfTypes, isSynthesised } from '../../tfconfig/find-blocks';
import { type LegacyResource } from '../../tfstate/parse-state';
import { legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { blockKey, blockKeys, realPathOf, planRemoval } from './plan-removal';
import { zonesInBlocks, zonesOfBlocks } from './zones-of-blocks';
import {
  type Facts,
  type Method,
  type OwnedRuleset,
  type OwnedZone,
  type PlannedImport,
  type PlannedRemoval,
  type PlanScope,
  type StateFacts,
} from './facts';
import { boundProvider, declarationEdit, declarationOf, isEntryPointOf } from './ruleset-address';
import {
  mustRemoveAll,
  orphanedProviders,
  rulesetsToImportAgain,
  unreadableRulesets,
} from './remove-all';
import { backupFile } from '../../files/backups';
import { blocksOfStack } from '../../tfconfig/state-blocks';
import {
  accountImportId,
  knowsLegacyWaf,
  majorOf,
  retiredTypes,
  versionsOf,
  zoneImportId,
} from './provider-versions';

/** Derives the facts of each state of a plan. A block stays while a resource of any state needs it. */
export function deriveFacts(states: readonly StateFacts[], scope: PlanScope): Facts[] {
  const departures = states.map((state) => departureOf(state, scope));
  const kept = new Set(departures.flatMap(keptBlocks));
  const facts = departures.map((departure) => factsOf(departure, scope, kept));
  if (scope.isAlone) return facts;
  // an output of a shared module stays for all states, if one of them reads it
  const outputs = facts.flatMap(({ removal }) => removal?.keptOutputs ?? []);
  if (outputs.length === 0) return withoutRemovedBlocks(facts);
  const all = new Set([...kept, ...outputs]);
  return withoutRemovedBlocks(departures.map((departure) => factsOf(departure, scope, all)));
}

/** States can share a file, which is edited once: a block that one of them removes does not stay for the others. */
function withoutRemovedBlocks(facts: readonly Facts[]): Facts[] {
  const removed = new Set(
    facts.flatMap(({ configuration, removal }) =>
      configuration ? (removal?.blocks ?? []).map((one) => blockKey(configuration, one)) : [],
    ),
  );
  return facts.map((one) => {
    const { configuration, removal, blocksWithoutResource: left } = one;
    if (configuration === undefined) return one;
    const stays = (block: ResourceBlock): boolean =>
      removal?.files.has(realPathOf(configuration, block.file.path)) === false ||
      !removed.has(blockKey(configuration, block));
    return { ...one, blocksWithoutResource: left.filter(stays) };
  });
}

/** Whether a plan only changes the provider of a stack, because it does so for the other stacks of the program. */
export function isUpgradedOnly({ isIdle, isSynthesised: isStack, upgradeTo }: Facts): boolean {
  return isIdle && isStack && upgradeTo !== undefined;
}

type Departure = ReturnType<typeof departureOf>;

/** What leaves a state, before other states are considered. */
function departureOf(state: StateFacts, scope: PlanScope) {
  const { configuration, legacyResources } = state;
  const { from, to } = versionsOf(state);
  const own = scope.owned.filter(({ owner }) => owner === state);
  const entering = own.filter(({ imported }) => !imported);
  const planned = new Set(scope.owned.map(({ zoneId }) => zoneId));
  const isOfPlan = ({ zoneId = '' }: LegacyResource): boolean => planned.has(zoneId);
  // a state without any zone of the plan is probably the wrong one, so it stays unchanged
  const hasZoneOfPlan = entering.length > 0 || legacyResources.some(isOfPlan);
  const blocks = legacyBlocksOf(state, own, planned);
  const declares = own.length > 0 && blocks.managedBlocks.length > 0;
  const method: Method = hasZoneOfPlan || declares ? scope.method : 'commands';
  const removesAll = method === 'blocks' || mustRemoveAll(state);
  // provider 4 and 5 plan nothing while a legacy resource is left, also where only the ruleset is of the plan
  const mayRemove = hasZoneOfPlan || (own.length > 0 && !knowsLegacyWaf(from));
  const isRemoved = (one: LegacyResource): boolean =>
    removesAll || one.mode === 'data' || one.zoneId === undefined || isOfPlan(one);
  return {
    ...blocks,
    state,
    from,
    to,
    own,
    entering,
    method,
    removesAll,
    isSynthesised: configuration !== undefined && isSynthesised(configuration.project),
    reimported: rulesetsToImportAgain(state),
    orphans: orphanedProviders(state),
    removedBefore: scope.isAlone && entering.length > 0 && legacyResources.length === 0,
    removedResources: mayRemove ? legacyResources.filter(isRemoved) : [],
  };
}

/** The legacy blocks of a state, and those of them that are only of other zones, or of zones whose resources it has lost. */
function legacyBlocksOf(
  state: StateFacts,
  own: readonly OwnedZone[],
  planned: ReadonlySet<string>,
) {
  const { configuration, legacyResources, values } = state;
  const legacyBlocks = configuration
    ? findBlocksOfTypes(configuration.project, legacyWafTypes)
    : [];
  const managedBlocks = legacyBlocks.filter(isManaged);
  const blockZones = zonesOfBlocks(configuration, legacyResources, values);
  /** Whether a block has only zones of which this is true; not if its zones are unknown. */
  const hasOnly = ({ block }: ResourceBlock, isIt: (zone: string) => boolean): boolean => {
    const zones = [...(blockZones.get(block) ?? [])];
    return zones.length > 0 && zones.every(isIt);
  };
  const ownIds = new Set(own.map(({ zoneId }) => zoneId));
  const inState = new Set(legacyResources.map(({ zoneId }) => zoneId));
  const inBlocks = zonesInBlocks(blockZones);
  const lost = own.filter(
    ({ imported, zoneId }) => !imported && inBlocks.has(zoneId) && !inState.has(zoneId),
  );
  return {
    legacyBlocks,
    managedBlocks,
    blockZones,
    blocksOfOthers: managedBlocks.filter((one) => hasOnly(one, (zone) => !planned.has(zone))),
    lostZones: new Set(lost.map(({ zoneId }) => zoneId)),
    lostBlocks: withoutResource(state, managedBlocks).filter((one) =>
      hasOnly(one, (zone) => ownIds.has(zone)),
    ),
  };
}

/**
 * The keys of the blocks whose resources stay in a state, and of those of zones that are not planned, because nothing is
 * imported in their place. Blocks that they share with removed resources stay too.
 */
function keptBlocks({ state, blocksOfOthers, removedResources }: Departure): readonly string[] {
  const { configuration, legacyResources } = state;
  if (configuration === undefined) return [];
  const removed = new Set(removedResources);
  const staying = legacyResources.filter((one) => !removed.has(one));
  const held = new Set(blockKeys(configuration, addressesIn(removedResources)));
  const ofOthers = blocksOfOthers.map((one) => blockKey(configuration, one));
  return [
    ...blockKeys(configuration, addressesIn(staying)),
    ...ofOthers.filter((key) => !held.has(key)),
  ];
}

/** @param kept keys of the blocks that still have resources in any state of the plan */
function factsOf(departure: Departure, scope: PlanScope, kept: ReadonlySet<string>): Facts {
  const { state, from, to, own, entering, method, removedResources } = departure;
  const { exists, dir, configuration, legacyResources } = state;
  const removesBlocks =
    method === 'blocks' &&
    configuration !== undefined &&
    departure.managedBlocks.some((one) => !kept.has(blockKey(configuration, one)));
  const isIdle =
    removedResources.length + entering.length === 0 &&
    !onlyImportsAgain(departure, scope) &&
    !removesBlocks;
  const retiring = isIdle || retiredTypes(to).length === 0 ? [] : state.retired;
  const leaving = [...addressesIn(removedResources), ...retiring];
  const removal = isIdle && method !== 'blocks' ? undefined : removalOf(departure, leaving, kept);
  const staysWhole = legacyResources.length > 0 && removedResources.length === 0 && !removesBlocks;
  return {
    ...departure,
    scope,
    isIdle,
    retiring,
    removal,
    exists,
    dir,
    configuration,
    // only method blocks writes them again
    stackBlocks:
      method === 'blocks' && configuration ? blocksOfStack(configuration.project) : undefined,
    blocksWithoutResource: staysWhole ? [] : blocksWithoutResource(departure, removal),
    backup: backupFile(state, state.serial),
    removed: [...new Set(leaving), ...departure.reimported.map(({ address }) => address)],
    checkedAlone: removedResources.length < legacyResources.length ? own : undefined,
    imports: [
      ...departure.reimported.map((ruleset) => importAgain(ruleset, to)),
      ...entering.map((zone) => importZone(departure, zone)),
    ],
    provider: majorOf(to),
    upgradeTo: majorOf(to) > majorOf(from) ? to : undefined,
  };
}

/**
 * Whether a state without legacy resources and blocks has a ruleset that another provider version cannot read. The
 * provider of a stack changes with that of its program, even if no zone of the plan is in the stack.
 */
function onlyImportsAgain(
  { state, reimported, legacyBlocks, isSynthesised: isStack }: Departure,
  { selected }: PlanScope,
): boolean {
  const { installed, legacyResources, rulesets } = state;
  return (
    installed !== undefined &&
    reimported.length > 0 &&
    legacyResources.length + legacyBlocks.length === 0 &&
    (selected.some((zoneId) => rulesets.some(isEntryPointOf(zoneId))) ||
      (isStack && unreadableRulesets(state).length > 0))
  );
}

/**
 * How the blocks of a state are removed: those of the removed resources, and others.
 * @param leaving addresses of the resources that leave the state
 */
function removalOf(
  departure: Departure,
  leaving: readonly string[],
  kept: ReadonlySet<string>,
): PlannedRemoval | undefined {
  const { method, removesAll, removedBefore, removedResources, legacyBlocks, lostBlocks } =
    departure;
  const { configuration } = departure.state;
  if (configuration === undefined) return undefined;
  const others = retiredTypes(departure.to).map((type) => ({ mode: 'managed' as const, type }));
  // also the blocks without resources in the state
  const isWhole =
    method === 'blocks' || removedBefore || (removesAll && removedResources.length > 0);
  const inAddition = isWhole
    ? [...legacyBlocks, ...findBlocksOfTypes(configuration.project, others)]
    : // `terraform import` reads every data source
      legacyBlocks.filter((one) => !isManaged(one) || lostBlocks.includes(one));
  return planRemoval(configuration, leaving, inAddition, kept);
}

/**
 * The legacy blocks that stay, although the state does not have their resources: these were removed by hand, their count
 * is 0, or they are of a zone that is not planned.
 */
function blocksWithoutResource(
  { state, removedResources, legacyBlocks }: Departure,
  removal: PlannedRemoval | undefined,
): readonly ResourceBlock[] {
  const leaving = new Set(removal?.blocks);
  return withoutResource(state, legacyBlocks).filter(
    // the data sources leave with the resources
    (one) => !leaving.has(one) && (removedResources.length === 0 || isManaged(one)),
  );
}

export function withoutResource(
  { configuration, legacyResources }: StateFacts,
  blocks: readonly ResourceBlock[],
): readonly ResourceBlock[] {
  if (configuration === undefined) return [];
  const held = new Set(blockKeys(configuration, addressesIn(legacyResources)));
  return blocks.filter((one) => !held.has(blockKey(configuration, one)));
}

function importAgain(
  { address, id = '', zoneId, accountId = '' }: OwnedRuleset,
  version: string,
): PlannedImport {
  const importId =
    zoneId === undefined ? accountImportId(accountId, id) : zoneImportId(version, zoneId, id);
  return { zoneId: zoneId ?? accountId, address, importId, declared: true };
}

function importZone(
  { state, to, isSynthesised: isStack }: Departure,
  zone: OwnedZone,
): PlannedImport {
  return {
    ...zone,
    importId: zoneImportId(to, zone.zoneId, zone.rulesetId),
    declared: declarationOf(state, zone.address) !== undefined,
    ...(isStack
      ? { provider: boundProvider(state, zone.zoneId) }
      : { edit: declarationEdit(state, zone) }),
  };
}

const isManaged = ({ mode }: { readonly mode: string }): boolean => mode === 'managed';

const addressesIn = (resources: readonly LegacyResource[]): string[] =>
  resources.map(({ address }) => address);
