import * as z from 'zod';
import { accept, orAbsent } from '../check-body';
import { noRoute, Refusal, refusal, wrongCredentials } from '../refusal';
import { collection, type Route, type ZoneCall } from '../route';
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
 *
 * Provider 3.35 detects deleted resources by the codes 1002, 1003 and 1004. It reads them only if
 * the status is 400, not 404.
 */
export const legacyWafRoutes: readonly Route[] = [
  ...legacy({
    path: '/packages',
    all: ({ zone }) => zone.legacyWaf.packages,
    missing: packageMissing,
    render: renderPackage,
    change: ['PATCH', updatePackage],
  }),
  ...legacy({
    path: '/packages/:package/groups',
    all: (call) => packageOf(call).groups,
    missing: () => refusal(400, 1003, 'WAF group not found'),
    render: renderGroup,
    change: [
      'PATCH',
      (group, call) => {
        group.mode = accept(
          z.strictObject({ mode: z.enum(['on', 'off']) }),
          call.body(),
          INVALID_SETTING,
        ).mode;
      },
    ],
  }),
  ...legacy<PlacedRule>({
    path: '/packages/:package/rules',
    all: (call) =>
      packageOf(call).groups.flatMap((group) =>
        group.rules.map((rule) => ({ id: rule.id, group, rule })),
      ),
    missing: () => refusal(400, 1004, 'WAF rule not found'),
    render: renderRule,
    change: [
      'PATCH',
      ({ rule }, call) => {
        const setting = z.strictObject({ mode: z.enum(allowedModes(rule)) });
        rule.mode = accept(setting, call.body(), INVALID_SETTING).mode;
      },
    ],
  }),
  ...legacy<WafOverride>({
    path: '/overrides',
    all: ({ zone }) => zone.legacyWaf.overrides,
    missing: overrideMissing,
    render: (override) => override,
    create: createOverride,
    change: ['PUT', updateOverride],
    remove: (id, { zone: { legacyWaf } }) => {
      const left = legacyWaf.overrides.filter((one) => one.id !== id);
      if (left.length === legacyWaf.overrides.length) throw overrideMissing();
      legacyWaf.overrides = left;
    },
  }),
];

/** It stops working when the zone has migrated (spec, "States and transitions", rule 2). */
function legacy<Item extends { readonly id: string }>(
  one: Omit<Parameters<typeof collection<Item>>[0], 'pages' | 'guard'>,
): readonly Route[] {
  return collection<Item>({
    ...one,
    path: `/firewall/waf${one.path}`,
    // public documentation
    pages: { default: 50, min: 5, max: 100 },
    guard: (call) => {
      if (call.zone.migration.state === 'complete') throw gone[call.world.settings.gone](call);
      if (call.world.settings.legacyApiRefusesTokens && !call.hasKey) throw wrongCredentials();
    },
  });
}

const GONE = 'the previous version of WAF managed rules is gone';
/** The answers for a migrated zone. That of the API is not known, so the scenario selects it. */
const gone = {
  '403/10000': wrongCredentials,
  '404': ({ path }: ZoneCall) => noRoute(path),
  '400/1002': () => refusal(400, 1002, GONE),
  '410': () => refusal(410, undefined, GONE),
  html: () => new Refusal(403, [{ message: GONE }], {}, 'Access denied'),
} as const;

/** The error code of invalid fields; the code of the Cloudflare API is not known. */
const INVALID_SETTING = 1005;

const packageSettings = z.strictObject({
  sensitivity: z.enum(['high', 'medium', 'low', 'off', 'default']).optional(),
  action_mode: z.enum(['simulate', 'block', 'challenge']).optional(),
});

function updatePackage(one: LegacyPackage, call: ZoneCall): void {
  if (one.detection_mode !== 'anomaly') {
    const message = 'Only anomaly WAF packages can have their package attributes updated';
    throw refusal(400, 1027, message);
  }
  const { sensitivity, action_mode } = accept(packageSettings, call.body(), INVALID_SETTING);
  if (sensitivity !== undefined) one.sensitivity = sensitivity;
  if (action_mode !== undefined) one.action_mode = action_mode;
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

function allowedModes({ kind }: LegacyRule): string[] {
  return kind === 'deny' ? ['default', 'disable', 'simulate', 'block', 'challenge'] : ['on', 'off'];
}

interface PlacedRule {
  readonly id: string;
  readonly group: LegacyGroup;
  readonly rule: LegacyRule;
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

function packageOf({ zone, params }: ZoneCall): LegacyPackage {
  const found = zone.legacyWaf.packages.find(({ id }) => id === params['package']);
  if (found === undefined) throw packageMissing();
  return found;
}

function packageMissing(): Refusal {
  return refusal(400, 1002, 'WAF package not found');
}

const mode = z.enum(['default', 'disable', 'simulate', 'block', 'challenge']);
const modes = orAbsent(z.record(z.string(), mode)).transform((given = {}) => given);
const override = z
  .strictObject({
    id: z.string().optional(),
    description: z.string().max(1024).nullable().default(null),
    urls: z.array(z.string().min(1)).min(1),
    priority: z.int().min(-1_000_000_000).max(1_000_000_000).default(0),
    groups: modes,
    rules: modes,
    rewrite_action: orAbsent(z.partialRecord(mode, mode)).transform((given = {}) => given),
    paused: z.boolean().default(false),
  })
  .refine(({ groups, rules }) => Object.keys({ ...groups, ...rules }).length > 0, {
    path: ['rules'],
    message: 'rules or groups are required',
  });

// clients detect a deleted override only by these words (cloudflare-go 0.61)
function overrideMissing(): Refusal {
  return refusal(404, undefined, 'wafuriconfig.api.not_found');
}

function createOverride({ zone: { legacyWaf }, world, body }: ZoneCall): WafOverride {
  const fields = accept(override, body(), INVALID_SETTING);
  const created = { ...fields, id: world.mint.next() };
  legacyWaf.overrides = [...legacyWaf.overrides, created];
  return created;
}

function updateOverride(current: WafOverride, { body }: ZoneCall): void {
  const { id } = current;
  const same = override.refine((given) => [undefined, '', id].includes(given.id), {
    path: ['id'],
    message: 'does not match the path',
  });
  Object.assign(current, accept(same, body(), INVALID_SETTING), { id });
}
