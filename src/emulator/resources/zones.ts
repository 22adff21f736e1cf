import { wrongCredentials } from '../refusal';
import { type Call, paged, type Reply, type Route, zoneRoute } from '../route';
import { type JsonObject, type Zone } from '../world';

/** List and details of zones: what a client needs to know of them, name and plan level above all. */
export const zoneRoutes: readonly Route[] = [
  { path: '/zones', methods: { GET: listZones } },
  zoneRoute('', { GET: ({ zone }) => ({ result: renderZone(zone) }) }),
];

function listZones(call: Call): Reply {
  const { world, query } = call;
  const name = query.get('name');
  const account = query.get('account.id');
  const zones = [...world.zones.values()]
    .filter((zone) => name === null || zone.name === name)
    .filter((zone) => account === null || zone.account.id === account);
  return paged(zones.map(renderZone), call, { default: 20, min: 5, max: 50 });
}

const planNames = {
  pro: 'Pro Website',
  business: 'Business Website',
  enterprise: 'Enterprise Website',
} as const;

function renderZone({ id, name, plan, account, created_on }: Zone): JsonObject {
  return {
    id,
    name,
    status: 'active',
    paused: false,
    type: 'full',
    created_on,
    modified_on: created_on,
    account: { id: account.id, name: account.name },
    plan: { id: plan, name: planNames[plan], legacy_id: plan, is_subscribed: true },
  };
}

/**
 * Accounts are not emulated: an identifier there is never one that the caller may see. Provider 4 asks
 * here when an import id begins with `zones/`, and shows the 10000 that this answers.
 */
const refuse = (): never => {
  throw wrongCredentials();
};

/** Whatever is below an account. */
export const accountRoutes: readonly Route[] = [
  {
    path: '/accounts/:account/*',
    methods: { GET: refuse, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse },
  },
];
