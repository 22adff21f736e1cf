import { type InstanceKey, type ResourceMode } from '../core/resource-address';
import { MigrationError } from '../core/migration-error';
import { findLegacyWafType, type LegacyWafType } from './legacy-waf-types';
import { parseProviderAddress, type ProviderAddress } from './provider-address';
import { type State, type StateInstance, type StateResource } from './state';

/** One instance of a legacy WAF type: one line of `terraform state list`. */
export interface LegacyResource {
  readonly address: string;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  readonly module: string;
  readonly key: InstanceKey;
  /** Undefined if the state does not contain it. */
  readonly zoneId: string | undefined;
  /** The identifying attributes (legacy-waf-types.ts) that the state contains. */
  readonly identity: Readonly<Record<string, string>>;
  /** Its provider configuration, which can have an alias or be in a module. */
  readonly provider: ProviderAddress | undefined;
  readonly tainted: boolean;
  /** The keys of its deposed objects, which are removed from the state with it. */
  readonly deposed: readonly string[];
  /** Of the current object, or of the first deposed one if there is no current object. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

function readIdentity(
  names: readonly string[],
  attributes: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const identity: Record<string, string> = {};
  for (const name of names) {
    const value = attributes[name];
    if (typeof value === 'string' && value !== '') identity[name] = value;
  }
  return identity;
}

/** The objects of one address in a state. */
interface Found {
  readonly resource: StateResource;
  readonly legacy: LegacyWafType;
  /** By deposed key; undefined for the current object. */
  readonly objects: Map<string | undefined, StateInstance>;
}

function toLegacyResource({ resource, legacy, objects }: Found): LegacyResource[] {
  const all = [...objects.values()];
  const current = objects.get(undefined) ?? all[0];
  if (current === undefined) return [];
  const { mode, type, name, module } = resource;
  const identity = readIdentity(legacy.identifiedBy, current.attributes);
  return [
    {
      address: current.address,
      mode,
      type,
      name,
      module,
      key: current.indexKey,
      zoneId: identity['zone_id'],
      identity,
      provider: parseProviderAddress(resource.provider),
      tainted: current.status === 'tainted',
      deposed: all.flatMap(({ deposed }) => (deposed === undefined ? [] : [deposed])),
      attributes: current.attributes,
    },
  ];
}

function duplicate({ address, deposed }: StateInstance): MigrationError {
  const object = deposed === undefined ? address : `${address} (deposed ${deposed})`;
  return new MigrationError('STATE_INVALID', `${object} is in the state more than once`);
}

/**
 * The legacy resources and data sources of a state, in its order. They are recognised by type, because a
 * mirror or fork of the provider has another source.
 *
 * @throws MigrationError STATE_INVALID if an instance has a wrong shape or is a duplicate: Terraform
 * rejects such a state as well
 */
export function pickLegacyResources(state: State): readonly LegacyResource[] {
  // One address can have several objects, and Terraform accepts a resource that is split in two.
  const found = new Map<string, Found>();
  for (const resource of state.resources) {
    const legacy = findLegacyWafType(resource.mode, resource.type);
    if (legacy === undefined) continue;
    for (const instance of resource.instances) {
      const { address, deposed } = instance;
      const objects = found.get(address)?.objects;
      if (objects === undefined) {
        found.set(address, { resource, legacy, objects: new Map([[deposed, instance]]) });
      } else if (objects.has(deposed)) throw duplicate(instance);
      else objects.set(deposed, instance);
    }
  }
  return [...found.values()].flatMap(toLegacyResource);
}
