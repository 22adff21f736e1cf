import {
  isObject,
  type ObjectValue,
  sameValue,
  UNKNOWN,
  Unknown,
  type Value,
} from '../protocol/value';
import { type Plan, type PlanRequest } from '../resource';
import { type Fields, type Leaf } from '../schema/field';
import { isZero } from './zero';

/** The behaviour of the attributes of an SDKv2 resource, by path from the root. */
export interface SdkTraits {
  defaults?: Record<string, Value>;
  /** Top-level attributes whose change replaces the resource. */
  replaces?: string[];
  /** Differences that SDKv2 suppresses, by attribute. */
  suppress?: Record<string, (before: Value, after: Value) => boolean>;
}

/**
 * The plan of an SDKv2 resource: attribute by attribute, lists by index, zeros as unset. A computed attribute
 * keeps its value, even if other attributes change.
 */
export function sdkPlan(fields: Fields, request: PlanRequest, traits: SdkTraits): Plan {
  const { prior, config } = request;
  const planned = planObject(fields, prior, config, traits, '');
  const unchanged = prior !== null && sameValue(planned, prior);
  return {
    planned: unchanged ? prior : planned,
    requiresReplace:
      prior === null
        ? []
        : (traits.replaces ?? [])
            .filter((name) => !sameValue(planned[name], prior[name]))
            .map((name) => [name]),
  };
}

function planObject(
  fields: Fields,
  prior: ObjectValue | null,
  config: ObjectValue,
  traits: SdkTraits,
  prefix: string,
): ObjectValue {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      const name = prefix + key;
      const before = prior?.[key] ?? null;
      const wanted = config[key] ?? traits.defaults?.[name] ?? null;
      if (field.kind === 'leaf') {
        const exists = prior !== null;
        return [key, planLeaf(field, exists, before, wanted, traits.suppress?.[name])];
      }
      if (!Array.isArray(wanted)) return [key, wanted];
      return [
        key,
        wanted.map((item, index) => {
          const old = Array.isArray(before) ? before[index] : undefined;
          return isObject(item)
            ? planObject(field.fields, isObject(old) ? old : null, item, traits, `${name}.`)
            : item;
        }),
      ];
    }),
  );
}

function planLeaf(
  field: Leaf,
  exists: boolean,
  before: Value,
  wanted: Value,
  suppress: ((before: Value, after: Value) => boolean) | undefined,
): Value {
  if (wanted instanceof Unknown) return wanted;
  if (wanted === null && field.computed) return exists ? before : UNKNOWN;
  if (!exists) return wanted;
  if (isZero(wanted) && isZero(before)) return before;
  if (suppress?.(before, wanted)) return before;
  return wanted;
}
