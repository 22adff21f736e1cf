import { partsBefore, withoutKeys } from '../core/resource-address';
import { type Finding } from '../core/finding';
import { startsOf } from '../tfconfig/state-blocks';
import { mayDeclare } from './edit-configuration';
import { type Facts, type OwnedZone, type PlanScope, type StateFacts } from './facts';
import { boundProvider, declaredAlone, isEntryPointOf, mayBeEntryPointOf } from './owners';
import { type StepDraft } from './plan';
import { majorOf, typeOfAddress, unknownTypes } from './provider-versions';
import * as finding from './findings';

/** All findings of one state. Most need selected zones. */
export function findingsOf(facts: Facts, steps: readonly StepDraft[]): Finding[] {
  const { state, imports, leaving, removal, retiring, scope, unheld } = facts;
  const { name, installed } = state;
  const isChanged = steps.length > 0;
  const removed = removal?.findings ?? [];
  const firewallRules = some(retiring, (rules) =>
    finding.firewallRulesLeave(rules.map(({ address }) => address).join(', ')),
  );
  if (scope.asked.length === 0) {
    const unknown = typesUnknownToProvider(facts);
    if (!isChanged) return unknown.length > 0 ? unknown : [finding.nothingBlocks(name)];
    return [
      ...some(facts.blockages, (names) => finding.planningBlocked(name, { names })),
      ...folderHazards(state),
      ...removed,
      ...firewallRules,
      ...unknown,
    ];
  }
  return [
    ...otherZones(facts),
    ...(isChanged && facts.method === 'commands'
      ? some(state.unsetVariables, (names) => finding.variablesUnset(name, { names }))
      : []),
    ...leftBefore(facts),
    ...some(unheld, (names) => finding.legacyBlocksDeclared(name, { names })),
    ...(imports.length > 0 && installed === undefined
      ? [finding.providerAssumed(name, facts)]
      : []),
    ...state.legacyResources
      .filter(({ zoneId }) => zoneId === undefined)
      .map(({ address }) => finding.resourceWithoutZone(address, { leaves: leaving.length > 0 })),
    ...removed,
    ...hazards(facts),
    ...otherDialect(facts, steps),
    ...firewallRules,
    ...(isChanged ? typesUnknownToProvider(facts) : []),
  ];
}

function some<Item>(
  items: readonly Item[],
  report: (items: readonly Item[]) => Finding,
): readonly Finding[] {
  return items.length === 0 ? [] : [report(items)];
}

/** Reports legacy resources of zones that were not selected. They stay in the state, or block the plan. */
function otherZones({ state, scope, leaving }: Facts): readonly Finding[] {
  if (leaving.length === 0) return [];
  const { name, legacyResources, installed } = state;
  const ofOthers = legacyResources.filter(
    ({ zoneId, mode }) =>
      mode === 'managed' && zoneId !== undefined && !scope.asked.includes(zoneId),
  );
  const removed = new Set(leaving);
  return some(ofOthers, () => {
    const names = finding.counted(ofOthers.map(({ zoneId = '' }) => zoneId));
    return ofOthers.some((one) => removed.has(one))
      ? finding.otherZonesLeave(name, { names, isKnown: installed !== undefined })
      : finding.otherZonesStay(name, { names });
  });
}

/** Reports a state without legacy resources, because it may be the wrong one. */
function leftBefore({ state, imports, leftBefore: hasLeft, legacyBlocks }: Facts): Finding[] {
  const isDeclared = imports.every(({ address }) =>
    state.declared.some((one) => one.address === address),
  );
  const isClean = isDeclared && legacyBlocks.every(({ mode }) => mode === 'data');
  return hasLeft && !isClean ? [finding.legacyResourcesGone(state.name)] : [];
}

/** Reports what would make an apply in the folder fail or cause damage. */
function hazards(facts: Facts): Finding[] {
  const { state, importsAgain, rulesets } = facts;
  const { name, pageRules } = state;
  const own = importsAgain ? rulesets : facts.own;
  return [
    ...notImported(state, own),
    ...own.flatMap((zone) => hazardsOfZone(state, zone)),
    ...some(pageRules, (names) => finding.pageRuleSwitchesWaf(name, { names })),
    ...ownedElsewhere(state, own),
    ...folderHazards(state),
  ];
}

function hazardsOfZone(state: StateFacts, zone: OwnedZone): Finding[] {
  const { address, imported, live, zoneId } = zone;
  const declared = state.declared.find((one) => one.address === address);
  const differing = (['name', 'kind', 'phase'] as const).filter(
    (field) => declared?.[field] !== undefined && live && declared[field] !== live[field],
  );
  const other = state.rulesets.find((one) => one.address === address)?.id;
  const isThere = imported || declared !== undefined;
  const reference =
    isThere || zone.declaration !== undefined ? undefined : boundProvider(state, zoneId);
  // if the zone has its own ruleset, one with an unknown zone usually belongs to another zone
  const perhaps = declaredAlone(state)
    .filter(mayBeEntryPointOf(zoneId))
    .filter((one) => !isThere || (one.mayBeOf === zoneId && one.address !== address));
  return [
    ...some(differing, (names) => finding.rulesetWouldBeReplaced(address, { names })),
    ...(imported && isUndeclared(state, address) ? [finding.entryPointNotDeclared(address)] : []),
    ...(other === undefined || other === zone.rulesetId
      ? []
      : [finding.entryPointDiffers(address, { ...zone, other })]),
    ...(!imported && declared?.isRepeated === true ? [finding.rulesetNeedsKey(address, zone)] : []),
    ...perhaps.map((one) => finding.entryPointMayBeDeclared(one.address, { zone, one, isThere })),
    ...(reference === undefined
      ? []
      : [finding.providerNotDefault(address, { zoneId, reference })]),
  ];
}

/** Whether a ruleset in the state is no longer declared, such as after a git revert of its declaration. */
function isUndeclared({ configuration, pendingMoves }: StateFacts, address: string): boolean {
  if (configuration === undefined || mayDeclare(configuration, address)) return false;
  const leaving = [
    ...pendingMoves.map(({ from }) => withoutKeys(from)),
    ...startsOf(configuration.project, 'removed'),
  ];
  return !partsBefore(withoutKeys(address)).some((part) => leaving.includes(part));
}

function notImported(state: StateFacts, own: readonly OwnedZone[]): Finding[] {
  const known = new Set(own.map(({ address }) => withoutKeys(address)));
  return declaredAlone(state)
    .filter(({ address, zoneId }) => zoneId !== undefined && !known.has(address))
    .map(({ address }) => finding.entryPointNotImported(address));
}

/** Reports rulesets to import that the state of another workspace has. */
function ownedElsewhere({ otherWorkspaces }: StateFacts, own: readonly OwnedZone[]): Finding[] {
  return own
    .filter(({ imported }) => !imported)
    .flatMap(({ address, zoneId }) => {
      const owner = otherWorkspaces.find(({ rulesets }) => rulesets.some(isEntryPointOf(zoneId)));
      return owner ? [finding.rulesetOfOtherWorkspace(address, { name: owner.name, zoneId })] : [];
    });
}

/** Reports what prevents the steps in the folder of a state. */
function folderHazards({ name, pendingMoves, otherWorkspaces }: StateFacts): Finding[] {
  // the provider makes moves to another type: `state mv` cannot, and the checks accept them
  const moves = pendingMoves.filter(({ from, to }) => typeOfAddress(from) === typeOfAddress(to));
  const holding = otherWorkspaces.filter((one) => one.legacyResources.length > 0);
  return [
    ...moves.map((move) => finding.movePending(`${move.file}:${move.line}`, move)),
    ...some(holding, () =>
      finding.otherWorkspaces(name, { names: holding.map((one) => one.name) }),
    ),
  ];
}

/** Reports rulesets whose syntax the provider of the plan does not accept. */
function otherDialect({ state, from, to }: Facts, steps: readonly StepDraft[]): Finding[] {
  const { declared, dir, installed, wanted } = state;
  if (installed === undefined && wanted === undefined) return [];
  const isUpgrade = steps.some(({ kind }) => kind === 'upgrade-provider');
  const major = majorOf(isUpgrade ? to : from);
  return declared
    .filter(({ majors = [] }) => majors.length > 0 && !majors.includes(major))
    .map((one) =>
      finding.rulesetOfOtherProvider(one.address, {
        ...{ declared: one, dir: one.dir ?? dir, major, isUpgrade },
      }),
    );
}

/** Reports types in the state or files that the provider of the plan does not know. */
function typesUnknownToProvider({ state, to }: Facts): Finding[] {
  const { configuration, unknownEntries } = state;
  const declared = [...(configuration?.project.modules.values() ?? [])]
    .flatMap(({ resources }) => resources)
    .filter(({ mode }) => mode === 'managed');
  const moved = new Set(configuration && startsOf(configuration.project, 'moved').map(withoutKeys));
  return [...unknownTypes(to)].flatMap(([type, newTypes]) => {
    const blocks = declared
      .filter((one) => one.type === type)
      .map(({ block }) => `${block.address} (${block.file}:${block.range.startLine})`);
    const entries = unknownEntries.filter(
      (address) => typeOfAddress(address) === type && !moved.has(withoutKeys(address)),
    );
    if (blocks.length + entries.length === 0) return [];
    const report = configuration === undefined ? finding.typeMayBeUnknown : finding.typeUnknown;
    return [report(type, { to, blocks, entries, newTypes })];
  });
}

/**
 * Reports zones without legacy resources or a ruleset in any state. Reports none if no state has legacy resources and
 * none has a ruleset of a selected zone.
 */
export function zonesNotInStates(
  { asked, owned }: PlanScope,
  states: readonly StateFacts[],
): Finding[] {
  const known = new Set(owned.map(({ zoneId }) => zoneId));
  const missed = asked
    .filter((zoneId) => !known.has(zoneId))
    .filter((zoneId) => !states.some(({ rulesets }) => rulesets.some(isEntryPointOf(zoneId))));
  const isClean = states.every(({ legacyResources }) => legacyResources.length === 0);
  return isClean && missed.length === asked.length
    ? []
    : missed.map((zoneId) => finding.zoneNotInState(zoneId));
}
