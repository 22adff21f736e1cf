import { filter, firewallRule } from '../firewall/firewall-resources';
import { ClientError } from '../http/cloudflare-go';
import { type CloudflareHttp } from '../http/cloudflare-http';
import { oldWafDataSources } from '../old-waf/data-sources';
import { wafGroup, wafRule } from '../old-waf/group-and-rule';
import { wafOverride } from '../old-waf/override';
import { wafPackage } from '../old-waf/package';
import { type ObjectValue, textOf } from '../protocol/value';
import { type Provider, Refusal, type Resource } from '../resource';
import { conform } from '../schema/conform';
import { blockFields, type Fields, type SchemaJson } from '../schema/field';
import { loadSchema } from '../schema/load-schema';
import { sdkPlan } from '../sdk/sdk-plan';
import { sdkResource } from '../sdk/sdk-resource';
import { createRuleset, RulesetService } from './ruleset-service';
import { rulesOf, stateOf, withKeptIds } from './v3-ruleset-wire';
import { validateV3Ruleset } from './ruleset-validators';

const alreadyThere = (phase: string) =>
  `failed to create ruleset "${phase}" as a similar configuration with rules already exists and ` +
  'overwriting will have unintended consequences. If you are migrating from the Dashboard, you ' +
  'will need to first remove the existing rules otherwise you can remove the existing phase ' +
  'yourself using the API.';

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
  const readBack = async (id: string, scope: ObjectValue, http: CloudflareHttp) => {
    const state = await read(fields, id, scope, http);
    if (state === null) throw new Refusal('Provider produced inconsistent result after apply');
    return state;
  };
  return {
    schema,
    legacy: true,
    validate: (config) => validateV3Ruleset(schema, config),
    upgrade: (_version, state) => conform(fields, state),
    importState: (id, http) => importState(fields, id, http),
    read: async (state, http) => ({ state: await read(fields, textOf(state['id']), state, http) }),
    plan: (request) => sdkPlan(fields, request, { replaces: ['name'] }),
    async create({ planned }, http) {
      const service = new RulesetService(http, planned);
      const phase = textOf(planned['phase']);
      const rules = rulesOf(fields, planned);
      const wanted = {
        name: textOf(planned['name']),
        description: textOf(planned['description']),
        kind: textOf(planned['kind']),
        phase,
        ...(rules.length > 0 && { rules }),
      };
      try {
        const refuse = () => new Refusal(alreadyThere(phase));
        const created = await createRuleset(service, wanted, true, refuse);
        return await readBack(String(created['id']), planned, http);
      } catch (error) {
        throw worded(`error creating ruleset ${wanted.name}`, error);
      }
    },
    async update({ prior, planned }, http) {
      const id = textOf(planned['id']);
      const rules = withKeptIds(fields, prior!, planned);
      const description = textOf(planned['description']);
      try {
        await new RulesetService(http, planned).update(id, {
          description,
          rules: rules.length > 0 ? rules : null,
        });
      } catch (error) {
        throw worded(`error updating ruleset with ID "${id}"`, error);
      }
      return readBack(id, planned, http);
    },
    async destroy(state, http) {
      const id = textOf(state['id']);
      try {
        await new RulesetService(http, state).destroy(id);
      } catch (error) {
        throw worded(`error deleting ruleset with ID "${id}"`, error);
      }
    },
  };
}

/** Whatever is not `account` is taken for a zone. That the ruleset cannot be read is overlooked. */
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
    // By its text alone: any other 404 is an error.
    if (error instanceof ClientError && error.message.includes('could not find ruleset'))
      return null;
    throw worded(`error reading ruleset ID "${id}"`, error);
  }
}

function worded(summary: string, error: unknown): unknown {
  return error instanceof ClientError ? new Refusal(`${summary}: ${error.message}`) : error;
}
