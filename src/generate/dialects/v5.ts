import { parametersOf } from '../../core/ruleset';
import { type Finding } from '../../core/finding';
import { isJsonArray, isJsonObject, type JsonValue } from '../../core/json';
import { attributesOf, type Dialect } from './dialect';
import schema from './schemas/v5.json';

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

/** Provider 5 (measured with 5.22.0): attributes instead of blocks, lists in the service's order. */
export const v5: Dialect = {
  major: 5,
  schema,
  unboundFields,
  // ref is explicit also where it equals the id: left out, the next change re-mints every id
  ruleFields: [
    'ref',
    'action',
    'expression',
    'description',
    'enabled',
    'action_parameters',
    'logging',
  ],
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

/** Null, or a list of nothing: nulls in a list are left out. */
function isEmpty(value: JsonValue = null): boolean {
  return value === null || (isJsonArray(value) && value.every((item) => item === null));
}

/** Whether a state has such a parameter: a field that the schema does not know has a finding of its own. */
function isParameter(name: string): boolean {
  const parameters = attributesOf(schema['rules'])['action_parameters'];
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
    message: `the service answers ${shape}, which provider 5 can neither declare nor plan without a difference`,
    remedy:
      'expect this one difference in the first plan, or give the setting a value in the service first',
  };
}
