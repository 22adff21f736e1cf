import { filter, firewallRule } from '../firewall/firewall-resources';
import { frameworkPlan } from '../framework/framework-plan';
import { ClientError } from '../http/cloudflare-http';
import { isObject, type ObjectValue, textOf, Unknown, type Value } from '../protocol/value';
import { type Provider, Refusal, type Resource } from '../resource';
import { conform } from '../schema/conform';
import { blockFields, type Fields, type SchemaJson } from '../schema/field';
import { loadSchema } from '../schema/load-schema';
import { sdkResource } from '../sdk/sdk-resource';
import { fromBlocks, toBlocks, type RulesetJson, RulesetService } from './ruleset-blocks';
import { validateV4Ruleset } from './ruleset-validators';

/** Provider 4.52.8. */
export function providerV4(): Provider {
  const schema = loadSchema(4);
  return {
    schema: schema.provider,
    resources: {
      cloudflare_ruleset: rulesetV4(schema.resources['cloudflare_ruleset']!),
      cloudflare_filter: sdkResource(schema.resources['cloudflare_filter']!, filter),
      cloudflare_firewall_rule: sdkResource(
        schema.resources['cloudflare_firewall_rule']!,
        firewallRule,
      ),
    },
    dataSources: {},
  };
}

function rulesetV4(schema: SchemaJson): Resource {
  const fields = blockFields(schema.block);
  return {
    schema,
    legacy: false,
    validate: (config) => validateV4Ruleset(schema, config),
    // Schema version and shape are those of provider 3; unknown attributes are dropped.
    upgrade: (_version, state) => conform(fields, state),
    importState: (id) => Promise.resolve(importState(fields, id)),
    async read(state, http) {
      const id = textOf(state['id']);
      try {
        const answer = await new RulesetService(http, state).get(id);
        return { state: stateOf(fields, answer, state) };
      } catch (error) {
        if (error instanceof ClientError && error.kind === 'notFound') return { state: null };
        throw worded(`error reading ruleset ID "${id}"`, error);
      }
    },
    plan: (request) =>
      frameworkPlan(fields, request, {
        keepsState: ['id', 'description', 'rules.description'],
        whenUnknown: { 'rules.enabled': true },
        replaces: ['name', 'phase'],
        modify: matchRulesByRef,
      }),
    async update(planned, http) {
      const id = textOf(planned['id']);
      const body = {
        description: textOf(planned['description']),
        rules: rulesOf(fields, planned) ?? null,
      };
      try {
        const answer = await new RulesetService(http, planned).update(id, body);
        return stateOf(fields, answer, planned);
      } catch (error) {
        throw worded(`error updating ruleset with ID "${id}"`, error);
      }
    },
  };
}

/** A rule whose `ref` is configured and known keeps the id that this ref has in state. */
function matchRulesByRef(planned: ObjectValue, prior: ObjectValue): ObjectValue {
  const before = Array.isArray(prior['rules']) ? prior['rules'].filter(isObject) : [];
  const idByRef = new Map(before.map((rule) => [rule['ref'], rule['id'] ?? null] as const));
  const rules = (planned['rules'] as ObjectValue[]).map((rule) => {
    const id = typeof rule['ref'] === 'string' ? idByRef.get(rule['ref']) : undefined;
    return rule['id'] instanceof Unknown && id !== undefined ? { ...rule, id } : rule;
  });
  return { ...planned, rules };
}

/** Everything except `zone` counts as an account, which the API then refuses. */
function importState(fields: Fields, id: string): ObjectValue {
  const parts = id.split('/');
  if (parts.length !== 3 || parts.includes('')) {
    throw new Refusal(
      'invalid import identifier',
      `expected import identifier to be resourceLevel/resourceIdentifier/rulesetID. got: "${id}"`,
    );
  }
  const [level, scope, ruleset] = parts;
  return conform(fields, {
    id: ruleset,
    [level === 'zone' ? 'zone_id' : 'account_id']: scope,
  });
}

function worded(summary: string, error: unknown): unknown {
  return error instanceof ClientError ? new Refusal(summary, error.message) : error;
}

/** A response as state, without regard to the plan. Empty text is null, except descriptions. */
function stateOf(fields: Fields, answer: RulesetJson, scope: ObjectValue): ObjectValue {
  const state = nullForEmpty(conform(fields, toBlocks(fields, answer))) as ObjectValue;
  const described = (object: ObjectValue) => ({
    ...object,
    description: object['description'] ?? '',
  });
  return {
    ...described(state),
    zone_id: scope['zone_id'] ?? null,
    account_id: scope['account_id'] ?? null,
    rules: (state['rules'] as ObjectValue[]).map(described),
  };
}

function nullForEmpty(value: Value): Value {
  if (value === '' || value === 0) return null;
  if (Array.isArray(value)) return value.map(nullForEmpty);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nullForEmpty(part)]));
}

/** Rules of a request: id and ref if known, `enabled` and a description on each. */
function rulesOf(fields: Fields, planned: ObjectValue): unknown[] | undefined {
  const isUnset = (value: Value) => value === null || value === '' || value === 0;
  const { rules } = fromBlocks({ rules: fields['rules']! }, planned, isUnset);
  if (!Array.isArray(rules)) return undefined;
  return rules.map((rule: Record<string, unknown>) => ({ description: '', ...rule }));
}
