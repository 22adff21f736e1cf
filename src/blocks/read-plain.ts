import { type JsonValue } from '../model/json';
import { type ConfigSyntax } from './config-source';
import { type JsonNode } from './json-tree';

/**
 * What a configuration says, without places: by HashiCorp's parser for HCL, loaded when it is first
 * needed (7 MB of WebAssembly), by `JSON.parse` for JSON. Throws what these throw.
 */
export async function readPlain(
  syntax: ConfigSyntax,
  path: string,
  text: string,
): Promise<JsonValue> {
  if (syntax === 'json') return checkJson(JSON.parse(text));
  const { parse } = await import('@cdktf/hcl2json');
  return checkJson(await parse(path, text));
}

function checkJson(value: unknown): JsonValue {
  if (!isJson(value)) throw new TypeError('the parser gave no JSON value');
  return value;
}

/** Parsers of JSON give nothing else inside of these. */
function isJson(value: unknown): value is JsonValue {
  return ['object', 'string', 'number', 'boolean'].includes(typeof value);
}

/** Whether an object has two properties with one name: Terraform reads both, `JSON.parse` one. */
export function hasTwins(node: JsonNode): boolean {
  if (node.kind === 'array') return node.items.some(hasTwins);
  if (node.kind !== 'object') return false;
  const names = new Set(node.members.map(({ name }) => name));
  return names.size < node.members.length || node.members.some(({ value }) => hasTwins(value));
}
