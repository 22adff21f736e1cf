import * as z from 'zod';
import { parseId, parseZoneId } from '../core/identifier';
import { type Client } from './client';
import { readPages } from './collection';

// Loose, so that a backup of legacy settings keeps unknown fields.

const packageSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  detection_mode: z.string(),
  sensitivity: z.string().optional().catch(undefined),
  action_mode: z.string().optional().catch(undefined),
});
const groupSchema = z.looseObject({ id: z.string(), name: z.string(), mode: z.string() });
const ruleSchema = z.looseObject({ id: z.string(), mode: z.string() });

/** A package; only those with detection mode `anomaly` (OWASP) have the two optional settings. */
export type WafPackage = z.output<typeof packageSchema>;
/** A group of rules, on or off as a whole. */
export type WafGroup = z.output<typeof groupSchema>;
/** A rule; it takes effect only if its group is on. */
export type WafRule = z.output<typeof ruleSchema>;

/** Packages with their groups and rules, as in a backup. */
export const savedPackagesSchema = z.array(
  packageSchema.extend({ groups: z.array(groupSchema), rules: z.array(ruleSchema) }),
);

/** The packages of the legacy WAF. */
export function listWafPackages(client: Client, zoneId: string): AsyncIterable<WafPackage> {
  const path = `/zones/${parseZoneId(zoneId)}/firewall/waf/packages`;
  return list(client, path, packageSchema, `WAF packages of zone ${zoneId}`);
}

export function listWafGroups(
  client: Client,
  zoneId: string,
  packageId: string,
): AsyncIterable<WafGroup> {
  const { path, about } = one(zoneId, packageId);
  return list(client, `${path}/groups`, groupSchema, `groups of ${about}`);
}

/** All rules of a package, from all its groups. */
export function listWafRules(
  client: Client,
  zoneId: string,
  packageId: string,
): AsyncIterable<WafRule> {
  const { path, about } = one(zoneId, packageId);
  return list(client, `${path}/rules`, ruleSchema, `rules of ${about}`);
}

function one(zoneId: string, packageId: string): { path: string; about: string } {
  const zone = parseZoneId(zoneId);
  const id = parseId(packageId, 'WAF package id');
  return {
    path: `/zones/${zone}/firewall/waf/packages/${id}`,
    about: `WAF package ${id} of zone ${zone}`,
  };
}

/** Requests the largest page size that the API allows. */
function list<T>(
  client: Client,
  path: string,
  item: z.ZodType<T>,
  about: string,
): AsyncIterable<T> {
  const query = { per_page: 100 };
  return readPages(client, { path, query, item, paging: 'number', about, prefer: 'key' });
}
