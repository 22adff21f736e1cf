import { filter, firewallRule } from '../firewall/firewall-resources';
import { ClientError, type CloudflareHttp } from '../http/cloudflare-http';
import { oldWafDataSources, wafGroup, wafOverride, wafPackage, wafRule } from '../old-waf';
import { type ObjectValue, textOf } from '../protocol/value';
import { type Provider, Refusal, type Resource } from '../resource';
import { conform, isRecord } from '../schema/conform';
import { blockFields, type Fields, type SchemaJson } from '../schema/field';
import { loadSchema } from '../schema/load-schema';
import { asRefusal, sdkPlan, sdkResource, zeroFilled } from '../sdk/sdk-resource';
import { toBlocks, type RulesetJson, RulesetService } from './ruleset-blocks';
import { validateV3Ruleset } from './ruleset-validators';

const sdkResources = {
  cloudflare_waf_package: wafPackage,
  cloudflare_waf_group: wafGroup,
  cloudflare_waf_rule: wafRule,
  cloudflare_waf_override: wafOverride,
  cloudflare_filter: filter,
  cloudflare_firewall_rule: firewallRule,
};

/** Provider 3.35.0. */
export function providerV3(): Provider {
  const schema = loadSchema(3);
  return {
    schema: schema.provider,
    resources: {
      cloudflare_ruleset: rulesetV3(schema.resources['cloudflare_ruleset']!),
      ...Object.fromEntries(
        Object.entries(sdkResources).map(([name, behaviour]) => [
          name,
          sdkResource(schema.resources[name]!, behaviour),
        ]),
      ),
    },
    dataSources: oldWafDataSources(schema.dataSources),
  };
}

function rulesetV3(schema: SchemaJson): Resource {
  const fields = blockFields(schema.block);
  return {
    schema,
    legacy: true,
    validate: (config) => validateV3Ruleset(schema, config),
    upgrade: (_version, state) => conform(fields, state),
    importState: (id, http) => importState(fields, id, http),
    read: async (state, http) => ({ state: await read(fields, textOf(state['id']), state, http) }),
    plan: (request) => sdkPlan(fields, request, { replaces: ['name'] }),
  };
}

/** Everything except `account` counts as a zone. A failed read of the ruleset is ignored. */
async function importState(fields: Fields, id: string, http: CloudflareHttp) {
  const [level, scope, ruleset] = id.split(/\/(.*?)\/(.*)/s);
  if (level === undefined || scope === undefined || ruleset === undefined) {
    throw new Refusal(
      `invalid id ("${id}") specified, should be in format "resourceType/resourceTypeID/rulesetID`,
    );
  }
  const start = conform(fields, {
    id: ruleset,
    [level === 'account' ? 'account_id' : 'zone_id']: scope,
  });
  try {
    const state = await read(fields, ruleset, start, http);
    if (state !== null) return state;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return start;
  }
  throw new Refusal(
    'The provider returned a resource missing an identifier during ImportResourceState. This is ' +
      'generally a bug in the resource implementation for import.',
  );
}

async function read(fields: Fields, id: string, scope: ObjectValue, http: CloudflareHttp) {
  try {
    return stateOf(fields, await new RulesetService(http, scope).get(id), id, scope);
  } catch (error) {
    // Only by its text: any other 404 is an error.
    if (error instanceof ClientError && error.message.includes('could not find ruleset'))
      return null;
    throw asRefusal(`error reading ruleset ID "${id}"`, error);
  }
}

/** A response as state: zeros for missing values, without `ref` and version of a rule. */
function stateOf(fields: Fields, answer: RulesetJson, id: string, scope: ObjectValue): ObjectValue {
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

/** Overrides and logging have `status`; only the rule itself has `enabled`. */
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
