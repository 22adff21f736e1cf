import { type Client } from '../cloudflare/client';
import { type Phase, readCompatibility, readMigrationStatus } from '../cloudflare/waf-migration';
import { type Finding } from '../model/finding';
import { findBlockers } from './find-blockers';
import { isRefusal, notChecked } from './read-optional';
import { positionOfState } from './zone-position';

/** The command's JSON. */
export interface CheckResult {
  /** Whether the service takes the zone, and nothing is known that needs its support. */
  readonly compatible: boolean;
  readonly migrationState: string;
  readonly findings: readonly Finding[];
}

/**
 * May the zone migrate (spec: "Eligibility"), and if not, every single thing that blocks it.
 * @throws MigrationError those of the client
 */
export async function check(
  client: Client,
  zoneId: string,
  { phase = 2 }: { readonly phase?: Phase } = {},
): Promise<CheckResult> {
  const { compatible, migrationState } = await readCompatibility(client, zoneId, { phase });
  if (positionOfState(migrationState) === 'moved') {
    return { compatible, migrationState, findings: [moved(zoneId)] };
  }
  const [found, notes] = await Promise.all([
    findBlockers(client, zoneId, { phase, compatible }),
    aboutOldWaf(client, zoneId),
  ]);
  const named = found.some(({ severity }) => severity === 'blocker');
  const findings = compatible || named ? found : [notCompatible(zoneId), ...found];
  return { compatible: compatible && !named, migrationState, findings: [...findings, ...notes] };
}

async function aboutOldWaf(client: Client, zoneId: string): Promise<Finding[]> {
  try {
    const { oldWaf } = await readMigrationStatus(client, zoneId);
    return oldWaf === 'off' ? [oldWafOff(zoneId)] : [];
  } catch (error) {
    if (isRefusal(error)) return [notChecked('migration status', zoneId, error)];
    throw error;
  }
}

/** What the service proposes for it is off as well. */
function oldWafOff(zoneId: string): Finding {
  return {
    code: 'OLD_WAF_OFF',
    severity: 'info',
    subject: zoneId,
    message: 'the old WAF is off, so the zone gets a new one with every managed ruleset off',
    remedy:
      'finish it as it is, and enable a managed ruleset before or afterwards if one is wanted',
  };
}

/** The service says no and nothing was found that explains it. */
function notCompatible(zoneId: string): Finding {
  return {
    code: 'ZONE_NOT_COMPATIBLE',
    severity: 'blocker',
    subject: zoneId,
    message: 'the service does not let this zone migrate, and nothing was found that explains it',
    remedy:
      'look for URI-based WAF overrides; contact the support of the service if there are none',
  };
}

function moved(zoneId: string): Finding {
  return {
    code: 'ALREADY_MIGRATED',
    severity: 'info',
    subject: zoneId,
    message: 'the zone has migrated already',
    remedy: 'generate the stack from what stands: cf-waf-migrate generate --source live',
  };
}
