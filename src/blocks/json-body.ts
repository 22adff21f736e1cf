import { type ConfigBlock, type JsonFile } from './config-file';
import { type ConfigObject, type ConfigValue, Expression } from './config-value';
import { type JsonNode } from './json-tree';

/** The body of a block of a `.tf.json` file. */
export function jsonBody({ bodies }: JsonFile, block: ConfigBlock): ConfigObject {
  const members = bodies.get(block)?.members ?? [];
  return new Map(members.map(({ name, value }) => [name, toValue(value)]));
}

function toValue(node: JsonNode): ConfigValue {
  switch (node.kind) {
    case 'object':
      return new Map(node.members.map(({ name, value }) => [name, toValue(value)]));
    case 'array':
      return node.items.map(toValue);
    case 'string':
      return literalOf(node.value);
    case 'scalar':
      return node.value;
  }
}

/** Every string is a template: one without `${` and `%{` is what it says, the rest is not known. */
function literalOf(template: string): string | Expression {
  return /[$%]\{/.test(template) ? new Expression(template) : template;
}
