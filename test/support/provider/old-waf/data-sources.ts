import { createHash } from 'node:crypto';
import { ClientError, type CloudflareHttp } from '../http/cloudflare-http';
import { isObject, type ObjectValue, textOf } from '../protocol/value';
import { type DataSource, Refusal } from '../resource';
import { conform } from '../schema/conform';
import { blockFields, type Fields, type SchemaJson, type Type } from '../schema/field';
import { isZero, zeroFilled, zeroOf } from '../sdk/sdk-resource';
import { type Json, OldWafService } from './old-waf-service';

/** The differences between the three lists. */
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
      const found = await read(waf, filter, textOf(config['package_id'])).catch(
        (error: unknown) => {
          throw error instanceof ClientError ? new Refusal(error.message) : error;
        },
      );
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
