import * as z from 'zod';
import { parseId, parseZoneId } from '../core/identifier';
import { type Client } from './client';
import { readLegacyPages } from './collection';

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

/**
 * Reads every package of the legacy WAF, which the legacy API no longer returns after the migration.
 * @throws {MigrationError} as `Client.request`
 */
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
