/** What a provider can be configured with: derived from its own schema, see scripts/derive-ruleset-schema.mjs. */
export interface SchemaObject {
  /** `block` is written without `=` and repeats; the others are attributes. */
  readonly nesting: 'block' | 'list' | 'set' | 'single' | 'map';
  /** At most one block, which the bindings for CDKTF take without a list. */
  readonly max?: 1;
  readonly attributes: SchemaAttributes;
}

/** A leaf is a type in words: `string`, `bool`, `number`, `list of string`, `map of list of string`. */
export type SchemaNode = string | SchemaObject;

/** The attributes and blocks of one object, by name. */
export interface SchemaAttributes {
  readonly [name: string]: SchemaNode;
}

/** The attributes and blocks of an object; a type in words has none. */
export function attributesOf(node: SchemaNode | undefined): SchemaAttributes {
  return typeof node === 'object' ? node.attributes : {};
}

/** The attributes that name the keys of an object; undefined where the keys are data. */
export function namedKeys(node: SchemaNode | undefined): SchemaAttributes | undefined {
  return typeof node === 'object' && node.nesting !== 'map' ? node.attributes : undefined;
}

/** One of several: the keys of an item are attributes. */
export function itemOf(node: SchemaNode | undefined): SchemaNode | undefined {
  return typeof node === 'object' ? { nesting: 'single', attributes: node.attributes } : undefined;
}

/** Reads the derived JSON, whose shape the compiler cannot narrow. */
export function parseSchema(raw: Readonly<Record<string, unknown>>): SchemaAttributes {
  return Object.fromEntries(
    Object.entries(raw).map(([name, node]) => [name, parseNode(name, node)]),
  );
}

const nestings = ['block', 'list', 'set', 'single', 'map'] as const;

function parseNode(name: string, node: unknown): SchemaNode {
  if (typeof node === 'string') return node;
  if (typeof node === 'object' && node !== null && 'nesting' in node && 'attributes' in node) {
    const nesting = nestings.find((known) => known === node.nesting);
    const { attributes } = node;
    if (nesting && typeof attributes === 'object' && attributes !== null) {
      const max = 'max' in node ? { max: 1 as const } : {};
      return { nesting, ...max, attributes: parseSchema({ ...attributes }) };
    }
  }
  throw new TypeError(`schema: ${name} is neither a type nor an object`);
}
