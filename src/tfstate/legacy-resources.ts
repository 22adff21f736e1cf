import { type ResourceMode } from '../core/resource-address';
import { findLegacyWafType } from './legacy-waf-types';
import { type State, type StateInstance, type StateResource } from './parse-state';
import { parseProviderAddress, type ProviderAddress } from './provider-address';

/** One instance of a legacy WAF type: one line of `terraform state list`. */
export interface LegacyResource {
  readonly address: string;
  readonly mode: ResourceMode;
  readonly type: string;
  /** Undefined if the state does not contain it. */
  readonly zoneId: string | undefined;
  /** Its provider configuration, which can have an alias or be in a module. */
  readonly provider: ProviderAddress | undefined;
  /** Of the current object, or of the first deposed one if there is no current object. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * The legacy resources and data sources of a state, in its order. They are recognised by type, because a
 * mirror or fork of the provider has another source.
 */
export function pickLegacyResources(state: State): readonly LegacyResource[] {
  // One address can have several objects, and Terraform accepts a resource that is split in two.
  const found = new Map<string, LegacyResource>();
  for (const resource of state.resources) {
    if (findLegacyWafType(resource.mode, resource.type) === undefined) continue;
    for (const instance of resource.instances) {
      const { address, deposed } = instance;
      if (deposed === undefined || !found.has(address)) {
        found.set(address, legacyResource(resource, instance));
      }
    }
  }
  return [...found.values()];
}

function legacyResource(
  { mode, type, provider }: StateResource,
  { address, attributes }: StateInstance,
): LegacyResource {
  const { zone_id: zoneId } = attributes;
  return {
    ...{ address, mode, type, attributes },
    zoneId: typeof zoneId === 'string' && zoneId !== '' ? zoneId : undefined,
    provider: parseProviderAddress(provider),
  };
}
