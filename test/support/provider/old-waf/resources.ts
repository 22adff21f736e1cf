import { ClientError, type CloudflareHttp } from '../http/cloudflare-http';
import { type Json, OldWafService, inPackages, isGone } from './old-waf-service';
import { type ObjectValue, type Value, textOf } from '../protocol/value';
import { Refusal } from '../resource';
import { type Known, type SdkBehaviour, isZero, oneOf } from '../sdk/sdk-resource';

/** `cloudflare_waf_package`: adopts a package. */
export const wafPackage: SdkBehaviour = {
  traits: {
    defaults: { sensitivity: 'high', action_mode: 'challenge' },
    replaces: ['zone_id', 'package_id'],
  },
  validate: (config) => [
    ...oneOf(['high', 'medium', 'low', 'off'], config, ['sensitivity']),
    ...oneOf(['simulate', 'block', 'challenge'], config, ['action_mode']),
  ],
  async read(state, http) {
    try {
      return known(await serviceOf(state, http).package(textOf(state['package_id'])));
    } catch (error) {
      if (isGone(error, 1002)) return null;
      throw error;
    }
  },
  async create(planned, http) {
    const id = textOf(planned['package_id']);
    const found = await serviceOf(planned, http)
      .package(id)
      .catch((error: unknown) => {
        // The provider does not show the cause.
        throw error instanceof ClientError
          ? new Refusal(`unable to find WAF Package ${id}`)
          : error;
      });
    const wanted = {
      sensitivity: textOf(planned['sensitivity']),
      action_mode: textOf(planned['action_mode']),
    };
    const isSet =
      found['sensitivity'] === wanted.sensitivity && found['action_mode'] === wanted.action_mode;
    if (!isSet) await serviceOf(planned, http).setPackage(id, wanted);
    return { id };
  },
};

function serviceOf(state: ObjectValue, http: CloudflareHttp): OldWafService {
  return new OldWafService(http, textOf(state['zone_id']));
}

function known(found: Json): ObjectValue {
  return {
    id: String(found['id']),
    sensitivity: textOf(found['sensitivity']),
    action_mode: textOf(found['action_mode']),
  };
}

/** The differences between a group and a rule. */
interface Kind {
  noun: string;
  /** The attribute with its id. */
  key: 'group_id' | 'rule_id';
  /** The error code that means gone, beside that of its package. */
  goneCode: number;
  find: (waf: OldWafService, pkg: string, id: string) => Promise<Json>;
  set: (waf: OldWafService, pkg: string, id: string, mode: string) => Promise<Json>;
  known: (found: Json) => ObjectValue;
}

/** `cloudflare_waf_group`: adopts a group. */
export const wafGroup: SdkBehaviour = {
  ...adopting({
    ...{ noun: 'Group', key: 'group_id', goneCode: 1003 },
    find: (waf, pkg, id) => waf.group(pkg, id),
    set: (waf, pkg, id, mode) => waf.setGroup(pkg, id, mode),
    known: ({ id, mode }) => ({ id: String(id), mode: String(mode) }),
  }),
  traits: { defaults: { mode: 'on' }, replaces: ['zone_id', 'group_id'] },
  validate: (config) => oneOf(['on', 'off'], config, ['mode']),
};

/** `cloudflare_waf_rule`: adopts a rule. */
export const wafRule: SdkBehaviour = {
  ...adopting({
    ...{ noun: 'Rule', key: 'rule_id', goneCode: 1004 },
    find: (waf, pkg, id) => waf.rule(pkg, id),
    set: (waf, pkg, id, mode) => waf.setRule(pkg, id, mode),
    known: ({ id, mode, group }) => ({
      ...{ id: String(id), mode: String(mode) },
      group_id: textOf((group as Json | undefined)?.['id']),
    }),
  }),
};

function adopting({ noun, key, goneCode, find, set, known }: Kind) {
  const of = (state: ObjectValue, http: CloudflareHttp) => ({
    waf: serviceOf(state, http),
    pkg: textOf(state['package_id']),
    id: textOf(state[key]),
  });
  return {
    async read(state: ObjectValue, http: CloudflareHttp) {
      try {
        const { waf, pkg, id } = of(state, http);
        return known(await find(waf, pkg, id));
      } catch (error) {
        if (isGone(error, 1002, goneCode)) return null;
        throw error;
      }
    },
    async create(planned: ObjectValue, http: CloudflareHttp) {
      const { waf, pkg, id } = of(planned, http);
      const found = await inPackages(waf, pkg, (one) => find(waf, one, id));
      if (found === null) throw new Refusal(`unable to find WAF ${noun} ${id}`);
      const [home, before] = found;
      const mode = textOf(planned['mode']);
      if (before['mode'] !== mode) await set(waf, home, id, mode);
      return { ...known(await find(waf, home, id)), package_id: home };
    },
  };
}

const maps = ['rules', 'groups', 'rewrite_action'] as const;

/** `cloudflare_waf_override`: the only one of the four that is really created. */
export const wafOverride: SdkBehaviour = {
  read: (state, http) =>
    read(state, http).catch((error: unknown) => {
      throw worded(`failed to find WAF override ${textOf(state['id'])}`, error);
    }),
  async create(planned, http) {
    try {
      const created = await serviceOf(planned, http).createOverride(bodyOf(planned));
      return await read({ ...planned, id: String(created['id']) }, http);
    } catch (error) {
      throw worded('failed to create WAF override', error);
    }
  },
};

/** Only the text of the error means gone. Empty maps in the response leave the state unchanged. */
async function read(state: ObjectValue, http: CloudflareHttp): Promise<Known> {
  let found: Json;
  try {
    found = await serviceOf(state, http).override(textOf(state['id']));
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
