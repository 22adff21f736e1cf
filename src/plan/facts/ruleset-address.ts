import { posix } from 'node:path';
import { isIdentifier } from '../../core/identifier';
import { withoutKeys } from '../../core/resource-address';
import { isCloudflareRequirement } from '../../project/provider-version';
import { isOfZone } from '../../project/declarations';
import {
  canBeEntryPoint,
  type DeclaredRulesetAddress,
  entryPointOf,
} from '../../project/declared-rulesets';
import { MANAGED_PHASE } from '../../core/ruleset';
import { type FileEdit, planNewFile } from '../../tfconfig/file-edit';
import { findBlocks } from '../../tfconfig/find-blocks';
import { countOf } from './one-state';
import { zonesInConfiguration } from './zones-of-blocks';
import { type OwnedRuleset, type OwnedZone, type PlannedZone, type StateFacts } from './facts';

/** Assigns each zone at most one state: the one that has its ruleset, or else the one that imports it. */
export function assignOwners(
  zones: readonly PlannedZone[],
  states: readonly StateFacts[],
): OwnedZone[] {
  const rules = importRules(states, zones.length === 1);
  return zones.flatMap((zone): OwnedZone[] => {
    for (const owner of states) {
      const owned = ownedRuleset(owner, zone);
      if (owned !== undefined) return [{ ...zone, address: owned.address, owner, imported: true }];
    }
    for (const stateFor of rules) {
      const owner = stateFor(zone.zoneId);
      if (owner !== undefined)
        return [{ ...zone, address: addressIn(owner, zone), owner, imported: false }];
    }
    return [];
  });
}

type ImportRule = (zoneId: string) => StateFacts | undefined;

/** Which state imports the ruleset of a zone that no state has: the first rule that finds one decides. */
function importRules(states: readonly StateFacts[], isForOneZone: boolean): readonly ImportRule[] {
  // reads each state once, not once per zone
  const candidates = states.map((state) => ({
    state,
    declared: new Set(state.declared.map(({ zoneId }) => zoneId)),
    perhaps: new Set(declaredNotInState(state).map(({ mayBeOf }) => mayBeOf)),
    held: new Set(state.legacyResources.map(({ zoneId }) => zoneId)),
    named: zonesInConfiguration(state),
  }));
  const holding: ImportRule = (zoneId) => candidates.find(({ held }) => held.has(zoneId))?.state;
  const fresh = newState(states);
  const only = onlyState(states, isForOneZone);
  return [
    // a state that declares it
    (zoneId) => candidates.find(({ declared }) => declared.has(zoneId))?.state,
    // a state whose declaration can only be of this zone
    (zoneId) => candidates.find(({ perhaps }) => perhaps.has(zoneId))?.state,
    // the new state, if another one has the legacy resources of the zone
    (zoneId) => holding(zoneId) && fresh,
    holding,
    // a state whose files have legacy blocks of the zone: the resources may have been removed from it before
    (zoneId) => candidates.find(({ named }) => named.has(zoneId))?.state,
    // the only state: the resources may have been removed before, for example by `terraform state rm`
    () => only,
  ];
}

/** The only state without any resource, if its folder declares no ruleset of a zone. */
function newState(states: readonly StateFacts[]): StateFacts | undefined {
  const [fresh, another] = states.filter(({ isEmpty }) => isEmpty);
  const isDeclaring = fresh?.declared.some(({ zoneId = '' }) => isIdentifier(zoneId)) === true;
  return another === undefined && !isDeclaring ? fresh : undefined;
}

/** The only state of the plan, if it has no legacy resources, or if the user named its folder for one zone. */
function onlyState(
  [only, another]: readonly StateFacts[],
  isForOneZone: boolean,
): StateFacts | undefined {
  if (only?.configuration === undefined || another !== undefined) return undefined;
  const isNamed = isForOneZone && only.isFound !== true;
  return isNamed || only.legacyResources.length === 0 ? only : undefined;
}

/**
 * Finds the ruleset by its id, or as the entry point of the zone. Another ruleset at the selected address does not
 * match.
 */
function ownedRuleset({ rulesets }: StateFacts, zone: PlannedZone): OwnedRuleset | undefined {
  const { zoneId, rulesetId } = zone;
  return rulesets.find(({ id }) => id === rulesetId) ?? rulesets.find(isEntryPointOf(zoneId));
}

/** Whether a ruleset is the entry point of a zone. A zone has only one per phase. */
export const isEntryPointOf =
  (zone: string) =>
  ({ zoneId, phase }: OwnedRuleset): boolean =>
    zoneId === zone && phase === MANAGED_PHASE;

/**
 * The address of an existing declaration, because a second one would conflict. Otherwise the selected address, or if
 * another ruleset has it, one with the start of the zone id, or the whole.
 */
function addressIn(state: StateFacts, zone: PlannedZone): string {
  const named = state.declared.filter(({ zoneId }) => zoneId === zone.zoneId);
  const own = named.length > 0 ? named : likelyRulesets(state, zone.zoneId);
  const one = own.find(({ address }) => address === zone.address) ?? own[0];
  if (one !== undefined) return instanceOf(one);
  const pending = pendingImport(state, zone);
  if (pending !== undefined) return pending;
  const { address, zoneId } = zone;
  const addresses = [address, addressOfZone(address, zoneId)];
  const free = addresses.find((one) => isFree(state, one, zoneId)) ?? `${address}_${zoneId}`;
  const declared = declarationOf(state, free);
  if (declared !== undefined) return instanceOf(declared);
  if (countOf(state, zoneId) === undefined) return free;
  // a command of the user declares it without a count
  const single = { ...zone, address: `${free}[0]`, owner: state, imported: false };
  return declarationEdit(state, single) === undefined ? free : single.address;
}

/** A `count` that selects one state gives its instance a key. */
const instanceOf = ({ address, isOfOneState }: DeclaredRulesetAddress): string =>
  isOfOneState === true ? `${address}[0]` : address;

/** The edit that declares the ruleset. Returns undefined if the text is unknown or the file exists. */
export function declarationEdit(state: StateFacts, zone: OwnedZone): FileEdit | undefined {
  const { dir, configuration } = state;
  if (configuration === undefined || declarationOf(state, zone.address)) return undefined;
  const declaration = zone.declare?.(zone);
  if (declaration === undefined) return undefined;
  const path = posix.join(dir, declaration.path);
  const { files } = configuration.project.rootModule;
  return files.some((file) => file.path === path) ? undefined : planNewFile(path, declaration.text);
}

/** The rulesets of the root module whose zone is a variable, of which the default names this zone. */
const likelyRulesets = (state: StateFacts, zone: string): readonly DeclaredRulesetAddress[] =>
  declaredNotInState(state).filter(({ address, isRepeated }) => {
    const { rootModule } = state.configuration?.project ?? {};
    const block = rootModule?.declarations.get(`managed.${address}`)?.[0]?.block;
    const entryPoint = block && entryPointOf('', block.body, state.values ?? new Map());
    return isRepeated !== true && entryPoint !== undefined && isOfZone(entryPoint, zone) === true;
  });

/** Where an `import` block of the user imports the ruleset; a resource in a module or with a key is not written. */
function pendingImport(
  { configuration }: StateFacts,
  { zoneId, rulesetId }: PlannedZone,
): string | undefined {
  const ids = ['zone', 'zones'].map((kind) => `${kind}/${zoneId}/${rulesetId}`);
  return configuration?.project.rootModule.stateBlocks.find(
    ({ kind, id = '', to = '' }) =>
      kind === 'import' && ids.includes(id) && /^cloudflare_ruleset\.[\w-]+$/.test(to),
  )?.to;
}

/** An address that the rulesets of other zones do not get. */
export function addressOfZone(address: string, zoneId: string): string {
  return `${address}_${zoneId.slice(0, 12)}`;
}

/** Whether neither a state of the folder nor the files have another ruleset at an address. */
function isFree(state: StateFacts, address: string, zoneId: string): boolean {
  const { rulesets, declared, configuration } = state;
  // Terraform refuses a block at an address that another one removes or moves
  if (configuration?.project.rootModule.stateBlocks.some(({ from }) => from === address))
    return false;
  if (rulesets.some((one) => withoutKeys(one.address) === address)) return false;
  const one = declared.find((ruleset) => ruleset.address === address);
  // this may be the entry point of the zone
  if (one !== undefined) return canBeEntryPoint(one, zoneId);
  return configuration === undefined || findBlocks(configuration.project, address).length === 0;
}

/** Whether the block at the address of an entry point has another zone or phase: an apply would replace the live ruleset. */
export function isInOtherBlock(
  state: Pick<StateFacts, 'declared'>,
  { address, zoneId }: Pick<OwnedRuleset, 'address' | 'zoneId'>,
): boolean {
  const block = declarationOf(state, address);
  return block !== undefined && !canBeEntryPoint(block, zoneId);
}

export function declarationOf({ declared }: Pick<StateFacts, 'declared'>, address: string) {
  return declared.find((one) => one.address === withoutKeys(address));
}

/** Declared rulesets that are, or can be, entry points of the managed phase, and are not in the state. */
export function declaredNotInState({
  declared,
  rulesets,
}: StateFacts): readonly DeclaredRulesetAddress[] {
  const owned = new Set(rulesets.map(({ address }) => withoutKeys(address)));
  return declared.filter((one) => !owned.has(one.address) && canBeEntryPoint(one));
}

/** Declared rulesets of which the state has an instance, and can lack those of other zones. */
export function declaredInPart(state: StateFacts): readonly DeclaredRulesetAddress[] {
  const alone = new Set(declaredNotInState(state));
  return state.declared.filter(
    (one) => one.isRepeated === true && one.zoneId === undefined && !alone.has(one),
  );
}

/**
 * The provider configuration for the ruleset of a zone, as in the `provider` argument (`cloudflare.prod`). Uses that of
 * the legacy resources, if all share one of the root module. Returns undefined for the default.
 */
export function boundProvider(
  { legacyResources, configuration }: StateFacts,
  zoneId: string,
): string | undefined {
  const own = legacyResources.filter((one) => one.zoneId === zoneId && one.mode === 'managed');
  const bound = new Map(own.map(({ provider }) => [provider.text, provider]));
  const [one, another] = bound.values();
  const root = configuration?.project.rootModule;
  const local = root?.requirements.find(isCloudflareRequirement)?.name;
  const isKnown = another === undefined && (one?.module ?? '') === '';
  // ignores a missing provider configuration, which choose-order.ts handles
  const isThere = root?.providers.some(({ alias }) => alias === one?.alias) ?? true;
  const alias = isKnown && isThere ? one?.alias : undefined;
  const reference = [local ?? 'cloudflare', ...(alias === undefined ? [] : [alias])].join('.');
  return reference === 'cloudflare' ? undefined : reference;
}
