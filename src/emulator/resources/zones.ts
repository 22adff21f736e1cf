import { type Call, paged, type Reply, type Route, zoneRoute } from '../route';
import { type JsonObject, type Zone } from '../world';

/** List and details of zones, mainly name and plan level. */
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
