import { type fromJSON } from '@grpc/proto-loader';

type INamespace = Parameters<typeof fromJSON>[0];

/**
 * The messages of Terraform's plugin protocol 6, one a line: `name: field=number:type …`.
 * `?` marks a member of the oneof `selector`, `[]` a repeated field, `<T>` a map of strings to T.
 * An entry whose fields have no type is an enum. Written from the wire facts; requests that carry
 * nothing are added below.
 */
const messages = `
DynamicValue: msgpack=1:bytes json=2:bytes
Diagnostic.Severity: INVALID=0 ERROR=1 WARNING=2
Diagnostic: severity=1:Severity summary=2:string detail=3:string attribute=4:AttributePath
AttributePath.Step: attribute_name=1:string? element_key_string=2:string? element_key_int=3:int64?
AttributePath: steps=1:Step[]
StopProvider.Response: Error=1:string
RawState: json=1:bytes flatmap=2:<string>
StringKind: PLAIN=0 MARKDOWN=1
Schema.Block: version=1:int64 attributes=2:Attribute[] block_types=3:NestedBlock[] description=4:string description_kind=5:StringKind deprecated=6:bool deprecation_message=7:string
Schema.Attribute: name=1:string type=2:bytes nested_type=10:Object description=3:string required=4:bool optional=5:bool computed=6:bool sensitive=7:bool description_kind=8:StringKind deprecated=9:bool write_only=11:bool deprecation_message=12:string
Schema.NestedBlock.NestingMode: INVALID=0 SINGLE=1 LIST=2 SET=3 MAP=4 GROUP=5
Schema.NestedBlock: type_name=1:string block=2:Block nesting=3:NestingMode min_items=4:int64 max_items=5:int64
Schema.Object.NestingMode: INVALID=0 SINGLE=1 LIST=2 SET=3 MAP=4
Schema.Object: attributes=1:Attribute[] nesting=3:NestingMode min_items=4:int64 max_items=5:int64
Schema: version=1:int64 block=2:Block
ServerCapabilities: plan_destroy=1:bool get_provider_schema_optional=2:bool move_resource_state=3:bool generate_resource_config=4:bool
ClientCapabilities: deferral_allowed=1:bool write_only_attributes_allowed=2:bool
GetProviderSchema.Response: provider=1:Schema resource_schemas=2:<Schema> data_source_schemas=3:<Schema> diagnostics=4:Diagnostic[] provider_meta=5:Schema server_capabilities=6:ServerCapabilities
ValidateProviderConfig.Request: config=1:DynamicValue
ValidateProviderConfig.Response: diagnostics=2:Diagnostic[]
UpgradeResourceState.Request: type_name=1:string version=2:int64 raw_state=3:RawState
UpgradeResourceState.Response: upgraded_state=1:DynamicValue diagnostics=2:Diagnostic[]
ValidateResourceConfig.Request: type_name=1:string config=2:DynamicValue client_capabilities=3:ClientCapabilities
ValidateResourceConfig.Response: diagnostics=1:Diagnostic[]
ValidateDataResourceConfig.Request: type_name=1:string config=2:DynamicValue
ValidateDataResourceConfig.Response: diagnostics=1:Diagnostic[]
ConfigureProvider.Request: terraform_version=1:string config=2:DynamicValue client_capabilities=3:ClientCapabilities
ConfigureProvider.Response: diagnostics=1:Diagnostic[]
ReadResource.Request: type_name=1:string current_state=2:DynamicValue private=3:bytes provider_meta=4:DynamicValue client_capabilities=5:ClientCapabilities
ReadResource.Response: new_state=1:DynamicValue diagnostics=2:Diagnostic[] private=3:bytes
PlanResourceChange.Request: type_name=1:string prior_state=2:DynamicValue proposed_new_state=3:DynamicValue config=4:DynamicValue prior_private=5:bytes provider_meta=6:DynamicValue client_capabilities=7:ClientCapabilities
PlanResourceChange.Response: planned_state=1:DynamicValue requires_replace=2:AttributePath[] planned_private=3:bytes diagnostics=4:Diagnostic[] legacy_type_system=5:bool
ApplyResourceChange.Request: type_name=1:string prior_state=2:DynamicValue planned_state=3:DynamicValue config=4:DynamicValue planned_private=5:bytes provider_meta=6:DynamicValue
ApplyResourceChange.Response: new_state=1:DynamicValue private=2:bytes diagnostics=3:Diagnostic[] legacy_type_system=4:bool
ImportResourceState.Request: type_name=1:string id=2:string client_capabilities=3:ClientCapabilities
ImportResourceState.ImportedResource: type_name=1:string state=2:DynamicValue private=3:bytes
ImportResourceState.Response: imported_resources=1:ImportedResource[] diagnostics=2:Diagnostic[]
ReadDataSource.Request: type_name=1:string config=2:DynamicValue provider_meta=3:DynamicValue client_capabilities=4:ClientCapabilities
ReadDataSource.Response: state=1:DynamicValue diagnostics=2:Diagnostic[]
`;

const calls = [
  'GetProviderSchema',
  'ValidateProviderConfig',
  'ValidateResourceConfig',
  'ValidateDataResourceConfig',
  'UpgradeResourceState',
  'ConfigureProvider',
  'ReadResource',
  'PlanResourceChange',
  'ApplyResourceChange',
  'ImportResourceState',
  'ReadDataSource',
  'StopProvider',
] as const;

export type CallName = (typeof calls)[number];

interface Node {
  fields?: Record<string, object>;
  values?: Record<string, number>;
  oneofs?: Record<string, { oneof: string[] }>;
  nested?: Record<string, Node>;
}

function place(root: Node, name: string): Node {
  return name.split('.').reduce((parent, part) => {
    parent.nested ??= {};
    return (parent.nested[part] ??= {});
  }, root);
}

function define(root: Node, line: string): void {
  const colon = line.indexOf(':');
  const node = place(root, line.slice(0, colon));
  for (const entry of line
    .slice(colon + 1)
    .trim()
    .split(/\s+/)) {
    const [, field, number, type] = /^(\w+)=(\d+)(?::(.+))?$/.exec(entry) ?? [];
    if (field === undefined) throw new Error(`not a field: ${entry}`);
    if (type === undefined) {
      (node.values ??= {})[field] = Number(number);
      continue;
    }
    node.fields ??= {};
    const map = /^<(\w+)>$/.exec(type)?.[1];
    if (map !== undefined) {
      node.fields[field] = { keyType: 'string', type: map, id: Number(number) };
      continue;
    }
    if (type.endsWith('?'))
      (node.oneofs ??= { selector: { oneof: [] } })['selector']?.oneof.push(field);
    node.fields[field] = {
      id: Number(number),
      type: type.replace(/\[\]$|\?$/, ''),
      ...(type.endsWith('[]') && { rule: 'repeated' }),
    };
  }
}

/** The package `tfplugin6`, as @grpc/proto-loader reads it. */
export function protocolDescriptor(): INamespace {
  const root: Node = {};
  for (const line of messages.trim().split('\n')) define(root, line);
  for (const call of calls) {
    for (const half of ['Request', 'Response']) {
      const message = place(root, `${call}.${half}`);
      message.fields ??= {};
    }
    place(root, call).fields ??= {};
  }
  const methods = Object.fromEntries(
    calls.map((call) => [
      call,
      { requestType: `${call}.Request`, responseType: `${call}.Response` },
    ]),
  );
  return {
    nested: {
      tfplugin6: { nested: { ...withFields(root).nested, Provider: { methods } } },
    },
  } as INamespace;
}

/** A message that only holds others needs an empty list of fields to be read as a message. */
function withFields(node: Node): Node {
  for (const child of Object.values(node.nested ?? {})) {
    if (child.values === undefined) child.fields ??= {};
    withFields(child);
  }
  return node;
}
