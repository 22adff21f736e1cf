import * as z from 'zod';
import { accept } from '../accept';
import { type Reply, type Route, type ZoneCall } from '../call';
import { type JsonObject } from '../json';
import { type LegacyPackage } from '../old-waf';
import { packageOf } from '../old-waf-find';
import { paged } from '../paging';
import { refusal } from '../refusal';
import { byFields, select } from '../selection';
import { legacyRoute } from './legacy-route';

/** Packages of the previous WAF; only the OWASP one (`anomaly`) has settings of its own. */
export const wafPackageRoutes: readonly Route[] = [
  legacyRoute('/packages', { GET: list }),
  legacyRoute('/packages/:package', {
    GET: (call) => ({ result: render(packageOf(call), call) }),
    PATCH: update,
  }),
];

/** The code of refused fields of the old interfaces. That it is the service's own is not known. */
export const INVALID_SETTING = 1005;

/** Pages of the old interfaces: public documentation. */
export const WAF_PAGES = { default: 50, min: 5, max: 100 };

const settings = z.strictObject({
  sensitivity: z.enum(['high', 'medium', 'low', 'off', 'default']).optional(),
  action_mode: z.enum(['simulate', 'block', 'challenge']).optional(),
});

function list(call: ZoneCall): Reply {
  const packages = call.zone.oldWaf.packages.map((one) => render(one, call));
  const tests = { name: (one: JsonObject, wanted: string) => one['name'] === wanted };
  return paged(select(packages, call.query, tests, byFields('name')), call, WAF_PAGES);
}

function update(call: ZoneCall): Reply {
  const one = packageOf(call);
  if (one.detection_mode !== 'anomaly') {
    const message = 'Only anomaly WAF packages can have their package attributes updated';
    throw refusal(400, 1027, message);
  }
  const { sensitivity, action_mode } = accept(settings, call.body(), INVALID_SETTING);
  if (sensitivity !== undefined) one.sensitivity = sensitivity;
  if (action_mode !== undefined) one.action_mode = action_mode;
  return { result: render(one, call) };
}

function render(one: LegacyPackage, { zone }: ZoneCall): JsonObject {
  const { id, name, description, detection_mode, sensitivity, action_mode } = one;
  return {
    id,
    name,
    description,
    detection_mode,
    zone_id: zone.id,
    status: 'active',
    ...(detection_mode === 'anomaly' ? { sensitivity, action_mode } : {}),
  };
}
