import * as z from 'zod';
import { accept, refusal } from '../refusal';
import { type Reply, type Route, type ZoneCall } from '../call';
import { type PageRule, pageRuleFields } from '../page-rule';
import { zoneRoute } from '../zone-route';

/** Page rules: here for what they do to the previous WAF (spec, "Other mapping rules"). */
export const pageRuleRoutes: readonly Route[] = [
  zoneRoute('/pagerules', { GET: list, POST: create }),
  zoneRoute('/pagerules/:rule', { GET: read, PUT: replace, PATCH: change, DELETE: remove }),
];

/** The code of refused fields. That it is the service's own is not known. */
const INVALID_PAGE_RULE = 1004;

const readOnly = {
  id: z.string().optional(),
  created_on: z.unknown().optional(),
  modified_on: z.unknown().optional(),
};
const whole = z.strictObject({ ...readOnly, ...pageRuleFields });

/** The list is not paged: public documentation. */
function list({ zone }: ZoneCall): Reply {
  return { result: [...zone.pageRules].sort((a, b) => b.priority - a.priority) };
}

function read(call: ZoneCall): Reply {
  return { result: find(call) };
}

function create({ zone, world, body }: ZoneCall): Reply {
  const rule = pageRule(world.mint.next(), accept(whole, body(), INVALID_PAGE_RULE));
  zone.pageRules = [...zone.pageRules, rule];
  return { result: rule };
}

function replace(call: ZoneCall): Reply {
  const current = find(call);
  return save(call, pageRule(current.id, accept(whole, call.body(), INVALID_PAGE_RULE)));
}

function change(call: ZoneCall): Reply {
  const current = find(call);
  const { targets, actions, priority, status } = pageRuleFields;
  const part = z.strictObject({
    ...readOnly,
    targets: targets.default(current.targets),
    actions: actions.default(current.actions),
    priority: priority.unwrap().default(current.priority),
    status: status.unwrap().default(current.status),
  });
  return save(call, pageRule(current.id, accept(part, call.body(), INVALID_PAGE_RULE)));
}

function remove(call: ZoneCall): Reply {
  const { id } = find(call);
  call.zone.pageRules = call.zone.pageRules.filter((rule) => rule.id !== id);
  return { result: { id } };
}

function save({ zone }: ZoneCall, next: PageRule): Reply {
  zone.pageRules = zone.pageRules.map((rule) => (rule.id === next.id ? next : rule));
  return { result: next };
}

function pageRule(id: string, fields: Omit<PageRule, 'id'>): PageRule {
  const { targets, actions, priority, status } = fields;
  return { id, targets, actions, priority, status };
}

function find({ zone, params }: ZoneCall): PageRule {
  const found = zone.pageRules.find(({ id }) => id === params['rule']);
  if (found === undefined) throw refusal(404, 1002, 'Invalid Page Rule identifier');
  return found;
}
