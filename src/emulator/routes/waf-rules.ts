import * as z from 'zod';
import { accept } from '../accept';
import { type Reply, type Route, type ZoneCall } from '../call';
import { isJsonObject, type JsonObject } from '../json';
import { type LegacyGroup, type LegacyRule } from '../old-waf';
import { packageOf, ruleOf } from '../old-waf-find';
import { paged } from '../paging';
import { byFields, select } from '../selection';
import { legacyRoute } from './legacy-route';
import { INVALID_SETTING, WAF_PAGES } from './waf-packages';

/** Rules of a package of the previous WAF. A rule counts only while its group is on. */
export const wafRuleRoutes: readonly Route[] = [
  legacyRoute('/packages/:package/rules', { GET: list }),
  legacyRoute('/packages/:package/rules/:rule', { GET: read, PATCH: update }),
];

/** Modes that the list can be asked for, by their short names. */
const shortModes: Readonly<Record<string, string>> = {
  DIS: 'disable',
  CHL: 'challenge',
  BLK: 'block',
  SIM: 'simulate',
};

function list(call: ZoneCall): Reply {
  const rules = packageOf(call).groups.flatMap((group) =>
    group.rules.map((rule) => render(group, rule, call)),
  );
  const groupOf = ({ group }: JsonObject) => (isJsonObject(group) ? group['id'] : undefined);
  const tests = {
    mode: (rule: JsonObject, wanted: string) => rule['mode'] === (shortModes[wanted] ?? wanted),
    group_id: (rule: JsonObject, wanted: string) => groupOf(rule) === wanted,
    description: (rule: JsonObject, wanted: string) => rule['description'] === wanted,
    priority: (rule: JsonObject, wanted: string) => rule['priority'] === wanted,
  };
  const orders = { ...byFields('priority', 'description'), group_id: groupOf };
  return paged(select(rules, call.query, tests, orders), call, WAF_PAGES);
}

function read(call: ZoneCall): Reply {
  const { group, rule } = ruleOf(call);
  return { result: render(group, rule, call) };
}

function update(call: ZoneCall): Reply {
  const { group, rule } = ruleOf(call);
  const setting = z.strictObject({ mode: z.enum(allowedModes(rule)) });
  rule.mode = accept(setting, call.body(), INVALID_SETTING).mode;
  return { result: render(group, rule, call) };
}

function allowedModes({ kind }: LegacyRule): string[] {
  return kind === 'deny' ? ['default', 'disable', 'simulate', 'block', 'challenge'] : ['on', 'off'];
}

function render(group: LegacyGroup, rule: LegacyRule, call: ZoneCall): JsonObject {
  const { id, description, priority, mode, kind, default_mode } = rule;
  return {
    id,
    description,
    priority,
    package_id: packageOf(call).id,
    group: { id: group.id, name: group.name },
    allowed_modes: allowedModes(rule),
    mode,
    ...(kind === 'deny' ? { default_mode: default_mode ?? 'block' } : {}),
  };
}
