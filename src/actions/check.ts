import { type Client } from '../cloudflare/client';
import { readCompatibility } from '../cloudflare/waf-migration';
import { type Finding } from '../model/finding';

/** The command's JSON. */
export interface CheckResult {
  readonly compatible: boolean;
  readonly migrationState: string;
  readonly findings: readonly Finding[];
}

/**
 * May the zone migrate (spec: "Eligibility", phase two).
 * @throws MigrationError those of the client
 */
export async function check(client: Client, zoneId: string): Promise<CheckResult> {
  const { compatible, migrationState } = await readCompatibility(client, zoneId);
  return { compatible, migrationState, findings: compatible ? [] : [notCompatible(zoneId)] };
}

function notCompatible(zoneId: string): Finding {
  return {
    code: 'ZONE_NOT_COMPATIBLE',
    severity: 'blocker',
    subject: zoneId,
    message:
      'the service does not let this zone migrate; in phase two the one known reason is URI-based WAF overrides',
    remedy:
      'delete the WAF overrides of the zone, then check again; contact support if there are none',
  };
}
