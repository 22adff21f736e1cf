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
  type WafOverride,
} from '../world';

/**
 * The legacy WAF: packages with their groups and rules, of which only the OWASP package (`anomaly`) has settings,
 * and URI-based overrides. A rule takes effect only if its group is on.
 */
export const legacyWafRoutes: readonly Route[] = [
  legacyRoute('/packages', {
    GET: (call) => {
      const packages = call.zone.legacyWaf.packages.map((one) => renderPackage(one, call));
      return paged(packages, call, WAF_PAGES);
    },
  }),
  legacyRoute('/packages/:package', {
    GET: (call) => ({ result: renderPackage(packageOf(call), call) }),
    PATCH: updatePackage,
  }),
  legacyRoute('/packages/:package/groups', {
    GET: (call) => {
      const groups = packageOf(call).groups.map((group) => renderGroup(group, call));
      return paged(groups, call, WAF_PAGES);
    },
  }),
  legacyRoute('/packages/:package/groups/:group', {
    GET: (call) => ({ result: renderGroup(groupOf(call), call) }),
    PATCH: updateGroup,
  }),
  legacyRoute('/packages/:package/rules', {
    GET: (call) => {
      const rules = packageOf(call).groups.flatMap((group) =>
        group.rules.map((rule) => renderRule({ group, rule }, call)),
      );
      return paged(rules, call, WAF_PAGES);
    },
  }),
  legacyRoute('/packages/:package/rules/:rule', {
    GET: (call) => ({ result: renderRule(ruleOf(call), call) }),
    PATCH: updateRule,
  }),
  legacyRoute('/overrides', {
    GET: (call) => paged(call.zone.legacyWaf.overrides, call, WAF_PAGES),
    POST: createOverride,
  }),
  legacyRoute('/overrides/:override', {
    GET: (call) => ({ result: overrideOf(call) }),
    PUT: updateOverride,
    DELETE: removeOverride,
  }),
];

/**
 * A route of the legacy WAF. It stops working when the zone has migrated (spec, "States and
 * transitions", rule 2).
 */
function legacyRoute(path: string, methods: ZoneMethods): Route {
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

/** The error code of invalid fields; the code of the Cloudflare API is not known. */
const INVALID_SETTING = 1005;

const packageSettings = z.strictObject({
  sensitivity: z.enum(['high', 'medium', 'low', 'off', 'default']).optional(),
  action_mode: z.enum(['simulate', 'block', 'challenge']).optional(),
});

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

function updateRule(call: ZoneCall): Reply {
  const place = ruleOf(call);
  const { rule } = place;
  const setting = z.strictObject({ mode: z.enum(allowedModes(rule)) });
  rule.mode = accept(setting, call.body(), INVALID_SETTING).mode;
  return { result: renderRule(place, call) };
}

function allowedModes({ kind }: LegacyRule): string[] {
  return kind === 'deny' ? ['default', 'disable', 'simulate', 'block', 'challenge'] : ['on', 'off'];
}

function renderRule({ group, rule }: PlacedRule, call: ZoneCall): JsonObject {
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

function packageOf({ zone, params }: ZoneCall): LegacyPackage {
  const found = zone.legacyWaf.packages.find(({ id }) => id === params['package']);
  if (found === undefined) throw notFound(1002, 'package');
  return found;
}

function groupOf(call: ZoneCall): LegacyGroup {
  const found = packageOf(call).groups.find(({ id }) => id === call.params['group']);
  if (found === undefined) throw notFound(1003, 'group');
  return found;
}

interface PlacedRule {
  readonly group: LegacyGroup;
  readonly rule: LegacyRule;
}

function ruleOf(call: ZoneCall): PlacedRule {
  for (const group of packageOf(call).groups) {
    const rule = group.rules.find(({ id }) => id === call.params['rule']);
    if (rule !== undefined) return { group, rule };
  }
  throw notFound(1004, 'rule');
}

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

function createOverride({ zone, world, body }: ZoneCall): Reply {
  const fields = accept(override, body(), INVALID_SETTING);
  const created: WafOverride = { ...fields, id: world.mint.next() };
  zone.legacyWaf.overrides = [...zone.legacyWaf.overrides, created];
  return { result: created };
}

function updateOverride(call: ZoneCall): Reply {
  const current = overrideOf(call);
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

function removeOverride(call: ZoneCall): Reply {
  const current = overrideOf(call);
  const { legacyWaf } = call.zone;
  legacyWaf.overrides = legacyWaf.overrides.filter((one) => one !== current);
  return { result: { id: current.id } };
}

function overrideOf({ zone, params }: ZoneCall): WafOverride {
  const found = zone.legacyWaf.overrides.find(({ id }) => id === params['override']);
  // clients detect a deleted override only by these words (cloudflare-go 0.61)
  if (found === undefined) throw refusal(404, undefined, 'wafuriconfig.api.not_found');
  return found;
}
