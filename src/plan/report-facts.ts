import { partsBefore, withoutKeys } from '../core/resource-address';
import { type DeclaredRulesetAddress } from '../project/declared-rulesets';
import { type Finding } from '../core/finding';
import { providerMajors } from '../core/provider-majors';
import { startsOf } from '../tfconfig/state-blocks';
import { mayDeclare } from './edit-configuration';
import {
  type Facts,
  type OtherWorkspace,
  type OwnedZone,
  type PlanScope,
  type StateFacts,
} from './facts';
import { boundProvider, declaredAlone, isEntryPointOf, mayBeEntryPointOf } from './owners';
import { type StepDraft } from './plan';
import { majorOf, precedes, typeOfAddress, unknownTypes } from './provider-versions';
import * as finding from './findings';

/** All findings of one state. Most need selected zones. */
export function findingsOf(facts: Facts, steps: readonly StepDraft[]): Finding[] {
  const { state, imports, leaving, own, removal, retiring, scope, unheld } = facts;
  const { name, installed } = state;
  const isChanged = steps.length > 0;
  const removed = [
    ...(removal?.findings ?? []),
    ...(scope.asked.length === 0 ? [] : own)
      .filter(({ imported }) => imported)
      .map((zone) => finding.rulesetInState(zone.zoneId, zone)),
  ];
  const firewallRules = some(retiring, (rules) =>
    finding.firewallRulesLeave(rules.map(({ address }) => address).join(', ')),
  );
  if (scope.asked.length === 0) {
    const unknown = typesUnknownToProvider(facts);
    if (!isChanged) return unknown.length > 0 ? unknown : [finding.nothingBlocks(name)];
    return [
      ...some(facts.blockages, (names) => finding.planningBlocked(name, { names })),
      ...newerThanTested(facts),
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
    ...newerThanTested(facts),
    ...state.legacyResources
      .filter(({ zoneId }) => zoneId === undefined)
      .map(({ address }) => finding.resourceWithoutZone(address, { leaves: leaving.length > 0 })),
    ...removed,
    ...hazards(facts, isChanged),
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

/** Reports versions that are newer than the tested ones. */
function newerThanTested({ state, from, to }: Facts): Finding[] {
  return [...new Set([from, to])].flatMap((version) => {
    const { last } = providerMajors[majorOf(version)];
    return precedes(last, version)
      ? [finding.providerNewerThanTested(state.name, { to: version, last })]
      : [];
  });
}

/** Reports what would make an apply in the folder fail or cause damage. */
function hazards(facts: Facts, isChanged: boolean): Finding[] {
  const { state, importsAgain, rulesets } = facts;
  const { name, pageRules, wafSettings } = state;
  const own = importsAgain ? rulesets : facts.own;
  return [
    ...notImported(state, own, isChanged),
    ...own.flatMap((zone) => hazardsOfZone(state, zone)),
    ...some(pageRules, (names) => finding.pageRuleSwitchesWaf(name, { names })),
    ...some(wafSettings, (names) => finding.settingSwitchesWaf(name, { names })),
    ...ownedElsewhere(state, own, isChanged),
    ...forAllWorkspaces(state, own),
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

function notImported(state: StateFacts, own: readonly OwnedZone[], isChanged: boolean): Finding[] {
  const known = new Set(own.map(({ address }) => withoutKeys(address)));
  const isShared = state.otherWorkspaces.length > 0;
  return (
    declaredAlone(state)
      .filter(({ address, zoneId }) => zoneId !== undefined && !known.has(address))
      // excludes rulesets of other workspaces: a count excludes them here, or a separate blocker reports them
      .filter(
        (one) =>
          owningWorkspace(state, one.zoneId ?? '') === undefined ||
          (isOfOneZone(one) && !isChanged),
      )
      .map(({ address }) => finding.entryPointNotImported(address, { isShared }))
  );
}

/** The other workspace whose state has the entry point of a zone. */
function owningWorkspace(
  { otherWorkspaces }: StateFacts,
  zoneId: string,
): OtherWorkspace | undefined {
  return otherWorkspaces.find(({ rulesets }) => rulesets.some(isEntryPointOf(zoneId)));
}

function ownedElsewhere(
  state: StateFacts,
  own: readonly OwnedZone[],
  isChanged: boolean,
): Finding[] {
  // rulesets of other workspaces do not affect a plan without steps
  const declared = isChanged ? declaredAlone(state).filter(isOfOneZone) : [];
  const meant = [...own.filter(({ imported }) => !imported), ...declared];
  const zones = new Map(meant.map(({ address, zoneId }) => [address, zoneId]));
  return [...zones].flatMap(([address, zoneId]) => {
    const owner = owningWorkspace(state, zoneId);
    return owner ? [finding.rulesetOfOtherWorkspace(address, { name: owner.name, zoneId })] : [];
  });
}

function forAllWorkspaces(state: StateFacts, own: readonly OwnedZone[]): Finding[] {
  const { otherWorkspaces, declared } = state;
  if (otherWorkspaces.length === 0) return [];
  const names = otherWorkspaces.map(({ name }) => name);
  return own
    .filter(({ imported, zoneId }) => !imported && owningWorkspace(state, zoneId) === undefined)
    .filter(({ address }) => {
      const one = declared.find((ruleset) => ruleset.address === withoutKeys(address));
      // treats the ruleset as the entry point even if its phase is an expression
      return (
        one === undefined || isOfOneZone({ ...one, zoneId: one.zoneId ?? one.mayBeOf ?? undefined })
      );
    })
    .map(({ address, zoneId }) => finding.declaredForAllWorkspaces(address, { names, zoneId }));
}

/** Whether every workspace would create the ruleset for the same zone. */
function isOfOneZone(
  one: DeclaredRulesetAddress,
): one is DeclaredRulesetAddress & { readonly zoneId: string } {
  return one.zoneId !== undefined && one.isRepeated !== true;
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

/** Reports other stacks of a CDKTF project whose provider changes with a planned one. */
export function otherStacks(planned: readonly Facts[]): Finding[] {
  const dirs = new Set(planned.map(({ state }) => state.dir));
  return planned.flatMap(({ state, from, to }) => {
    const others = state.otherStacks.filter(({ dir }) => !dirs.has(dir));
    if (majorOf(to) <= majorOf(from)) return [];
    const names = others.map(({ name }) => name);
    return some(names, () => finding.otherStacksChangeMajor(state.name, { to, names }));
  });
}
