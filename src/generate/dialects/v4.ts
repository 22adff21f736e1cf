import { isJsonArray, isJsonObject, type JsonValue } from '../../model/json';
import { type AdaptedField, type Dialect } from './dialect';
import { findRefusedActions } from './override-actions';
import { parseSchema, type SchemaNode } from './schema';
import raw from './schemas/v4.json';

/** Provider 4 (measured with 4.52.8): blocks; the rules of a skip rule as comma-separated lists. */
export const v4: Dialect = {
  major: 4,
  // 4.52.5 is the least that provider 5 can be reached from
  constraint: '~> 4.52, >= 4.52.5',
  bindings: '11.30.0',
  bindingsCore: '0.20',
  schema: parseSchema(raw),
  // 4.52 has it, and the last bindings of this major (11.30.0) have not
  unboundFields: ['asset_name'],
  ruleFields: [
    'ref',
    'action',
    'expression',
    'description',
    'enabled',
    'action_parameters',
    'logging',
  ],
  adapt: joinLists,
  judge: (ruleset) => findRefusedActions(ruleset, 4),
};

/**
 * Provider 3 and 4 take a map of lists as a map of comma-separated strings, without spaces. A list
 * that would not be read back as it is (empty, a comma in an item) is left, and reported as lost.
 */
export function joinLists(
  name: string,
  value: JsonValue,
  node: SchemaNode | undefined,
): AdaptedField | undefined {
  if (node !== 'map of string' || !isJsonObject(value)) return undefined;
  const joined = Object.entries(value).map(([key, list]): [string, JsonValue] => [
    key,
    isJsonArray(list) && list.length > 0 && list.every(isJoinable) ? list.join(',') : list,
  ]);
  return { name, value: Object.fromEntries(joined) };
}

function isJoinable(item: JsonValue): item is string {
  return typeof item === 'string' && item !== '' && !item.includes(',');
}
