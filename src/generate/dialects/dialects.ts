import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/json';
import { type ProviderMajor } from '../../core/provider-majors';
import { type AdaptedField, type Dialect, type SchemaNode } from './dialect';
import schema3 from './schemas/v3.json';
import schema4 from './schemas/v4.json';
import schema5 from './schemas/v5.json';

/** Provider 3 (measured with 3.35.0, the last version with the legacy resources). */
const v3: Dialect = {
  major: 3,
  schema: schema3,
  // the provider rejects it: "Value for unconfigurable attribute"
  hasRefs: false,
  adapt(name, value, node) {
    // it writes `enabled` of overrides and logging as `status`, so a `status` of the API is another field
    if (name === 'status') return undefined;
    // it accepts `enabled` inside overrides and logging, but drops it from the request
    if (name === 'enabled' && node === undefined && typeof value === 'boolean') {
      return { name: 'status', value: value ? 'enabled' : 'disabled' };
    }
    return adaptForBlocks(name, value, node);
  },
  // it sends no ref, and an id only for unchanged rules: a changed rule and the neighbours of a moved rule
  // get new ids
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

/** Provider 4 (measured with 4.52.8): blocks, and comma-separated lists for the rules of a skip rule. */
const v4: Dialect = {
  major: 4,
  schema: schema4,
  hasRefs: true,
  adapt: adaptForBlocks,
  judge: () => [],
};

/**
 * Converts a map of lists to a map of comma-separated strings, as provider 3 and 4 write it. They cannot
 * distinguish a score of 0 or an empty set from none. Neither sends them and provider 4 reads none, so every
 * plan would show a difference (measured with the score).
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
 * Joins lists without spaces. A list that would be read back differently (empty, or a comma in an item) stays
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

/** Objects that provider 5 refuses if empty. Of these, only `logging` can be left out with an empty plan. */
const mayBeEmpty = new Set(['overrides', 'rules', 'logging']);

/** Provider 5 (measured with 5.22.0): attributes instead of blocks, and lists in the order of the API. */
const v5: Dialect = {
  major: 5,
  schema: schema5,
  // declared even if it equals the id: without it, the next change gives every rule a new id
  hasRefs: true,
  // it refuses empty lists too (SizeAtLeast 1)
  adapt(name, value, node) {
    if (node !== undefined && isEmpty(value)) return { name, value: null };
    if (!mayBeEmpty.has(name) || !isJsonObject(value)) return { name, value };
    const kept = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
    return { name, value: kept.length === 0 ? null : Object.fromEntries(kept) };
  },
  judge: ({ id, description }) =>
    id === undefined || description !== undefined
      ? []
      : [
          {
            code: 'NEVER_PLANS_EMPTY',
            severity: 'decision',
            subject: 'description',
            message:
              'the API returns a ruleset without a description, which provider 5 can neither declare nor plan without a difference',
            remedy:
              'expect this difference in the first plan, or first give the ruleset a description in the Cloudflare dashboard',
          },
        ],
};

/** The dialect of each provider major in core/provider-majors.ts. */
export const dialects: Readonly<Record<ProviderMajor, Dialect>> = { 3: v3, 4: v4, 5: v5 };

/** Whether a value is null or an empty list. */
function isEmpty(value: JsonValue = null): boolean {
  return value === null || (isJsonArray(value) && value.length === 0);
}
