import { type Client } from '../cloudflare/client';
import { type Phase, positionOfState, readCompatibility } from '../cloudflare/waf-migration';
import { type Finding } from '../core/finding';
import { withUnexplainedBlocker, findBlockers } from './blockers';
import { beingMoved } from './live-status';

export interface CheckResult {
  /** Whether Cloudflare allows the migration, and no blocker is known. */
  readonly compatible: boolean;
  readonly migrationState: string;
  readonly findings: readonly Finding[];
}

/** Checks whether a zone can migrate (spec: "Eligibility"), and lists all blockers. */
export async function check(
  client: Client,
  zoneId: string,
  { phase = 2 }: { readonly phase?: Phase } = {},
): Promise<CheckResult> {
  const { compatible, migrationState } = await readCompatibility(client, zoneId, phase);
  const position = positionOfState(migrationState);
  if (position === 'moved' || position === 'moving') {
    const moved: Finding = {
      code: 'ALREADY_MIGRATED',
      severity: 'info',
      subject: zoneId,
      message: 'the zone has already migrated',
      remedy: `generate the stack from the live entry point:\ncf-waf-migrate generate --zone ${zoneId} --source live`,
    };
    const finding = position === 'moved' ? moved : beingMoved(zoneId);
    return { compatible, migrationState, findings: [finding] };
  }
  const { findings: found } = await findBlockers(client, zoneId, { phase, compatible });
  const findings = compatible ? found : withUnexplainedBlocker(found, zoneId);
  const isBlocked = findings.some(({ severity }) => severity === 'blocker');
  return { compatible: !isBlocked, migrationState, findings };
}
