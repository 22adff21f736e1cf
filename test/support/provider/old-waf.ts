import { createHash } from 'node:crypto';
import { ClientError, type CloudflareHttp, resultOf } from './http/cloudflare-http';
import { isObject, type ObjectValue, textOf, type Value } from './protocol/value';
import { type DataSource, Refusal } from './resource';
import { conform } from './schema/conform';
import { blockFields, type Fields, type SchemaJson, type Type } from './schema/field';
import {
  asRefusal,
  isZero,
  type Known,
  oneOf,
  type SdkBehaviour,
  worded,
  zeroFilled,
  zeroOf,
} from './sdk/sdk-resource';

type Json = Record<string, unknown>;

/** The legacy API, as the client of provider 3.35 calls it. */
class OldWafService {
  private readonly base: string;

  constructor(
    private readonly http: CloudflareHttp,
    zone: string,
  ) {
    this.base = `/zones/${zone}/firewall/waf`;
  }

  packages = () => this.list('/packages');
  groups = (pkg: string) => this.list(`/packages/${pkg}/groups`);
  rules = (pkg: string) => this.list(`/packages/${pkg}/rules`);

  package = (pkg: string) => this.call('GET', `/packages/${pkg}`);
  group = (pkg: string, id: string) => this.call('GET', `/packages/${pkg}/groups/${id}`);
  rule = (pkg: string, id: string) => this.call('GET', `/packages/${pkg}/rules/${id}`);
  override = (id: string) => this.call('GET', `/overrides/${id}`);

  setPackage = (pkg: string, body: Json) => this.call('PATCH', `/packages/${pkg}`, body);
  setGroup = (pkg: string, id: string, mode: string) =>
    this.call('PATCH', `/packages/${pkg}/groups/${id}`, { mode });
  setRule = (pkg: string, id: string, mode: string) =>
    this.call('PATCH', `/packages/${pkg}/rules/${id}`, { mode });

  createOverride = (body: Json) => this.call('POST', '/overrides', body);

  private async call(method: string, path: string, body?: unknown): Promise<Json> {
    return (resultOf(await this.http.send(method, this.base + path, body)) ?? {}) as Json;
  }

  private async list(path: string): Promise<Json[]> {
    const all: Json[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await this.http.send('GET', `${this.base}${path}?page=${page}&per_page=100`);
      all.push(...((resultOf(answer) ?? []) as Json[]));
      if (page >= (answer.json?.result_info?.total_pages ?? 1)) return all;
    }
  }
}

/**
 * Whether provider 3.35 treats an error as "gone": by its code, and only for a status without an error class. A
 * 404 never counts.
 */
function isGone(error: unknown, ...codes: number[]): boolean {
  return (
    error instanceof ClientError &&
    error.kind === 'request' &&
    codes.some((code) => error.codes.includes(code))
  );
}

/**
 * Looks for an object in the named package, otherwise in each package of the zone.
 *
 * @returns the package and the object; null if no package has it
 */
async function inPackages(
  waf: OldWafService,
  pkg: string,
  find: (pkg: string) => Promise<Json>,
): Promise<[string, Json] | null> {
  const candidates = pkg === '' ? (await waf.packages()).map(({ id }) => String(id)) : [pkg];
  for (const candidate of candidates) {
    try {
      return [candidate, await find(candidate)];
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
    }
  }
  return null;
}

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

interface Kind {
  noun: string;
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
      throw asRefusal(`failed to find WAF override ${textOf(state['id'])}`, error);
    }),
  async create(planned, http) {
    try {
      const created = await serviceOf(planned, http).createOverride(bodyOf(planned));
      return await read({ ...planned, id: String(created['id']) }, http);
    } catch (error) {
      throw asRefusal('failed to create WAF override', error);
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

interface Listing {
  list: 'packages' | 'groups' | 'rules';
  read: (waf: OldWafService, filter: (name: string) => string, pkg: string) => Promise<Json[]>;
}

const listings: Record<string, Listing> = {
  cloudflare_waf_packages: {
    list: 'packages',
    read: async (waf, filter) =>
      (await waf.packages()).filter(
        (one) =>
          matches(filter('name'), one['name']) &&
          ['detection_mode', 'sensitivity', 'action_mode'].every((name) =>
            equals(filter(name), one[name] ?? ''),
          ),
      ),
  },
  cloudflare_waf_groups: {
    list: 'groups',
    read: async (waf, filter, pkg) =>
      (await each(waf, pkg, waf.groups)).filter(
        (group) => matches(filter('name'), group['name']) && equals(filter('mode'), group['mode']),
      ),
  },
  cloudflare_waf_rules: {
    list: 'rules',
    read: async (waf, filter, pkg) =>
      (await each(waf, pkg, waf.rules))
        .map((rule) => {
          const group = rule['group'] as Json | undefined;
          return { ...rule, group_id: group?.['id'], group_name: group?.['name'] };
        })
        .filter(
          (rule: Json) =>
            matches(filter('description'), rule['description']) &&
            equals(filter('mode'), rule['mode']) &&
            equals(filter('group_id'), rule['group_id']),
        ),
  },
};

/** The three legacy data sources: filtered lists, with a checksum of the result as id. */
export function oldWafDataSources(schemas: Record<string, SchemaJson>): Record<string, DataSource> {
  return Object.fromEntries(
    Object.entries(listings).map(([name, listing]) => [
      name,
      dataSource(withDescription(schemas[name]!, listing.list), listing),
    ]),
  );
}

function dataSource(schema: SchemaJson, { list, read }: Listing): DataSource {
  const fields = blockFields(schema.block);
  return {
    schema,
    async read(config: ObjectValue, http: CloudflareHttp) {
      const waf = new OldWafService(http, textOf(config['zone_id']));
      const block = Array.isArray(config['filter']) ? config['filter'][0] : undefined;
      const filter = (name: string) => (isObject(block) ? textOf(block[name]) : '');
      const found = await worded(() => read(waf, filter, textOf(config['package_id'])));
      const { [list]: items } = conform(fields, {
        [list]: found.map((item) => zeros(fields, list, item)),
      });
      // Sorted in place, because the checksum function of the real provider sorts its argument.
      const ids = found.map(({ id }) => String(id)).sort();
      const checksum = createHash('md5').update(ids.join('')).digest('hex');
      const filled = zeroFilled({ filter: fields['filter']! }, config);
      const given = isZero(filled['filter']) ? null : (filled['filter'] ?? null);
      return { ...config, filter: given, [list]: items ?? [], id: checksum };
    },
  };
}

/** The fixtures lack every key `description`, also the attributes of these lists with that name. */
function withDescription(schema: SchemaJson, list: string): SchemaJson {
  const attributes = schema.block.attributes ?? {};
  const type = attributes[list]?.type as ['list', ['object', Record<string, Type>]];
  const items: Type = ['list', ['object', { ...type[1][1], description: 'string' }]];
  return {
    ...schema,
    block: {
      ...schema.block,
      attributes: { ...attributes, [list]: { ...attributes[list], type: items } },
    },
  };
}

/** Every attribute of an item, with zeros for missing values. */
function zeros(fields: Fields, list: string, item: Json): Json {
  const field = fields[list];
  const type =
    field?.kind === 'leaf' ? (field.type as ['list', ['object', Record<string, Type>]]) : undefined;
  return Object.fromEntries(
    Object.entries(type?.[1][1] ?? {}).map(([name, part]) => [name, item[name] ?? zeroOf(part)]),
  );
}

async function each(waf: OldWafService, pkg: string, list: (pkg: string) => Promise<Json[]>) {
  const packages = pkg === '' ? (await waf.packages()).map(({ id }) => String(id)) : [pkg];
  const all: Json[] = [];
  for (const id of packages) {
    all.push(...(await list(id)).map((item) => ({ ...item, package_id: id })));
  }
  return all;
}

function matches(pattern: string, text: unknown): boolean {
  return pattern === '' || new RegExp(pattern).test(String(text));
}

function equals(wanted: string, value: unknown): boolean {
  return wanted === '' || wanted === value;
}
