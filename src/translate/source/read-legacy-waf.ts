import { type Client } from '../../cloudflare/client';
import {
  listWafGroups,
  listWafPackages,
  listWafRules,
  type WafGroup,
  type WafPackage,
  type WafRule,
} from '../../cloudflare/waf-packages';

/** A package of the previous WAF with everything in it, as it came. */
export interface LegacyWafPackage extends WafPackage {
  readonly groups: readonly WafGroup[];
  readonly rules: readonly WafRule[];
}

/**
 * Every setting of the previous WAF; they cannot be read any more once the zone has moved.
 * @throws MigrationError those of the client
 */
export async function readLegacyWaf(client: Client, zoneId: string): Promise<LegacyWafPackage[]> {
  const packages = await collect(listWafPackages(client, zoneId));
  return Promise.all(
    packages.map(async (one) => {
      const [groups, rules] = await Promise.all([
        collect(listWafGroups(client, zoneId, one.id)),
        collect(listWafRules(client, zoneId, one.id)),
      ]);
      return { ...one, groups, rules };
    }),
  );
}

async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
