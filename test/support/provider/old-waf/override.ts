import { ClientError } from '../http/cloudflare-go';
import { type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf, type Value } from '../protocol/value';
import { Refusal } from '../resource';
import { type Known, type SdkBehaviour } from '../sdk/sdk-resource';
import { isZero } from '../sdk/zero';
import { type Json, OldWafService } from './old-waf-service';

const maps = ['rules', 'groups', 'rewrite_action'] as const;

/** `cloudflare_waf_override`: the only one of the four that is really created. */
export const wafOverride: SdkBehaviour = {
  read: (state, http) =>
    read(state, http).catch((error: unknown) => {
      throw worded(`failed to find WAF override ${textOf(state['id'])}`, error);
    }),
  async create(planned, http) {
    try {
      const created = await of(planned, http).createOverride(bodyOf(planned));
      return await read({ ...planned, id: String(created['id']) }, http);
    } catch (error) {
      throw worded('failed to create WAF override', error);
    }
  },
};

function of(state: ObjectValue, http: CloudflareHttp): OldWafService {
  return new OldWafService(http, textOf(state['zone_id']));
}

/** Only the text of the error means gone. Empty maps in the response leave the state unchanged. */
async function read(state: ObjectValue, http: CloudflareHttp): Promise<Known> {
  let found: Json;
  try {
    found = await of(state, http).override(textOf(state['id']));
  } catch (error) {
    if (error instanceof ClientError && error.message.includes('wafuriconfig.api.not_found')) {
      return null;
    }
    throw error;
  }
  const value = (name: string) => (found[name] ?? null) as Value;
  return {
    id: value('id'),
    override_id: value('id'),
    urls: value('urls'),
    paused: value('paused'),
    description: value('description'),
    priority: value('priority'),
    ...Object.fromEntries(
      maps.filter((name) => !isZero(value(name))).map((name) => [name, value(name)]),
    ),
  };
}

function bodyOf(planned: ObjectValue): Json {
  const orNull = (name: string) => (isZero(planned[name]) ? null : planned[name]);
  return {
    description: planned['description'] ?? '',
    urls: planned['urls'],
    priority: planned['priority'] ?? 0,
    groups: orNull('groups'),
    rewrite_action: orNull('rewrite_action'),
    rules: orNull('rules'),
    paused: planned['paused'] ?? false,
  };
}

function worded(what: string, error: unknown): unknown {
  return error instanceof ClientError ? new Refusal(`${what}: ${error.message}`) : error;
}
