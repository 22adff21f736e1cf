import { type InstanceKey, type ResourceMode } from '../core/resource-address';
import { MigrationError } from '../core/migration-error';
import { findLegacyWafType, type LegacyWafType } from './legacy-waf-types';
import { parseProviderAddress, type ProviderAddress } from './provider-address';
import { type State, type StateInstance, type StateResource } from './state';

/** One instance of a type of the legacy WAF: one line of `terraform state list`. */
export interface LegacyResource {
  readonly address: string;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  readonly module: string;
  readonly key: InstanceKey;
  /** Undefined when the state does not hold it. */
  readonly zoneId: string | undefined;
  /** The attributes that identify it (legacy-waf-types.ts), as far as the state holds them. */
  readonly identity: Readonly<Record<string, string>>;
  /** The provider configuration it is bound to, which can have an alias or be in a module. */
  readonly provider: ProviderAddress | undefined;
  readonly tainted: boolean;
  /** The keys of its deposed objects, which are removed from state with it. */
  readonly deposed: readonly string[];
  /** Of the current object; of the first deposed one when there is no other. */
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

/** What the state holds of one address. */
interface Found {
  readonly resource: StateResource;
  readonly legacy: LegacyWafType;
  /** By their deposed keys; the current one by undefined. */
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
 * The resources and data sources of the legacy WAF in a state, in its order, recognised by their type: a mirror or a
 * fork of the provider has another source.
 *
 * @throws MigrationError STATE_INVALID when an instance has a wrong shape, or is there twice:
 * Terraform refuses such a state as well
 */
export function pickLegacyResources(state: State): readonly LegacyResource[] {
  // One address can have several objects, and Terraform reads a resource that is in two parts.
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
