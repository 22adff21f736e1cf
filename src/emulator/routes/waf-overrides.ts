import * as z from 'zod';
import { accept, refusal } from '../refusal';
import { type Reply, type Route, type ZoneCall } from '../call';
import { type WafOverride } from '../zone';
import { paged } from '../paging';
import { legacyRoute } from '../zone-route';
import { INVALID_SETTING, WAF_PAGES } from './waf-packages';

/** URI-based overrides of the previous WAF: they keep a zone from migrating until deleted. */
export const wafOverrideRoutes: readonly Route[] = [
  legacyRoute('/overrides', { GET: list, POST: create }),
  legacyRoute('/overrides/:override', { GET: read, PUT: update, DELETE: remove }),
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
  .superRefine(({ groups, rules }, context) => {
    if (Object.keys(groups).length + Object.keys(rules).length > 0) return;
    context.addIssue({ code: 'custom', path: ['rules'], message: 'rules or groups are required' });
  });

function list(call: ZoneCall): Reply {
  return paged(call.zone.oldWaf.overrides, call, WAF_PAGES);
}

function read(call: ZoneCall): Reply {
  return { result: find(call) };
}

function create({ zone, world, body }: ZoneCall): Reply {
  const fields = accept(override, body(), INVALID_SETTING);
  const created: WafOverride = { ...fields, id: world.mint.next() };
  zone.oldWaf.overrides = [...zone.oldWaf.overrides, created];
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
  const { oldWaf } = call.zone;
  oldWaf.overrides = oldWaf.overrides.map((one) => (one === current ? next : one));
  return { result: next };
}

function remove(call: ZoneCall): Reply {
  const current = find(call);
  const { oldWaf } = call.zone;
  oldWaf.overrides = oldWaf.overrides.filter((one) => one !== current);
  return { result: { id: current.id } };
}

function find({ zone, params }: ZoneCall): WafOverride {
  const found = zone.oldWaf.overrides.find(({ id }) => id === params['override']);
  // clients recognise it by these words alone (cloudflare-go 0.61)
  if (found === undefined) throw refusal(404, undefined, 'wafuriconfig.api.not_found');
  return found;
}
