import { type CloudflareHttp } from './http/cloudflare-http';
import { type CallName } from './protocol/descriptor';
import {
  decodeValue,
  type DynamicValue,
  encodeValue,
  isObject,
  type ObjectValue,
} from './protocol/value';
import { guarded, wireDiagnostics, wirePath, wireSchema } from './protocol/wire';
import { notImitated, type Provider, type Resource } from './resource';

export type ProviderAnswers = Record<CallName, (request: never) => Promise<object> | object>;

interface Named {
  type_name: string;
}
interface PlanCall extends Named {
  prior_state: DynamicValue | null;
  proposed_new_state: DynamicValue | null;
  config: DynamicValue | null;
}
interface ApplyCall extends Named {
  prior_state: DynamicValue | null;
  planned_state: DynamicValue | null;
  planned_private: Uint8Array;
}
interface ReadCall extends Named {
  current_state: DynamicValue | null;
  private: Uint8Array;
}

/** SDKv2 stores the version of the schema in the private part of a state, the framework nothing. */
function privatePart(resource: Resource): Buffer {
  if (!resource.legacy) return Buffer.alloc(0);
  const { version } = resource.schema;
  return Buffer.from(version > 0 ? JSON.stringify({ schema_version: String(version) }) : 'null');
}

function objectOf(value: DynamicValue | null): ObjectValue | null {
  const decoded = decodeValue(value);
  return isObject(decoded) ? decoded : null;
}

function required(value: DynamicValue | null): ObjectValue {
  const object = objectOf(value);
  if (object === null) throw new Error('the core sent no object where one is due');
  return object;
}

/**
 * The answers of a provider to each call of the protocol: decoding, diagnostics and the marks of SDKv2. Each
 * resource has its own behaviour.
 */
export function answersOf(provider: Provider, http: CloudflareHttp): ProviderAnswers {
  const resource = ({ type_name }: Named) => {
    const found = provider.resources[type_name];
    if (found === undefined) throw new Error(`no resource ${type_name}`);
    return found;
  };
  const schemas = (kind: Provider['resources'] | Provider['dataSources']) =>
    Object.fromEntries(
      Object.entries(kind).map(([name, { schema }]) => [name, wireSchema(schema)]),
    );
  const schema = {
    provider: wireSchema(provider.schema),
    resource_schemas: schemas(provider.resources),
    data_source_schemas: schemas(provider.dataSources),
    server_capabilities: { get_provider_schema_optional: true, plan_destroy: false },
  };

  return {
    GetProviderSchema: () => schema,
    ValidateProviderConfig: () => ({}),
    ConfigureProvider: () => ({}),
    StopProvider: () => ({}),
    ValidateDataResourceConfig: () => ({}),
    ValidateResourceConfig: (call: Named & { config: DynamicValue | null }) => ({
      diagnostics: wireDiagnostics(resource(call).validate(required(call.config))),
    }),
    UpgradeResourceState: (call: Named & { version: number; raw_state: { json: Uint8Array } }) =>
      guarded(() => {
        const state: unknown = JSON.parse(Buffer.from(call.raw_state.json).toString('utf8'));
        return { upgraded_state: encodeValue(resource(call).upgrade(call.version, state)) };
      }),
    ImportResourceState: (call: Named & { id: string }) =>
      guarded(async () => {
        const type = resource(call);
        const state = await (type.importState ?? notImitated)(call.id, http);
        return {
          imported_resources: [
            { type_name: call.type_name, state: encodeValue(state), private: privatePart(type) },
          ],
        };
      }),
    ReadResource: (call: ReadCall) =>
      guarded(
        async () => {
          const answer = await resource(call).read(required(call.current_state), http);
          return {
            new_state: encodeValue(answer.state),
            private: call.private,
            diagnostics: wireDiagnostics(answer.warnings ?? []),
          };
        },
        { new_state: call.current_state, private: call.private },
      ),
    PlanResourceChange: (call: PlanCall) =>
      guarded(() => {
        const type = resource(call);
        const proposed = objectOf(call.proposed_new_state);
        const common = { planned_private: privatePart(type), legacy_type_system: type.legacy };
        if (proposed === null) return { planned_state: encodeValue(null), ...common };
        const prior = objectOf(call.prior_state);
        const plan = type.plan({ prior, proposed, config: required(call.config) });
        return {
          planned_state: encodeValue(plan.planned),
          requires_replace: plan.requiresReplace.map(wirePath),
          ...common,
        };
      }),
    ApplyResourceChange: (call: ApplyCall) => applied(resource(call), call, http),
    ReadDataSource: (call: Named & { config: DynamicValue | null }) =>
      guarded(async () => {
        const source = provider.dataSources[call.type_name];
        if (source === undefined) throw new Error(`no data source ${call.type_name}`);
        return { state: encodeValue(await source.read(required(call.config), http)) };
      }),
  };
}

async function applied(type: Resource, call: ApplyCall, http: CloudflareHttp): Promise<object> {
  const prior = objectOf(call.prior_state);
  const common = { private: call.planned_private, legacy_type_system: type.legacy };
  return guarded(
    async () => {
      const planned = objectOf(call.planned_state);
      if (planned === null) return notImitated();
      const apply = (prior === null ? type.create : type.update) ?? notImitated;
      const state = await apply(planned, http);
      return { new_state: encodeValue(state), ...common };
    },
    { new_state: encodeValue(prior), ...common },
  );
}
