import {
  isObject,
  type ObjectValue,
  sameValue,
  UNKNOWN,
  Unknown,
  type Value,
} from '../protocol/value';
import { type Path, type Plan, type PlanRequest } from '../resource';
import { type Field, type Fields } from '../schema/field';

/**
 * The behaviour of the attributes of a plugin framework resource. A name is the path from the root without
 * indexes: `rules.enabled`.
 */
export interface PlanTraits {
  /** Static defaults: used if the configuration has no value, before the comparison. */
  defaults?: Record<string, Value>;
  /** Kept from state, although the framework would make them unknown. */
  keepsState?: string[];
  /** Plan modifiers that give an unknown a value: they act only if something else changes. */
  whenUnknown?: Record<string, Value>;
  /** Top-level attributes whose change replaces the resource. */
  replaces?: string[];
  /** The last change of the plan, by the resource itself. */
  modify?: (planned: ObjectValue, prior: ObjectValue) => ObjectValue;
}

/** A change of a leaf or of a whole nested attribute; undefined if its parts decide. */
type Visit = (
  field: Field,
  name: string,
  plan: Value,
  config: Value,
  at: Path,
) => Value | undefined;

/**
 * The plan of a framework resource: first the defaults, then the comparison with state. Only if they differ,
 * computed attributes that are not configured become unknown.
 */
export function frameworkPlan(fields: Fields, request: PlanRequest, traits: PlanTraits): Plan {
  const { prior, config } = request;
  const { defaults = {}, keepsState = [], whenUnknown = {}, replaces = [] } = traits;
  const withDefaults = walk(fields, request.proposed, config, (_field, name, _plan, configured) =>
    configured === null && name in defaults ? defaults[name] : undefined,
  );
  if (prior !== null && sameValue(withDefaults, prior)) {
    return { planned: prior, requiresReplace: [] };
  }
  const marked = walk(fields, withDefaults, config, (field, name, _plan, configured) =>
    configured === null && field.computed && !(name in defaults) ? UNKNOWN : undefined,
  );
  const modified = walk(fields, marked, config, (_field, name, plan, _configured, at) => {
    if (!(plan instanceof Unknown)) return undefined;
    if (prior !== null && keepsState.includes(name)) return valueAt(prior, at) ?? UNKNOWN;
    return whenUnknown[name];
  });
  const planned = prior !== null && traits.modify ? traits.modify(modified, prior) : modified;
  return {
    planned,
    requiresReplace:
      prior === null
        ? []
        : replaces.filter((name) => !sameValue(planned[name], prior[name])).map((name) => [name]),
  };
}

function walk(
  fields: Fields,
  plan: ObjectValue,
  config: ObjectValue,
  visit: Visit,
  at: Path = [],
  prefix = '',
): ObjectValue {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => {
      const name = prefix + key;
      const planValue = plan[key] ?? null;
      const configValue = config[key] ?? null;
      const changed = visit(field, name, planValue, configValue, [...at, key]);
      if (changed !== undefined) return [key, changed];
      if (field.kind === 'leaf') return [key, planValue];
      const inside = (item: Value, configured: Value, way: Path) =>
        isObject(item) && isObject(configured)
          ? walk(field.fields, item, configured, visit, way, `${name}.`)
          : item;
      if (Array.isArray(planValue) && Array.isArray(configValue)) {
        return [
          key,
          planValue.map((item, index) =>
            inside(item, configValue[index] ?? null, [...at, key, index]),
          ),
        ];
      }
      if (field.nesting === 'map' && isObject(planValue) && isObject(configValue)) {
        return [
          key,
          Object.fromEntries(
            Object.entries(planValue).map(([item, value]) => [
              item,
              inside(value, configValue[item] ?? null, [...at, key, item]),
            ]),
          ),
        ];
      }
      return [key, inside(planValue, configValue, [...at, key])];
    }),
  );
}

function valueAt(value: Value, path: Path): Value | undefined {
  return path.reduce<Value | undefined>((part, step) => {
    if (Array.isArray(part) && typeof step === 'number') return part[step];
    return isObject(part) ? part[step] : undefined;
  }, value);
}

/** A plan with its unknowns from the response of the API. Provider 5 keeps all other planned values. */
export function mergeComputed(planned: Value, answered: Value | undefined): Value {
  if (planned instanceof Unknown) return answered ?? null;
  if (Array.isArray(planned)) {
    return planned.map((item, at) =>
      mergeComputed(item, Array.isArray(answered) ? answered[at] : undefined),
    );
  }
  if (!isObject(planned)) return planned;
  return Object.fromEntries(
    Object.entries(planned).map(([key, value]) => [
      key,
      mergeComputed(value, isObject(answered) ? answered[key] : undefined),
    ]),
  );
}
