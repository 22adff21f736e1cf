/** A type as Terraform writes it in JSON: `"string"`, `["list", T]`, `["object", {…}]`. */
export type Type =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | ['list' | 'set' | 'map', Type]
  | ['object', Record<string, Type>];

export interface Leaf {
  kind: 'leaf';
  type: Type;
  computed: boolean;
}
/** A nested object: a block of provider 3 and 4, or a nested attribute of provider 5. */
interface Nested {
  kind: 'block' | 'nested';
  nesting: 'single' | 'list' | 'set' | 'map';
  fields: Fields;
  computed: boolean;
}
export type Field = Leaf | Nested;
export type Fields = Record<string, Field>;

/** `terraform providers schema -json`, as far as it concerns a value. */
export interface AttributeJson {
  type?: Type;
  nested_type?: {
    attributes: Record<string, AttributeJson>;
    nesting_mode: Nested['nesting'];
  };
  required?: boolean;
  optional?: boolean;
  computed?: boolean;
  sensitive?: boolean;
  deprecated?: boolean;
}
export interface BlockJson {
  attributes?: Record<string, AttributeJson>;
  block_types?: Record<
    string,
    { nesting_mode: Nested['nesting']; block: BlockJson; min_items?: number; max_items?: number }
  >;
  deprecated?: boolean;
}
export interface SchemaJson {
  version: number;
  block: BlockJson;
}

function attributeField(attribute: AttributeJson): Field {
  const { type = 'dynamic', nested_type: nested, computed = false } = attribute;
  if (nested === undefined) return { kind: 'leaf', type, computed };
  const { nesting_mode: nesting, attributes } = nested;
  return { kind: 'nested', nesting, fields: mapValues(attributes, attributeField), computed };
}

/** The fields of a block, attributes and nested blocks alike. */
export function blockFields(block: BlockJson): Fields {
  return {
    ...mapValues(block.attributes ?? {}, attributeField),
    ...mapValues(block.block_types ?? {}, (nested) => ({
      kind: 'block' as const,
      nesting: nested.nesting_mode,
      fields: blockFields(nested.block),
      computed: false,
    })),
  };
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
