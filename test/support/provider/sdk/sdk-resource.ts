import { ClientError, type CloudflareHttp } from '../http/cloudflare-http';
import {
  type ObjectValue,
  UNKNOWN,
  Unknown,
  type Value,
  isObject,
  sameValue,
} from '../protocol/value';
import {
  type Diagnostic,
  type Path,
  type Plan,
  type PlanRequest,
  Refusal,
  type Resource,
} from '../resource';
import { conform } from '../schema/conform';
import {
  type AttributeJson,
  type BlockJson,
  type Field,
  type Fields,
  type Leaf,
  type SchemaJson,
  type Type,
  blockFields,
} from '../schema/field';

/** The attributes of a resource in the API; null if it is gone. */
export type Known = ObjectValue | null;

/** The differences between SDKv2 resources. State is passed and returned as attributes. */
export interface SdkBehaviour {
  traits?: SdkTraits;
  validate?: (config: ObjectValue) => Diagnostic[];
  read(state: ObjectValue, http: CloudflareHttp): Promise<Known>;
  create(planned: ObjectValue, http: CloudflareHttp): Promise<Known>;
}

/** An SDKv2 resource, from its schema and its differences. */
export function sdkResource(schema: SchemaJson, behaviour: SdkBehaviour): Resource {
  const fields = blockFields(schema.block);
  const settled = (base: ObjectValue, known: Known) => {
    if (known === null) throw new Refusal('Root object was absent, but now present');
    return settle(fields, base, known);
  };
  return {
    schema,
    legacy: true,
    validate: (config) => [
      ...sdkValidate(schema.block, config),
      ...(behaviour.validate?.(config) ?? []),
    ],
    upgrade: (_version, state) => conform(fields, state),
    plan: (request) => sdkPlan(fields, request, behaviour.traits ?? {}),
    read: (state, http) =>
      worded(async () => {
        const known = await behaviour.read(state, http);
        return { state: known === null ? null : settle(fields, state, known) };
      }),
    create: (planned, http) =>
      worded(async () => settled(planned, await behaviour.create(planned, http))),
  };
}

/** Terraform shows only this line of a client error. */
export async function worded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ClientError ? new Refusal(error.message) : error;
  }
}

/** An error of a client, with what failed before it. */
export function asRefusal(what: string, error: unknown): unknown {
  return error instanceof ClientError ? new Refusal(`${what}: ${error.message}`) : error;
}

/**
 * State as SDKv2 writes it: known values replace planned ones. Empty text, numbers and flags are zero; lists
 * and maps planned as null stay null.
 */
function settle(fields: Fields, base: ObjectValue, known: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const before = base[name] ?? null;
      const value = name in known ? (known[name] ?? null) : before;
      if (value instanceof Unknown) return [name, null];
      if (isCollection(value) && isZero(value) && before === null) return [name, null];
      if (value !== null || !(name in known) || field.kind !== 'leaf') return [name, value];
      return [name, zeroScalar(field.type, before)];
    }),
  );
}

function zeroScalar(type: unknown, otherwise: Value): Value {
  if (type === 'string') return '';
  if (type === 'number') return 0;
  return type === 'bool' ? false : otherwise;
}

function isCollection(value: Value): boolean {
  return Array.isArray(value) || isObject(value);
}

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

/**
 * The checks of SDKv2 for every configuration: it refuses values for attributes that only the provider sets,
 * and warns about deprecated ones.
 */
export function sdkValidate(block: BlockJson, config: ObjectValue, at: Path = []): Diagnostic[] {
  const own = Object.entries(block.attributes ?? {}).flatMap(([name, attribute]) =>
    (config[name] ?? null) === null ? [] : attributeDiagnostics(attribute, [...at, name]),
  );
  const nested = Object.entries(block.block_types ?? {}).flatMap(([name, inner]) => {
    const items = config[name];
    if (!Array.isArray(items)) return [];
    return items.flatMap((item, index) =>
      isObject(item) ? sdkValidate(inner.block, item, [...at, name, index]) : [],
    );
  });
  return [...own, ...nested];
}

function attributeDiagnostics(attribute: AttributeJson, path: Path): Diagnostic[] {
  if (attribute.required !== true && attribute.optional !== true) {
    return [
      {
        severity: 'error',
        summary: 'Value for unconfigurable attribute',
        detail:
          `Can't configure a value for ${JSON.stringify(String(path.at(-1)))}: its value will be ` +
          'decided automatically based on the result of applying this configuration.',
        path,
      },
    ];
  }
  if (attribute.deprecated === true) {
    return [{ severity: 'warning', summary: 'Argument is deprecated', path }];
  }
  return [];
}

/** Refuses text that is not one of a list. */
export function oneOf(allowed: readonly string[], config: ObjectValue, path: Path): Diagnostic[] {
  const name = String(path.at(-1));
  const value = config[name];
  if (typeof value !== 'string' || allowed.includes(value)) return [];
  return [
    {
      severity: 'error',
      summary: `expected ${name} to be one of [${allowed.join(' ')}], got ${value}`,
      path,
    },
  ];
}

/**
 * SDKv2 does not distinguish "unset" from the zero of a type: neither in a diff, nor when a resource reads its
 * configuration.
 */
export function isZero(value: Value | undefined): boolean {
  if (value instanceof Unknown) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === 0 || value === false;
}

/** The value that SDKv2 stores for an unset attribute of a type. */
export function zeroOf(type: Type): Value {
  if (type === 'string') return '';
  if (type === 'number') return 0;
  if (type === 'bool') return false;
  return typeof type !== 'string' && (type[0] === 'list' || type[0] === 'set') ? [] : {};
}

function zeroField(field: Field, value: Value): Value {
  if (field.kind === 'leaf') return value ?? zeroOf(field.type);
  if (!Array.isArray(value)) return value;
  return value.map((item) => (isObject(item) ? zeroFilled(field.fields, item) : item));
}

/** Objects of a nested block as SDKv2 writes them to state: with zeros where nothing was set. */
export function zeroFilled(fields: Fields, value: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, zeroField(field, value[name] ?? null)]),
  );
}
