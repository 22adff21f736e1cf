import * as z from 'zod';
import { accept } from '../accept';
import { type Reply, type Route, type ZoneCall } from '../call';
import { type JsonObject } from '../json';
import { type LegacyGroup, unsetMode } from '../old-waf';
import { groupOf, packageOf } from '../old-waf-find';
import { paged } from '../paging';
import { byFields, select } from '../selection';
import { legacyRoute } from './legacy-route';
import { INVALID_SETTING, WAF_PAGES } from './waf-packages';

/** Groups of a package of the previous WAF: on or off, with all their rules. */
export const wafGroupRoutes: readonly Route[] = [
  legacyRoute('/packages/:package/groups', { GET: list }),
  legacyRoute('/packages/:package/groups/:group', {
    GET: (call) => ({ result: render(groupOf(call), call) }),
    PATCH: update,
  }),
];

const setting = z.strictObject({ mode: z.enum(['on', 'off']) });

function list(call: ZoneCall): Reply {
  const groups = packageOf(call).groups.map((group) => render(group, call));
  const equals = (field: string) => (group: JsonObject, wanted: string) =>
    group[field] === wanted || group[field] === Number(wanted);
  const tests = {
    mode: equals('mode'),
    name: equals('name'),
    rules_count: equals('rules_count'),
  };
  return paged(select(groups, call.query, tests, byFields('mode', 'rules_count')), call, WAF_PAGES);
}

function update(call: ZoneCall): Reply {
  const group = groupOf(call);
  group.mode = accept(setting, call.body(), INVALID_SETTING).mode;
  return { result: render(group, call) };
}

function render(group: LegacyGroup, call: ZoneCall): JsonObject {
  const { id, name, description, mode, rules } = group;
  return {
    id,
    name,
    description,
    rules_count: rules.length,
    modified_rules_count: rules.filter((rule) => rule.mode !== unsetMode(rule)).length,
    package_id: packageOf(call).id,
    mode,
    allowed_modes: ['on', 'off'],
  };
}
