import { forgottenAddresses, startsOf } from '../tfconfig/find-blocks';
import { partsBefore, withoutKeys } from '../core/resource-address';
import { type Finding } from '../core/finding';
import {
  declaredAlone,
  isEntryPointOf,
  mayBeEntryPointOf,
  type OwnedZone,
  boundProvider,
  type OtherWorkspace,
  type PlannedState,
} from './facts';
import { mayDeclare } from './edit-configuration';
import * as finding from './findings';
import { type DeclaredRulesetAddress } from '../project/read-configuration';
import { typeOfAddress, majorOf, precedes, unknownTypes } from './provider-versions';
import { providerMajors } from '../core/provider-majors';
import { type OldResource } from '../tfstate/legacy-resources';
import { type ChosenOrder } from './order';

/**
 * What would make an apply in the folder of a state do harm, or fail.
 * @param isChanged whether the plan has steps for the state
 */
export function hazardsOf(
  state: PlannedState,
  own: readonly OwnedZone[],
  isChanged: boolean,
): Finding[] {
  const { name, pageRules = [], wafSettings = [] } = state;
  return [
    ...notImported(state, own, isChanged),
    ...own.flatMap((zone) => hazardsOfZone(state, zone)),
    ...(pageRules.length === 0 ? [] : [finding.pageRuleSwitchesWaf(name, { names: pageRules })]),
    ...(wafSettings.length === 0 ? [] : [finding.settingSwitchesWaf(name, { names: wafSettings })]),
    ...ownedElsewhere(state, own, isChanged),
    ...forAllWorkspaces(state, own),
    ...folderHazards(state),
  ];
}

function hazardsOfZone(state: PlannedState, zone: OwnedZone): Finding[] {
  const { address, imported, live, zoneId } = zone;
  const declared = state.declared.find((one) => one.address === address);
  const differing = (['name', 'kind', 'phase'] as const).filter(
    (field) => declared?.[field] !== undefined && live && declared[field] !== live[field],
  );
  const other = state.rulesets.find((one) => one.address === address)?.id;
  const reference =
    imported || declared !== undefined || zone.declaration !== undefined
      ? undefined
      : boundProvider(state, zoneId);
  return [
    ...(differing.length === 0
      ? []
      : [finding.rulesetWouldBeReplaced(address, { names: differing })]),
    ...(imported && isUndeclared(state, address) ? [finding.entryPointNotDeclared(address)] : []),
    ...(other === undefined || other === zone.rulesetId
      ? []
      : [finding.entryPointDiffers(address, { ...zone, other })]),
    ...(!imported && declared?.isRepeated === true ? [finding.rulesetNeedsKey(address, zone)] : []),
    ...mayBeDeclared(state, zone, imported || declared !== undefined),
    ...(reference === undefined
      ? []
      : [finding.providerNotDefault(address, { zoneId, reference })]),
  ];
}

/** A ruleset whose zone or phase is an expression, beside the address that is planned for. */
function mayBeDeclared(state: PlannedState, zone: OwnedZone, isThere: boolean): Finding[] {
  return (
    declaredAlone(state)
      .filter(mayBeEntryPointOf(zone.zoneId))
      // where the zone has its own, a ruleset of a zone that is not told is another zone's as a rule
      .filter(
        ({ address, mayBeOf }) => !isThere || (mayBeOf === zone.zoneId && address !== zone.address),
      )
      .map((one) => finding.entryPointMayBeDeclared(one.address, { zone, one, isThere }))
  );
}

/** Whether a ruleset of the state is declared no more, as after a revert in git of what took it in. */
function isUndeclared(
  { configuration, pendingMoves = [] }: PlannedState,
  address: string,
): boolean {
  if (configuration === undefined || mayDeclare(configuration, address)) return false;
  const leaving = [
    ...pendingMoves.map(({ from }) => withoutKeys(from)),
    ...forgottenAddresses(configuration.project),
  ];
  return !partsBefore(withoutKeys(address)).some((part) => leaving.includes(part));
}

function notImported(
  state: PlannedState,
  own: readonly OwnedZone[],
  isChanged: boolean,
): Finding[] {
  const known = new Set(own.map(({ address }) => withoutKeys(address)));
  const isShared = (state.otherWorkspaces ?? []).length > 0;
  return (
    declaredAlone(state)
      .filter(({ address, zoneId }) => zoneId !== undefined && !known.has(address))
      // of another workspace: a count keeps it out of this one, or it is a blocker of its own
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
  { otherWorkspaces = [] }: PlannedState,
  zoneId: string,
): OtherWorkspace | undefined {
  return otherWorkspaces.find(({ rulesets }) => rulesets.some(isEntryPointOf(zoneId)));
}

function ownedElsewhere(
  state: PlannedState,
  own: readonly OwnedZone[],
  isChanged: boolean,
): Finding[] {
  // what is declared in another workspace is not in the way of a plan without steps
  const declared = isChanged ? declaredAlone(state).filter(isOfOneZone) : [];
  const meant = [...own.filter(({ imported }) => !imported), ...declared];
  const zones = new Map(meant.map(({ address, zoneId }) => [address, zoneId]));
  return [...zones].flatMap(([address, zoneId]) => {
    const owner = owningWorkspace(state, zoneId);
    return owner ? [finding.rulesetOfOtherWorkspace(address, { name: owner.name, zoneId })] : [];
  });
}

function forAllWorkspaces(state: PlannedState, own: readonly OwnedZone[]): Finding[] {
  const { otherWorkspaces = [], declared } = state;
  if (otherWorkspaces.length === 0) return [];
  const names = otherWorkspaces.map(({ name }) => name);
  return own
    .filter(({ imported, zoneId }) => !imported && owningWorkspace(state, zoneId) === undefined)
    .filter(({ address }) => {
      const one = declared.find((ruleset) => ruleset.address === withoutKeys(address));
      // meant as the entry point, whatever an expression tells of its phase
      return (
        one === undefined || isOfOneZone({ ...one, zoneId: one.zoneId ?? one.mayBeOf ?? undefined })
      );
    })
    .map(({ address, zoneId }) => finding.declaredForAllWorkspaces(address, { names, zoneId }));
}

/** Whether every workspace would create it, and for the same zone. */
function isOfOneZone(
  one: DeclaredRulesetAddress,
): one is DeclaredRulesetAddress & { readonly zoneId: string } {
  return one.zoneId !== undefined && one.isRepeated !== true;
}

/** What in the folder of a state stands in the way of its steps. */
export function folderHazards({
  name,
  pendingMoves = [],
  otherWorkspaces = [],
}: PlannedState): Finding[] {
  // a move to another type is the provider's: no `state mv` does it, and the checks accept it
  const moves = pendingMoves.filter(({ from, to }) => typeOfAddress(from) === typeOfAddress(to));
  const holding = otherWorkspaces.filter(({ oldResources }) => oldResources.length > 0);
  return [
    ...moves.map((move) => finding.movePending(`${move.file}:${move.line}`, move)),
    ...(holding.length === 0
      ? []
      : [finding.otherWorkspaces(name, { names: holding.map((one) => one.name) })]),
  ];
}

/** A later provider that was asked for comes with what leaves or enters a state, and with nothing else. */
export function noOldResources({ name, installed, wanted }: PlannedState): Finding {
  const isUpgrade =
    installed !== undefined && wanted !== undefined && majorOf(wanted) > majorOf(installed);
  return finding.noOldResources(name, { kept: isUpgrade ? installed : undefined });
}

/** What is declared and in no state is to be created, which nothing can do any more. */
export function oldBlocksDeclared({ name }: PlannedState, blocks: readonly string[]): Finding[] {
  return blocks.length === 0 ? [] : [finding.oldBlocksDeclared(name, { names: blocks })];
}

/** Legacy resources of zones that were not selected: they stay in the state, or the plan is blocked. */
export function otherZones(
  { name, oldResources, installed }: PlannedState,
  leaving: readonly OldResource[],
  selected: ReadonlySet<string>,
): Finding[] {
  const ofOthers = oldResources.filter(
    ({ zoneId, mode }) => mode === 'managed' && zoneId !== undefined && !selected.has(zoneId),
  );
  if (ofOthers.length === 0) return [];
  const names = counted(ofOthers.map(({ zoneId = '' }) => zoneId));
  const removed = new Set(leaving);
  return [
    ofOthers.some((one) => removed.has(one))
      ? finding.otherZonesLeave(name, { names, isKnown: installed !== undefined })
      : finding.otherZonesStay(name, { names }),
  ];
}

/** @param leaving of a state that holds them: all that do not say their zone, or none of them */
export function withoutZone(
  { oldResources }: PlannedState,
  leaving: readonly OldResource[],
): Finding[] {
  return oldResources
    .filter(({ zoneId }) => zoneId === undefined)
    .map(({ address }) => finding.resourceWithoutZone(address, { leaves: leaving.length > 0 }));
}

/**
 * Zones of which no given state holds anything, or is to: neither old resources nor the ruleset. Of
 * states that hold nothing old, and nothing of any zone, there is no zone to be missed in.
 */
export function zonesNotInStates(
  asked: readonly string[],
  owned: readonly OwnedZone[],
  states: readonly PlannedState[],
): Finding[] {
  const known = new Set(owned.map(({ zoneId }) => zoneId));
  const missed = asked
    .filter((zoneId) => !known.has(zoneId))
    .filter((zoneId) => !states.some(({ rulesets }) => rulesets.some(isEntryPointOf(zoneId))));
  const isWithoutOld = states.every(({ oldResources }) => oldResources.length === 0);
  return isWithoutOld && missed.length === asked.length
    ? []
    : missed.map((zoneId) => finding.zoneNotInState(zoneId));
}

/** Versions that came after those that were tested work as far as is known. */
export function newerThanTested(
  { name }: PlannedState,
  { from, to }: Pick<ChosenOrder, 'from' | 'to'>,
): Finding[] {
  return [...new Set([from, to])].flatMap((version) => {
    const { last } = providerMajors[majorOf(version)];
    return precedes(last, version)
      ? [finding.providerNewerThanTested(name, { to: version, last })]
      : [];
  });
}

/** Types of the state or the files that the provider of the plan does not know. */
export function typesUnknownToProvider(
  { configuration, unknownEntries = [] }: PlannedState,
  to: string,
): Finding[] {
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

/** Declared rulesets that the provider of the plan does not take as they are written. */
export function otherDialect(
  { declared, dir, installed, wanted }: PlannedState,
  { from, to }: Pick<ChosenOrder, 'from' | 'to'>,
): Finding[] {
  if (installed === undefined && wanted === undefined) return [];
  const major = majorOf(to);
  const isUpgrade = major !== majorOf(from);
  return declared
    .filter(({ majors = [] }) => majors.length > 0 && !majors.includes(major))
    .map((one) =>
      finding.rulesetOfOtherProvider(one.address, {
        ...{ declared: one, dir: one.dir ?? dir, major, isUpgrade },
      }),
    );
}

/** A state, and what is planned of its provider. */
interface PlannedStack {
  readonly state: PlannedState;
  readonly planned: { readonly provider: Pick<ChosenOrder, 'from' | 'to'> };
}

/** Other stacks of a CDKTF project that change their provider with a planned one. */
export function otherStacks(planned: readonly PlannedStack[]): Finding[] {
  const dirs = new Set(planned.map(({ state }) => state.dir));
  return planned.flatMap(({ state, planned: { provider } }) => {
    const others = (state.otherStacks ?? []).filter(({ dir }) => !dirs.has(dir));
    if (majorOf(provider.to) <= majorOf(provider.from) || others.length === 0) return [];
    const names = others.map(({ name }) => name);
    return [finding.otherStacksChangeMajor(state.name, { to: provider.to, names })];
  });
}

/** Each text once, with how often it is there. */
export function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${text} (${count})`);
}
