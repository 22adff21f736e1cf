import { ClientError } from '../http/cloudflare-go';
import { type CloudflareHttp } from '../http/cloudflare-http';
import { isObject, type ObjectValue, Unknown, type Value } from '../protocol/value';
import { type Diagnostic, notImitated, Refusal, type Resource } from '../resource';
import { conform } from '../schema/conform';
import { blockFields, type Fields, type SchemaJson } from '../schema/field';
import { sdkPlan, type SdkTraits } from './sdk-plan';
import { sdkValidate } from './sdk-validate';
import { isZero } from './zero';

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
    importState: notImitated,
    read: (state, http) =>
      worded(async () => {
        const known = await behaviour.read(state, http);
        return { state: known === null ? null : settle(fields, state, known) };
      }),
    create: ({ planned }, http) =>
      worded(async () => settled(planned, await behaviour.create(planned, http))),
    update: notImitated,
    destroy: notImitated,
  };
}

/** Terraform shows only this line of a client error. */
async function worded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ClientError ? new Refusal(error.message) : error;
  }
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
