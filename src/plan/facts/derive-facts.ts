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
function departureOf(state: StateFacts, { owned, method: selectedMethod }: PlanScope) {
  const { configuration, legacyResources } = state;
  const { from, to } = versionsOf(state);
  const own = owned.filter(({ owner }) => owner === state);
  const entering = own.filter(({ imported }) => !imported);
  const legacyBlocks =
    configuration === undefined ? [] : findBlocksOfTypes(configuration.project, legacyWafTypes);
  const planned = new Set(owned.map(({ zoneId }) => zoneId));
  const isOfPlan = ({ zoneId = '' }: LegacyResource): boolean => planned.has(zoneId);
  // a state without any zone of the plan is probably the wrong one, so it stays unchanged
  const hasZoneOfPlan = entering.length > 0 || legacyResources.some(isOfPlan);
  const managedBlocks = legacyBlocks.filter(isManaged);
  const declares = own.length > 0 && managedBlocks.length > 0;
  const method: Method =
    selectedMethod === 'blocks' && (hasZoneOfPlan || declares) ? 'blocks' : 'commands';
  const orphans = orphanedProviders(state);
  const reimported = rulesetsToImportAgain(state);
  const removesAll = method === 'blocks' || mustRemoveAll(state);
  // provider 4 and 5 plan nothing while a legacy resource is left, also where only the ruleset is of the plan
  const mayRemove = hasZoneOfPlan || (own.length > 0 && !knowsLegacyWaf(from));
  const removedResources = legacyResources.filter(
    (one) =>
      mayRemove && (removesAll || one.mode === 'data' || one.zoneId === undefined || isOfPlan(one)),
  );
  const blockZones = zonesOfBlocks(configuration, legacyResources, state.values);
  /** Whether a block has only zones of which this is true; not if its zones are unknown. */
  const hasOnly = ({ block }: ResourceBlock, isIt: (zone: string) => boolean): boolean => {
    const zones = [...(blockZones.get(block) ?? [])];
    return zones.length > 0 && zones.every(isIt);
  };
  const inState = new Set(legacyResources.map(({ zoneId }) => zoneId));
  const inBlocks = zonesInBlocks(blockZones);
  const lost = entering.filter(({ zoneId }) => inBlocks.has(zoneId) && !inState.has(zoneId));
  return {
    state,
    from,
    to,
    own,
    entering,
    reimported,
    method,
    orphans,
    legacyBlocks,
    removesAll,
    removedResources,
    blockZones,
    blocksOfOthers: managedBlocks.filter((one) => hasOnly(one, (zone) => !planned.has(zone))),
    lostZones: new Set(lost.map(({ zoneId }) => zoneId)),
    lostBlocks: withoutResource(state, managedBlocks).filter((block) =>
      hasOnly(block, (zone) => own.some(({ zoneId }) => zoneId === zone)),
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
  const { state, from, to, own, entering, reimported } = departure;
  const { method, legacyBlocks, removesAll, removedResources } = departure;
  const { exists, dir, configuration, legacyResources } = state;
  const isStack = configuration !== undefined && isSynthesised(configuration.project);
  const removedBefore = scope.isAlone && entering.length > 0 && legacyResources.length === 0;
  const removesBlocks =
    method === 'blocks' &&
    configuration !== undefined &&
    legacyBlocks.some((one) => isManaged(one) && !kept.has(blockKey(configuration, one)));
  const isIdle =
    removedResources.length + entering.length === 0 &&
    !onlyImportsAgain(departure, scope, isStack) &&
    !removesBlocks;
  const retiring = isIdle || retiredTypes(to).length === 0 ? [] : state.retired;
  const leaving = [...addressesIn(removedResources), ...retiring];
  const addsAll =
    method === 'blocks' || (removedResources.length === 0 ? removedBefore : removesAll);
  const removal =
    configuration === undefined || (isIdle && method !== 'blocks')
      ? undefined
      : planRemoval(configuration, leaving, blocksInAddition(departure, addsAll), kept);
  return {
    ...departure,
    scope,
    removedBefore,
    isIdle,
    retiring,
    removal,
    exists,
    dir,
    configuration,
    isSynthesised: isStack,
    // only method blocks writes them again
    stackBlocks:
      method === 'blocks' && configuration ? blocksOfStack(configuration.project) : undefined,
    blocksWithoutResource:
      removedResources.length > 0 || removedBefore || removesBlocks || legacyResources.length === 0
        ? blocksWithoutResource(departure, removal)
        : [],
    backup: backupFile(state, state.serial),
    removed: [...new Set(leaving), ...reimported.map(({ address }) => address)],
    checkedAlone: removedResources.length < legacyResources.length ? own : undefined,
    imports: [
      ...reimported.map((ruleset) => importAgain(ruleset, to)),
      ...entering.map((zone) => importZone(state, zone, to, isStack)),
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
  { state, reimported, legacyBlocks }: Departure,
  { selected }: PlanScope,
  isStack: boolean,
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
 * The blocks to remove besides those of the removed resources.
 * @param all whether all legacy blocks go, including those without resources in the state
 */
function blocksInAddition(
  { state: { configuration }, to, legacyBlocks, lostBlocks }: Departure,
  all: boolean,
): readonly ResourceBlock[] {
  if (configuration === undefined) return [];
  const retired = retiredTypes(to).map((type) => ({ mode: 'managed' as const, type }));
  if (all) return [...legacyBlocks, ...findBlocksOfTypes(configuration.project, retired)];
  // `terraform import` reads every data source
  return legacyBlocks.filter((one) => !isManaged(one) || lostBlocks.includes(one));
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
  state: StateFacts,
  zone: OwnedZone,
  version: string,
  isStack: boolean,
): PlannedImport {
  return {
    ...zone,
    importId: zoneImportId(version, zone.zoneId, zone.rulesetId),
    declared: declarationOf(state, zone.address) !== undefined,
    ...(isStack
      ? { provider: boundProvider(state, zone.zoneId) }
      : { edit: declarationEdit(state, zone) }),
  };
}

const isManaged = ({ mode }: { readonly mode: string }): boolean => mode === 'managed';

const addressesIn = (resources: readonly LegacyResource[]): string[] =>
  resources.map(({ address }) => address);
