import * as z from 'zod';
import { parseId, parseZoneId } from '../core/identifier';
import { type Client } from './client';
import { collection, readLegacyPages, readPages } from './collection';

// The schemas are loose, because an update must send back all fields, including unknown ones.

/** API specification, "Filter". */
const filterFields = {
  /** In the ruleset expression language. */
  expression: z.string(),
  /** A rule takes effect only if neither it nor its filter is paused. */
  paused: z.boolean().default(false),
  description: z.string().nullish(),
  /** A user-defined name. */
  ref: z.string().nullish(),
};

export type FilterFields = z.input<z.ZodObject<typeof filterFields>>;

export type Filter = z.output<z.ZodObject<typeof filterFields>> & { id: string };

/**
 * The filters of a zone. A filter that was created inline with a rule cannot be updated or deleted
 * (API specification, "What the service does").
 */
export const filters = collection<Filter, FilterFields>({
  path: 'filters',
  noun: 'filter',
  schema: z.looseObject({ id: z.string(), ...filterFields }),
  isBatch: true,
});

/** API specification, "Firewall rule". */
const firewallRuleFields = {
  /** `block`, or what the providers also support: `bypass`, `allow`, `log`, the challenges. */
  action: z.string(),
  paused: z.boolean().default(false),
  priority: z.number().nullable().default(null),
  description: z.string().nullish(),
  ref: z.string().nullish(),
  /** The products that `bypass` bypasses; `waf` is the legacy WAF. */
  products: z.array(z.string()).nullish(),
};

const filterOfRule = z.looseObject({
  id: z.string(),
  /** Absent if the filter was deleted while the rule used it. */
  expression: z.string().nullish(),
  paused: z.boolean().nullish(),
});

export type FirewallRuleFields = z.input<z.ZodObject<typeof firewallRuleFields>>;

/** A new rule, with the id of its filter or (for emergencies) the filter inline. */
export type NewFirewallRule = FirewallRuleFields & { filter: { id: string } | FilterFields };

export type FirewallRule = z.output<z.ZodObject<typeof firewallRuleFields>> & {
  id: string;
  filter: z.output<typeof filterOfRule>;
};

export const firewallRuleSchema: z.ZodType<FirewallRule> = z.looseObject({
  id: z.string(),
  ...firewallRuleFields,
  filter: filterOfRule,
});

/**
 * The firewall rules of a zone. An inline filter remains if the quota or the plan refuses the rule
 * (API specification, "Create firewall rules"). The filter of a rule is a reference, so an update does not
 * change it.
 */
export const firewallRules = collection<FirewallRule, NewFirewallRule>({
  path: 'firewall/rules',
  noun: 'firewall rule',
  schema: firewallRuleSchema,
  isBatch: true,
  bodyOf: (rule) => ({ ...rule, filter: { id: rule.filter.id } }),
});

const modes = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

/** The writable fields of an override. */
export const wafOverrideFields = {
  /** URIs with simple wildcards. */
  urls: z.array(z.string()),
  /** Group id → mode. */
  groups: modes,
  /** Rule id → mode. */
  rules: modes,
  /** Action of a rule → replacement action. */
  rewrite_action: modes,
  /** The lowest number wins. */
  priority: z.number().default(0),
  paused: z.boolean().default(false),
  description: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
};

export type WafOverrideFields = z.output<z.ZodObject<typeof wafOverrideFields>>;

/** A URI-based override of the legacy WAF. A zone with one cannot migrate. */
export type WafOverride = WafOverrideFields & { id: string };

/** The URI-based overrides of a zone (API specification, "Delete a WAF override"). */
export const wafOverrides = collection<WafOverride, WafOverrideFields>({
  path: 'firewall/waf/overrides',
  noun: 'WAF override',
  schema: z.looseObject({ id: z.string(), ...wafOverrideFields }),
  isBatch: false,
});

const target = z.object({ constraint: z.object({ value: z.string() }) });
const pageRuleFields = {
  id: z.string(),
  /** `active` or `disabled`. */
  status: z.string().default('active'),
  /** If several rules match a request, only the one with the highest number applies. */
  priority: z.number().default(1),
  /** `{id: 'waf', value: 'off'}`, `{id: 'disable_security'}`, … */
  actions: z.array(z.object({ id: z.string(), value: z.unknown().optional() })),
};
const pageRuleSchema = z.object({
  ...pageRuleFields,
  targets: z.array(target.transform(({ constraint }) => constraint.value)),
});

/** A page rule in a backup; its targets are URL patterns, which are untrusted text. */
export const savedPageRuleSchema = z.object({ ...pageRuleFields, targets: z.array(z.string()) });

export type PageRule = z.output<typeof savedPageRuleSchema>;

/** All page rules of a zone, active or not. The API returns them in one response. */
export function listPageRules(client: Client, zoneId: string): Promise<PageRule[]> {
  const id = parseZoneId(zoneId);
  return readPages(client, {
    path: `/zones/${id}/pagerules`,
    item: pageRuleSchema,
    paging: 'cursor',
    about: `page rules of zone ${id}`,
  });
}

// Loose, so that a backup of legacy settings keeps unknown fields.

/** A package; only those with detection mode `anomaly` (OWASP) have the two optional settings. */
const packageSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  detection_mode: z.string(),
  sensitivity: z.string().optional().catch(undefined),
  action_mode: z.string().optional().catch(undefined),
});
const groupSchema = z.looseObject({ id: z.string(), name: z.string(), mode: z.string() });
const ruleSchema = z.looseObject({ id: z.string(), mode: z.string() });

/** A package with its groups and rules, as in a backup. */
export const legacyPackageSchema = packageSchema.extend({
  groups: z.array(groupSchema),
  rules: z.array(ruleSchema),
});
export type LegacyWafPackage = z.output<typeof legacyPackageSchema>;

/** The packages of the legacy WAF, without their groups and rules. */
export function listWafPackages(client: Client, zoneId: string) {
  const zone = parseZoneId(zoneId);
  const path = `/zones/${zone}/firewall/waf/packages`;
  const about = `WAF packages of zone ${zone}`;
  return readLegacyPages(client, { path, item: packageSchema, about });
}

/** The packages as {@link readLegacyWaf} returns them, with no groups and rules: to see whether they can be read. */
export async function listLegacyWaf(client: Client, zoneId: string): Promise<LegacyWafPackage[]> {
  const packages = await listWafPackages(client, zoneId);
  return packages.map((one) => ({ ...one, groups: [], rules: [] }));
}

/** Reads every package of the legacy WAF, which the legacy API no longer returns after the migration. */
export async function readLegacyWaf(client: Client, zoneId: string): Promise<LegacyWafPackage[]> {
  const packages = await listWafPackages(client, zoneId);
  return Promise.all(
    packages.map(async (one) => {
      const id = parseId(one.id, 'WAF package id');
      const partOf = (part: 'groups' | 'rules') => ({
        path: `/zones/${zoneId}/firewall/waf/packages/${id}/${part}`,
        about: `${part} of WAF package ${id} of zone ${zoneId}`,
      });
      const [groups, rules] = await Promise.all([
        readLegacyPages(client, { ...partOf('groups'), item: groupSchema }),
        readLegacyPages(client, { ...partOf('rules'), item: ruleSchema }),
      ]);
      return { ...one, groups, rules };
    }),
  );
}
