import { frameworkPlan, mergeComputed } from '../framework/framework-plan';
import { accepted, zoneObject } from '../framework/zone-object';
import { type CloudflareHttp } from '../http/cloudflare-http';
import { validateV5Ruleset } from './ruleset-validators';
import { type ObjectValue, Unknown, type Value, isObject, textOf } from '../protocol/value';
import { type Provider, Refusal, type Resource } from '../resource';
import { ShapeError, conform, isRecord } from '../schema/conform';
import { type Field, type Fields, type SchemaJson, blockFields } from '../schema/field';
import { loadSchema } from '../schema/load-schema';

/** Provider 5.22.0. */
export function providerV5(): Provider {
  const schema = loadSchema(5);
  return {
    schema: schema.provider,
    resources: {
      cloudflare_ruleset: rulesetV5(schema.resources['cloudflare_ruleset']!),
      cloudflare_filter: zoneObject(schema.resources['cloudflare_filter']!, {
        path: '/filters',
        known: (found) => found,
      }),
      cloudflare_firewall_rule: zoneObject(schema.resources['cloudflare_firewall_rule']!, {
        path: '/firewall/rules',
        known: ({ action: mode, ...found }) => ({ ...found, action: { mode } }),
      }),
    },
    dataSources: {},
  };
}

function rulesetV5(schema: SchemaJson): Resource {
  const fields = blockFields(schema.block);
  return {
    schema,
    legacy: false,
    validate: validateV5Ruleset,
    upgrade: (version, state) => upgrade(fields, version, state),
    importState: (id, http) => importState(fields, id, http),
    async read(state, http) {
      const answer = await http.send('GET', rulesetPath(state));
      if (answer.status === 404) {
        return {
          state: null,
          warnings: [
            {
              severity: 'warning',
              summary: 'Resource not found',
              detail: 'The resource was not found on the server and will be removed from state.',
            },
          ],
        };
      }
      return { state: stateOf(fields, accepted(answer), scopeOf(state)) };
    },
    plan: (request) =>
      frameworkPlan(fields, request, {
        defaults: { description: '', rules: [], 'rules.description': '', 'rules.enabled': true },
        keepsState: ['id'],
        replaces: ['account_id', 'zone_id', 'kind', 'name', 'phase'],
        modify: matchRulesByRef,
      }),
    async update(planned, http) {
      const answer = accepted(await http.send('PUT', rulesetPath(planned), bodyOf(planned)));
      return filled(fields, planned, answer);
    },
  };
}

/** Two rules with the same `ref` are the same rule: it keeps its id and its logging. */
function matchRulesByRef(planned: ObjectValue, prior: ObjectValue): ObjectValue {
  if (!Array.isArray(planned['rules']) || !Array.isArray(prior['rules'])) return planned;
  const byRef = new Map(
    prior['rules'].filter(isObject).map((rule) => [rule['ref'], rule] as const),
  );
  const rules = planned['rules'].map((rule) => {
    if (!isObject(rule) || typeof rule['ref'] !== 'string') return rule;
    const before = byRef.get(rule['ref']);
    if (before === undefined) return rule;
    const sameAction = before['action'] === rule['action'];
    return {
      ...rule,
      ...(rule['id'] instanceof Unknown && { id: before['id'] ?? null }),
      ...(rule['logging'] instanceof Unknown &&
        sameAction && { logging: before['logging'] ?? null }),
    };
  });
  return { ...planned, rules };
}

async function importState(fields: Fields, id: string, http: CloudflareHttp) {
  const parts = id.split('/');
  if (parts.length !== 3 || parts.includes('')) {
    throw new Refusal(
      'invalid ID',
      `expected urlencoded segments <{accounts|zones}/{account_id|zone_id}>/<ruleset_id>, got ${id}`,
    );
  }
  const [level, scope, ruleset] = parts;
  if (level !== 'zones' && level !== 'accounts') {
    throw new Refusal(
      'invalid discriminator segment - <{accounts|zones}/{account_id|zone_id}>',
      'expected discriminator to be one of {accounts|zones}',
    );
  }
  const answer = accepted(await http.send('GET', `/${level}/${scope}/rulesets/${ruleset}`));
  return stateOf(fields, answer, level === 'zones' ? { zone_id: scope! } : { account_id: scope! });
}

/**
 * State of schema version 1 is of provider 4 or of an early 5. In provider 4, `action_parameters` of the first
 * rule is an array, in 5 an object. Without it, the state counts as one of 5.
 */
function upgrade(fields: Fields, version: number, state: unknown): ObjectValue {
  if (version >= 500 || version === 0) return conform(fields, state);
  const rules =
    isRecord(state) && Array.isArray(state['rules']) ? (state['rules'] as unknown[]) : [];
  const isV4 = isRecord(rules[0]) && Array.isArray(rules[0]['action_parameters']);
  try {
    return isV4 ? rulesetFromV4(fields, state) : conform(fields, state, { strict: true });
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    const major = isV4 ? 'v4' : 'v5';
    throw new Refusal(
      `Failed to unmarshal ${major} ruleset state`,
      `Could not parse raw state as ${major} format: ${error.message}`,
    );
  }
}

function scopeOf(state: ObjectValue): ObjectValue {
  return state['zone_id'] === null
    ? { account_id: state['account_id'] ?? null }
    : { zone_id: state['zone_id'] ?? null };
}

function scopePath(state: ObjectValue): string {
  const zone = state['zone_id'];
  return typeof zone === 'string' ? `/zones/${zone}` : `/accounts/${textOf(state['account_id'])}`;
}

function rulesetPath(state: ObjectValue): string {
  return `${scopePath(state)}/rulesets/${textOf(state['id'])}`;
}

/** A response as state: null for missing values, but "" for a rule's description. */
function stateOf(fields: Fields, answer: Record<string, unknown>, scope: ObjectValue): ObjectValue {
  const state = conform(fields, { ...answer, rules: answer['rules'] ?? [] });
  const lastUpdated = state['last_updated'];
  return {
    ...state,
    ...scope,
    ...(typeof lastUpdated === 'string' && {
      last_updated: lastUpdated.replace(/(?:\.(\d*?)0*)?Z$/, (_all, digits?: string) =>
        digits ? `.${digits}Z` : 'Z',
      ),
    }),
    rules: (state['rules'] as ObjectValue[]).map((rule) => ({
      ...rule,
      description: rule['description'] ?? '',
    })),
  };
}

function filled(
  fields: Fields,
  planned: ObjectValue,
  answer: Record<string, unknown>,
): ObjectValue {
  return mergeComputed(planned, stateOf(fields, answer, scopeOf(planned))) as ObjectValue;
}

/** The request of provider 5: the whole ruleset without rule ids, nulls and unknowns. */
function bodyOf(planned: ObjectValue): Value {
  const { description, kind, name, phase, rules } = planned;
  const sent = Array.isArray(rules)
    ? rules.filter(isObject).map((rule) => ({ ...rule, id: null }))
    : [];
  return withoutNull({ description, kind, name, phase, rules: sent } as ObjectValue);
}

function withoutNull(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null && !(part instanceof Unknown))
      .map(([key, part]) => [key, withoutNull(part)]),
  );
}

/**
 * State of provider 4 as provider 5 rewrites it: lists of one block become objects, comma separated
 * ids become lists.
 *
 * @throws {ShapeError} for an attribute that provider 4 did not have, such as those of provider 3
 */
function rulesetFromV4(fields: Fields, state: unknown): ObjectValue {
  const v4 = blockFields(loadSchema(4).resources['cloudflare_ruleset']!.block);
  const parsed = conform(v4, state, { strict: true });
  return conform(fields, reshape(fields, parsed));
}

function reshape(fields: Fields, value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, reshapeField(field, name, value[name])]),
  );
}

function reshapeField(field: Field, name: string, value: unknown): unknown {
  if (field.kind === 'leaf') {
    if (name === 'rules' && isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([id, ids]) => [id, String(ids).split(/\s*,\s*/)]),
      );
    }
    return value;
  }
  if (!Array.isArray(value)) return value;
  const items = value.map((item: unknown) =>
    isRecord(item) ? reshape(field.fields, item) : { name: item },
  );
  if (field.nesting === 'single') return items[0] ?? null;
  if (field.nesting === 'map') {
    const named = value.map((item: unknown, at) => [
      isRecord(item) ? item['name'] : String(at),
      items[at],
    ]);
    return named.length === 0 ? null : Object.fromEntries(named as [string, unknown][]);
  }
  return items.length === 0 && name !== 'rules' ? null : items;
}
