import * as z from 'zod';
import { parseId, parseZoneId } from '../core/identifier';
import { type Client } from './client';
import { readLegacyPages } from './collection';

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
export function listWafPackages(client: Client, zoneId: string): Promise<WafPackage[]> {
  const zone = parseZoneId(zoneId);
  const path = `/zones/${zone}/firewall/waf/packages`;
  return readLegacyPages(client, {
    path,
    item: packageSchema,
    about: `WAF packages of zone ${zone}`,
  });
}

export function listWafGroups(
  client: Client,
  zoneId: string,
  packageId: string,
): Promise<WafGroup[]> {
  return readLegacyPages(client, { ...partOf(zoneId, packageId, 'groups'), item: groupSchema });
}

/** All rules of a package, from all its groups. */
export function listWafRules(
  client: Client,
  zoneId: string,
  packageId: string,
): Promise<WafRule[]> {
  return readLegacyPages(client, { ...partOf(zoneId, packageId, 'rules'), item: ruleSchema });
}

function partOf(zoneId: string, packageId: string, part: 'groups' | 'rules') {
  const zone = parseZoneId(zoneId);
  const id = parseId(packageId, 'WAF package id');
  return {
    path: `/zones/${zone}/firewall/waf/packages/${id}/${part}`,
    about: `${part} of WAF package ${id} of zone ${zone}`,
  };
}
