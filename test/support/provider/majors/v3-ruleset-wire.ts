import { isObject, type ObjectValue, textOf, type Value } from '../protocol/value';
import { conform, isRecord } from '../schema/conform';
import { type Fields } from '../schema/field';
import { isZero, zeroFilled } from '../sdk/zero';
import { fromBlocks, toBlocks } from './ruleset-blocks';
import { type RulesetJson } from './ruleset-service';

/** An answer as state: zeros where the service is silent; `ref` and version of a rule are not kept. */
export function stateOf(
  fields: Fields,
  answer: RulesetJson,
  id: string,
  scope: ObjectValue,
): ObjectValue {
  const { name, description = '', kind, phase } = answer;
  const rules = Array.isArray(answer['rules']) ? answer['rules'] : [];
  const known = rules
    .filter(isRecord)
    .map((rule) => statusForEnabled({ ...rule, ref: '', version: '', last_updated: '' }));
  const state = conform(fields, {
    ...toBlocks(fields, { rules: known }),
    name,
    description,
    kind,
    phase,
  });
  return {
    ...zeroFilled({ rules: fields['rules']! }, state),
    ...Object.fromEntries(Object.entries(state).filter(([key]) => key !== 'rules')),
    id,
    zone_id: scope['zone_id'] ?? null,
    account_id: scope['account_id'] ?? null,
  };
}

/** On and off is `status` within overrides and logging; only a rule itself has `enabled`. */
function statusForEnabled(rule: Record<string, unknown>): Record<string, unknown> {
  const swap = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(swap);
    if (!isRecord(value)) return value;
    const { enabled, ...rest } = value;
    const status = enabled === true ? 'enabled' : enabled === false ? 'disabled' : '';
    return { ...mapRecord(rest, swap), status };
  };
  const { logging, action_parameters: parameters } = rule;
  return {
    ...rule,
    logging: swap(logging),
    ...(isRecord(parameters) && {
      action_parameters: { ...parameters, overrides: swap(parameters['overrides']) },
    }),
  };
}

function mapRecord(record: Record<string, unknown>, change: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/**
 * Rules as they are sent: `enabled` on each, false if it was not configured; no ref; in overrides
 * and logging only `status` counts, what `enabled` says there is dropped.
 *
 * @param positions where the status of overrides is taken from: the new rule of the same position,
 *   even for an old rule
 */
export function rulesOf(fields: Fields, value: ObjectValue, positions: ObjectValue = value) {
  const rules = value['rules'] as ObjectValue[];
  const statuses = positions['rules'] as ObjectValue[];
  const { rules: sent = [] } = fromBlocks({ rules: fields['rules']! }, value, isZero);
  return (sent as Record<string, unknown>[]).map((rule, at) => {
    const rest = without(rule, 'ref', 'version', 'last_updated', 'id');
    const given = rest['action_parameters'];
    const parameters = isRecord(given) ? without(given, 'version', 'overrides') : undefined;
    const overrides = isRecord(given)
      ? enabledForStatus(given['overrides'], overridesOf(statuses[at]))
      : undefined;
    const logging = enabledForStatus(rest['logging'], blockOf(rules[at]?.['logging']));
    return {
      description: '',
      ...rest,
      enabled: rules[at]?.['enabled'] === true,
      ...(parameters !== undefined && {
        action_parameters: isFilled(overrides) ? { ...parameters, overrides } : parameters,
      }),
      ...(logging !== undefined && { logging }),
    };
  });
}

function enabledForStatus(sent: unknown, source: Value | undefined): unknown {
  if (Array.isArray(sent)) {
    return sent.map((item, at) =>
      enabledForStatus(item, Array.isArray(source) ? source[at] : undefined),
    );
  }
  if (!isRecord(sent)) return sent;
  const from = isObject(source) ? source : {};
  const rest = without(sent, 'status', 'enabled');
  const status = textOf(from['status']);
  return {
    ...Object.fromEntries(
      Object.entries(rest).map(([key, part]) => [key, enabledForStatus(part, from[key])]),
    ),
    ...(status !== '' && { enabled: status === 'enabled' }),
  };
}

function isFilled(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}

function without(record: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function blockOf(value: Value | undefined): Value | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}

function overridesOf(rule: ObjectValue | undefined): Value | undefined {
  const parameters = blockOf(rule?.['action_parameters']);
  return isObject(parameters) ? blockOf(parameters['overrides']) : undefined;
}

/** A rule that is sent as it was before keeps its id; a changed one is sent without, and gets a new one. */
export function withKeptIds(fields: Fields, prior: ObjectValue, planned: ObjectValue) {
  const ids = new Map<string, Value[]>();
  rulesOf(fields, prior, planned).forEach((rule, at) => {
    const key = JSON.stringify(rule);
    const id = (prior['rules'] as ObjectValue[])[at]?.['id'] ?? null;
    ids.set(key, [...(ids.get(key) ?? []), id]);
  });
  return rulesOf(fields, planned).map((rule) => {
    const id = ids.get(JSON.stringify(rule))?.shift();
    return id === undefined ? rule : { id, ...rule };
  });
}
