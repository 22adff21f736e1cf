import * as z from 'zod';
import { accept } from '../check-body';
import { refusal } from '../refusal';
import { paged, type Reply, type Route, WAF_PAGES, type ZoneCall } from '../route';
import { type WafOverride } from '../world';
import { INVALID_SETTING, legacyRoute } from './waf-packages';

/** URI-based overrides of the legacy WAF. A zone cannot migrate until they are deleted. */
export const wafOverrideRoutes: readonly Route[] = [
  legacyRoute('/overrides', {
    GET: (call) => paged(call.zone.legacyWaf.overrides, call, WAF_PAGES),
    POST: create,
  }),
  legacyRoute('/overrides/:override', {
    GET: (call) => ({ result: find(call) }),
    PUT: update,
    DELETE: remove,
  }),
];

const mode = z.enum(['default', 'disable', 'simulate', 'block', 'challenge']);
const modes = z
  .record(z.string(), mode)
  .nullish()
  .transform((given) => given ?? {});
const override = z
  .strictObject({
    id: z.string().optional(),
    description: z.string().max(1024).nullable().default(null),
    urls: z.array(z.string().min(1)).min(1),
    priority: z.int().min(-1_000_000_000).max(1_000_000_000).default(0),
    groups: modes,
    rules: modes,
    rewrite_action: z
      .partialRecord(mode, mode)
      .nullish()
      .transform((given) => given ?? {}),
    paused: z.boolean().default(false),
  })
  .refine(({ groups, rules }) => Object.keys({ ...groups, ...rules }).length > 0, {
    path: ['rules'],
    message: 'rules or groups are required',
  });

function create({ zone, world, body }: ZoneCall): Reply {
  const fields = accept(override, body(), INVALID_SETTING);
  const created: WafOverride = { ...fields, id: world.mint.next() };
  zone.legacyWaf.overrides = [...zone.legacyWaf.overrides, created];
  return { result: created };
}

function update(call: ZoneCall): Reply {
  const current = find(call);
  const { id } = current;
  const same = override.refine((given) => [undefined, '', id].includes(given.id), {
    path: ['id'],
    message: 'does not match the path',
  });
  const next: WafOverride = { ...accept(same, call.body(), INVALID_SETTING), id };
  const { legacyWaf } = call.zone;
  legacyWaf.overrides = legacyWaf.overrides.map((one) => (one === current ? next : one));
  return { result: next };
}

function remove(call: ZoneCall): Reply {
  const current = find(call);
  const { legacyWaf } = call.zone;
  legacyWaf.overrides = legacyWaf.overrides.filter((one) => one !== current);
  return { result: { id: current.id } };
}

function find({ zone, params }: ZoneCall): WafOverride {
  const found = zone.legacyWaf.overrides.find(({ id }) => id === params['override']);
  // clients detect a deleted override only by these words (cloudflare-go 0.61)
  if (found === undefined) throw refusal(404, undefined, 'wafuriconfig.api.not_found');
  return found;
}
