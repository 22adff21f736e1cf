/** A value of a JSON text and where it stands; `end` is behind its last character. */
export type JsonNode = JsonObjectNode | JsonArrayNode | JsonStringNode | JsonScalarNode;

interface Placed {
  readonly start: number;
  readonly end: number;
}
/** An object; of two members with one name both are there, as Terraform reads both. */
export interface JsonObjectNode extends Placed {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}
/** An array, with its place in the text. */
export interface JsonArrayNode extends Placed {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}
/** A string, with its place in the text. */
export interface JsonStringNode extends Placed {
  readonly kind: 'string';
  readonly value: string;
}
/** A number, true, false or null, with its place in the text. */
export interface JsonScalarNode extends Placed {
  readonly kind: 'scalar';
  readonly value: number | boolean | null;
}
/** A property; it begins where its name does. */
export interface JsonMember extends Placed {
  readonly name: string;
  readonly value: JsonNode;
}
