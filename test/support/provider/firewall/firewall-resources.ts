import { ClientError, resultOf, type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf, type Value } from '../protocol/value';
import { asRefusal, type SdkBehaviour, oneOf, isZero } from '../sdk/sdk-resource';

type Json = Record<string, unknown>;

interface Kind {
  /** As in the messages of the provider. */
  name: string;
  path: string;
  known(found: Json): ObjectValue;
  body(planned: ObjectValue): Json;
}

const filterKind: Kind = {
  name: 'Filter',
  path: '/filters',
  known: (found) => pick(found, ['id', 'expression', 'paused', 'description', 'ref']),
  body: (planned) => given(planned, ['expression', 'paused', 'description', 'ref']),
};

const ruleKind: Kind = {
  name: 'Firewall Rule',
  path: '/firewall/rules',
  known: (found) => {
    const filter = found['filter'] as Json | undefined;
    const products = Array.isArray(found['products']) ? (found['products'] as string[]) : [];
    return {
      ...pick(found, ['id', 'action', 'priority', 'paused', 'description']),
      filter_id: (filter?.['id'] ?? null) as Value,
      products: products.toSorted(),
    };
  },
  body: (planned) => ({
    ...given(planned, ['action', 'priority', 'paused', 'description', 'products']),
    filter: { id: planned['filter_id'] },
  }),
};

function behaviour(kind: Kind): SdkBehaviour {
  const path = (state: ObjectValue) => `/zones/${textOf(state['zone_id'])}${kind.path}`;
  const read = async (state: ObjectValue, id: string, http: CloudflareHttp) =>
    kind.known((resultOf(await http.send('GET', `${path(state)}/${id}`)) ?? {}) as Json);
  return {
    traits: { replaces: ['zone_id'] },
    async read(state, http) {
      const id = textOf(state['id']);
      return read(state, id, http).catch((error: unknown) => {
        if (error instanceof ClientError && error.kind === 'notFound') return null;
        throw asRefusal(`error finding ${kind.name} "${id}"`, error);
      });
    },
    async create(planned, http) {
      const answer = await http.send('POST', path(planned), [kind.body(planned)]);
      try {
        const [created] = resultOf(answer) as Json[];
        return await read(planned, String(created?.['id']), http);
      } catch (error) {
        const zone = textOf(planned['zone_id']);
        throw asRefusal(`error creating ${kind.name} for zone "${zone}"`, error);
      }
    },
  };
}

/** `cloudflare_filter` of provider 3 and 4. */
export const filter: SdkBehaviour = {
  ...behaviour(filterKind),
  traits: {
    replaces: ['zone_id'],
    suppress: { expression: (before, after) => textOf(before).trim() === textOf(after).trim() },
  },
};

/** `cloudflare_firewall_rule` of provider 3 and 4. */
export const firewallRule: SdkBehaviour = {
  ...behaviour(ruleKind),
  validate: (config) =>
    oneOf(
      ['block', 'challenge', 'allow', 'js_challenge', 'managed_challenge', 'log', 'bypass'],
      config,
      ['action'],
    ),
};

function pick(found: Json, names: string[]): ObjectValue {
  return Object.fromEntries(names.map((name) => [name, (found[name] ?? null) as Value]));
}

function given(planned: ObjectValue, names: string[]): Json {
  return Object.fromEntries(
    names.filter((name) => !isZero(planned[name])).map((name) => [name, planned[name]]),
  );
}
