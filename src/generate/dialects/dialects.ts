import { type Finding } from '../../core/finding';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/json';
import { type ProviderMajor } from '../../core/provider-majors';
import { parametersOf } from '../../core/ruleset';
import { type AdaptedField, attributesOf, type Dialect, type SchemaNode } from './dialect';
import schema3 from './schemas/v3.json';
import schema4 from './schemas/v4.json';
import schema5 from './schemas/v5.json';

/** Provider 3 (measured with 3.35.0, the last version with the legacy resources). */
const v3: Dialect = {
  major: 3,
  schema: schema3,
  // "Value for unconfigurable attribute"
  hasRefs: false,
  unboundFields: [],
  adapt(name, value, node) {
    // `status` is its name for `enabled` of overrides and logging: a `status` of the API is something else
    if (name === 'status') return undefined;
    // inside overrides and logging, `enabled` is accepted and then dropped from the request
    if (name === 'enabled' && node === undefined && typeof value === 'boolean') {
      return { name: 'status', value: value ? 'enabled' : 'disabled' };
    }
    return adaptForBlocks(name, value, node);
  },
  // it sends no ref, and an id for unchanged rules only: a changed rule gets a new id, and so do
  // the neighbours of one that moves
  judge: () => [
    {
      code: 'REFS_NOT_SUPPORTED',
      severity: 'info',
      subject: 'rules',
      message: 'provider 3 cannot declare refs: every change of a rule gives it a new id',
      remedy: 'import with provider 3, and change rules only after the upgrade to provider 4',
    },
  ],
};

/** Provider 4 (measured with 4.52.8): blocks; the rules of a skip rule as comma-separated lists. */
const v4: Dialect = {
  major: 4,
  schema: schema4,
  hasRefs: true,
  // 4.52 has it, and the last bindings of this major (11.30.0) have not
  unboundFields: ['asset_name'],
  adapt: adaptForBlocks,
  judge: () => [],
};

/**
 * What provider 3 and 4 write differently from the API: a map of lists as a map of comma-separated
 * strings. A score of 0 and an empty set they cannot tell from none: neither of them sends it, and 4 reads
 * none, so that to declare it is a difference in every plan (measured with the score).
 */
function adaptForBlocks(
  name: string,
  value: JsonValue,
  node: SchemaNode | undefined,
): AdaptedField | undefined {
  if (name === 'score_threshold' && value === 0) return undefined;
  if (isJsonArray(value) && value.length === 0 && typeof node === 'string') {
    return { name, value: null };
  }
  return {
    name,
    value: node === 'map of string' && isJsonObject(value) ? joinLists(value) : value,
  };
}

/**
 * Joined without spaces. A list that would be read back differently (empty, a comma in an item) is left
 * unchanged, and does not fit the schema.
 */
function joinLists(lists: JsonObject): JsonObject {
  const joined = Object.entries(lists).map(([key, list]): [string, JsonValue] => [
    key,
    isJsonArray(list) && list.length > 0 && list.every(isJoinable) ? list.join(',') : list,
  ]);
  return Object.fromEntries(joined);
}

function isJoinable(item: JsonValue): item is string {
  return typeof item === 'string' && item !== '' && !item.includes(',');
}

/** What 5.22 has and the last bindings (13.9.1, made from 5.14.0) do not. */
const unboundFields = [
  'content_converter',
  'expression',
  'immutable',
  'max_age',
  'must_revalidate',
  'must_understand',
  'no_cache',
  'no_store',
  'no_transform',
  'operation',
  'private',
  'proxy_revalidate',
  'public',
  'redirects_for_ai_training',
  'request_body_buffering',
  'response_body_buffering',
  's_maxage',
  'stale_if_error',
  'stale_while_revalidate',
  'strip_etags',
  'strip_last_modified',
  'strip_set_cookie',
  'values',
  'vary',
];

/** Objects that it refuses where nothing is in them; left out, `logging` alone plans empty. */
const mayBeEmpty = new Set(['overrides', 'rules', 'logging']);

/** Provider 5 (measured with 5.22.0): attributes instead of blocks, lists in the order of the API. */
const v5: Dialect = {
  major: 5,
  schema: schema5,
  // explicit also where it equals the id: left out, the next change re-mints every id
  hasRefs: true,
  unboundFields,
  // lists of nothing are refused as well (SizeAtLeast 1)
  adapt(name, value, node) {
    if (node !== undefined && isEmpty(value)) return { name, value: null };
    if (!mayBeEmpty.has(name) || !isJsonObject(value)) return { name, value };
    const kept = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
    return { name, value: kept.length === 0 ? null : Object.fromEntries(kept) };
  },
  judge(ruleset) {
    const unplannable = ruleset.rules.flatMap((rule, index) => {
      return Object.entries(parametersOf(rule))
        .filter(([name, value]) => value !== null && isParameter(name) && leavesOut(name, value))
        .map(([name]) =>
          neverEmpty(
            `rules[${index}].action_parameters.${name}`,
            `${name} that are empty or hold an empty list`,
          ),
        );
    });
    const undescribed = ruleset.id !== undefined && ruleset.description === undefined;
    return [
      ...(undescribed ? [neverEmpty('description', 'a ruleset without a description')] : []),
      ...unplannable,
    ];
  },
};

/** How each provider major of core/provider-majors.ts takes a ruleset. */
export const dialects: Readonly<Record<ProviderMajor, Dialect>> = { 3: v3, 4: v4, 5: v5 };

/** Null, or a list of nothing: nulls in a list are left out. */
function isEmpty(value: JsonValue = null): boolean {
  return value === null || (isJsonArray(value) && value.every((item) => item === null));
}

/** Whether a state has such a parameter: a field that the schema does not know has a finding of its own. */
function isParameter(name: string): boolean {
  const parameters = attributesOf(schema5['rules'])['action_parameters'];
  return Object.hasOwn(attributesOf(parameters), name);
}

/** Whether something of a parameter is left out that the state would hold. */
function leavesOut(name: string, value: JsonValue): boolean {
  if (!mayBeEmpty.has(name) || !isJsonObject(value)) return isEmpty(value);
  const values = Object.values(value).filter((inner) => inner !== null);
  return values.length === 0 || values.some(isEmpty);
}

function neverEmpty(subject: string, shape: string): Finding {
  return {
    code: 'NEVER_PLANS_EMPTY',
    severity: 'decision',
    subject,
    message: `the API returns ${shape}, which provider 5 can neither declare nor plan without a difference`,
    remedy:
      'expect this difference in the first plan, or first give the setting a value in the Cloudflare dashboard',
  };
}
