import * as z from 'zod';
import { accept } from '../check-body';
import { noRoute, Refusal, refusal, wrongCredentials } from '../refusal';
import {
  paged,
  type Reply,
  type Route,
  WAF_PAGES,
  type ZoneCall,
  type ZoneMethods,
  zoneRoute,
} from '../route';
import {
  type JsonObject,
  type LegacyGroup,
  type LegacyPackage,
  type LegacyRule,
  unsetMode,
} from '../world';

/**
 * Packages of the legacy WAF with their groups and rules. Only the OWASP package (`anomaly`) has
 * settings. A rule takes effect only if its group is on.
 */
export const wafPackageRoutes: readonly Route[] = [
  legacyRoute('/packages', { GET: listPackages }),
  legacyRoute('/packages/:package', {
    GET: (call) => ({ result: renderPackage(packageOf(call), call) }),
    PATCH: updatePackage,
  }),
  legacyRoute('/packages/:package/groups', { GET: listGroups }),
  legacyRoute('/packages/:package/groups/:group', {
    GET: (call) => ({ result: renderGroup(groupOf(call), call) }),
    PATCH: updateGroup,
  }),
  legacyRoute('/packages/:package/rules', { GET: listRules }),
  legacyRoute('/packages/:package/rules/:rule', { GET: readRule, PATCH: updateRule }),
];

/**
 * A route of the legacy WAF. It stops working when the zone has migrated (spec, "States and
 * transitions", rule 2).
 */
export function legacyRoute(path: string, methods: ZoneMethods): Route {
  return zoneRoute(`/firewall/waf${path}`, methods, (call) => {
    if (call.zone.migration.state === 'complete') throw gone(call);
    if (call.world.settings.legacyApiRefusesTokens && !call.hasKey) throw wrongCredentials();
  });
}

/** The answer for a migrated zone. That of the API is not known, so the scenario selects it. */
function gone({ world, path }: ZoneCall): Refusal {
  const message = 'the previous version of WAF managed rules is gone';
  switch (world.settings.gone) {
    case '403/10000':
      return wrongCredentials();
    case '404':
      return noRoute(path);
    case '400/1002':
      return refusal(400, 1002, message);
    case '410':
      return refusal(410, undefined, message);
    case 'html':
      return new Refusal(403, [{ message }], {}, 'Access denied');
  }
}

/** The error code of invalid legacy WAF fields; the code of the Cloudflare API is not known. */
export const INVALID_SETTING = 1005;

const packageSettings = z.strictObject({
  sensitivity: z.enum(['high', 'medium', 'low', 'off', 'default']).optional(),
  action_mode: z.enum(['simulate', 'block', 'challenge']).optional(),
});

function listPackages(call: ZoneCall): Reply {
  const packages = call.zone.legacyWaf.packages.map((one) => renderPackage(one, call));
  return paged(packages, call, WAF_PAGES);
}

function updatePackage(call: ZoneCall): Reply {
  const one = packageOf(call);
  if (one.detection_mode !== 'anomaly') {
    const message = 'Only anomaly WAF packages can have their package attributes updated';
    throw refusal(400, 1027, message);
  }
  const { sensitivity, action_mode } = accept(packageSettings, call.body(), INVALID_SETTING);
  if (sensitivity !== undefined) one.sensitivity = sensitivity;
  if (action_mode !== undefined) one.action_mode = action_mode;
  return { result: renderPackage(one, call) };
}

function renderPackage(one: LegacyPackage, { zone }: ZoneCall): JsonObject {
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

const groupSetting = z.strictObject({ mode: z.enum(['on', 'off']) });

function listGroups(call: ZoneCall): Reply {
  const groups = packageOf(call).groups.map((group) => renderGroup(group, call));
  return paged(groups, call, WAF_PAGES);
}

function updateGroup(call: ZoneCall): Reply {
  const group = groupOf(call);
  group.mode = accept(groupSetting, call.body(), INVALID_SETTING).mode;
  return { result: renderGroup(group, call) };
}

function renderGroup(group: LegacyGroup, call: ZoneCall): JsonObject {
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

function listRules(call: ZoneCall): Reply {
  const rules = packageOf(call).groups.flatMap((group) =>
    group.rules.map((rule) => renderRule(group, rule, call)),
  );
  return paged(rules, call, WAF_PAGES);
}

function readRule(call: ZoneCall): Reply {
  const { group, rule } = ruleOf(call);
  return { result: renderRule(group, rule, call) };
}

function updateRule(call: ZoneCall): Reply {
  const { group, rule } = ruleOf(call);
  const setting = z.strictObject({ mode: z.enum(allowedModes(rule)) });
  rule.mode = accept(setting, call.body(), INVALID_SETTING).mode;
  return { result: renderRule(group, rule, call) };
}

function allowedModes({ kind }: LegacyRule): string[] {
  return kind === 'deny' ? ['default', 'disable', 'simulate', 'block', 'challenge'] : ['on', 'off'];
}

function renderRule(group: LegacyGroup, rule: LegacyRule, call: ZoneCall): JsonObject {
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

/**
 * Provider 3.35 detects deleted resources by the codes 1002, 1003 and 1004. It reads them only if
 * the status is 400, not 404.
 */
const notFound = (code: number, what: string) => refusal(400, code, `WAF ${what} not found`);

/** The package of the request path. @throws Refusal 400/1002 */
function packageOf({ zone, params }: ZoneCall): LegacyPackage {
  const found = zone.legacyWaf.packages.find(({ id }) => id === params['package']);
  if (found === undefined) throw notFound(1002, 'package');
  return found;
}

/** The group of the request path. @throws Refusal 400/1002 or 1003 */
function groupOf(call: ZoneCall): LegacyGroup {
  const found = packageOf(call).groups.find(({ id }) => id === call.params['group']);
  if (found === undefined) throw notFound(1003, 'group');
  return found;
}

/** The rule of the request path, and its group. @throws Refusal 400/1002 or 1004 */
function ruleOf(call: ZoneCall): { group: LegacyGroup; rule: LegacyRule } {
  for (const group of packageOf(call).groups) {
    const rule = group.rules.find(({ id }) => id === call.params['rule']);
    if (rule !== undefined) return { group, rule };
  }
  throw notFound(1004, 'rule');
}
