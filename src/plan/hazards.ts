import { forgottenAddresses } from '../tfconfig/find-blocks';
import { partsBefore, withoutKeys } from '../tfconfig/resource-address';
import { type Finding } from '../core/finding';
import { declaredAlone, isEntryPointOf, mayBeEntryPointOf, type OwnedZone } from './assign-owners';
import { boundProvider } from './bound-provider';
import { mayDeclare } from './edit-configuration';
import * as finding from './findings';
import { type DeclaredRulesetAddress } from '../project/configuration';
import { type OtherWorkspace, type PlannedState } from './planned-state';
import { typeOfAddress } from './unknown-types';

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
