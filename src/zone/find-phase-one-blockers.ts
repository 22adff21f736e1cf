import { type Client } from '../cloudflare/client';
import { listWafPackages } from '../cloudflare/waf-packages';
import { type Finding } from '../core/finding';
import { notChecked, readOptional } from '../cloudflare/read-optional';

/**
 * What phase one asks of the old packages: the WAF off, or the vendor's ruleset alone, with OWASP
 * off (spec: "Eligibility").
 */
export async function findPhaseOneBlockers(client: Client, zoneId: string): Promise<Finding[]> {
  const { items, unread } = await readOptional(listWafPackages(client, zoneId));
  if (unread !== undefined) return [notChecked('WAF packages', zoneId, unread)];
  return items
    .filter((one) => one.detection_mode === 'anomaly' && one.sensitivity !== 'off')
    .map(({ id, name, sensitivity }) => ({
      code: 'OWASP_ON',
      severity: 'blocker',
      subject: id,
      message: `the package ${name} is on (sensitivity ${sensitivity ?? 'unknown'}); phase one takes zones without it`,
      remedy: 'migrate in phase two, or switch the package off',
    }));
}
