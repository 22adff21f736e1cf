import { findOldWafType, type OldWafType } from './old-waf-types';
import { parseProviderAddress, type ProviderAddress } from './provider-address';
import {
  type InstanceKey,
  type ResourceMode,
  type State,
  type StateInstance,
  type StateResource,
} from './state';

/** One instance of a type of the previous WAF managed rules: one line of `terraform state list`. */
export interface OldResource {
  readonly address: string;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  readonly module: string;
  readonly key: InstanceKey;
  /** Undefined when the state does not hold it. */
  readonly zoneId: string | undefined;
  /** The attributes that identify it (old-waf-types.ts), as far as the state holds them. */
  readonly identity: Readonly<Record<string, string>>;
  /** The provider configuration it is bound to, which can have an alias or stand in a module. */
  readonly provider: ProviderAddress | undefined;
  readonly tainted: boolean;
  /** The keys of its deposed objects, which leave the state with it. */
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

function pickInstance(
  resource: StateResource,
  { identifiedBy }: OldWafType,
  objects: readonly StateInstance[],
): OldResource[] {
  const current = objects.find(({ deposed }) => deposed === undefined) ?? objects[0];
  if (current === undefined) return [];
  const { mode, type, name, module } = resource;
  const identity = readIdentity(identifiedBy, current.attributes);
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
      deposed: objects.flatMap(({ deposed }) => (deposed === undefined ? [] : [deposed])),
      attributes: current.attributes,
    },
  ];
}

/**
 * The resources and data sources of the previous WAF managed rules in a state, in its order. Told
 * by their type alone: a mirror or a fork of the provider has another source.
 */
export function pickOldResources(state: State): readonly OldResource[] {
  // One address can have several objects, and Terraform reads a resource that stands in two parts.
  const picked = new Map<string, [StateResource, OldWafType, StateInstance[]]>();
  for (const resource of state.resources) {
    const old = findOldWafType(resource.mode, resource.type);
    if (old === undefined) continue;
    for (const instance of resource.instances) {
      const objects = picked.get(instance.address)?.[2];
      if (objects === undefined) picked.set(instance.address, [resource, old, [instance]]);
      else objects.push(instance);
    }
  }
  return [...picked.values()].flatMap((group) => pickInstance(...group));
}
