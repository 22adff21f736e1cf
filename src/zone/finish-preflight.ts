import { deployedBy } from '../core/ruleset';
import { type Client } from '../cloudflare/client';
import { type MigrationStatus, readCompatibility } from '../cloudflare/waf-migration';
import { type NamedZone } from '../cloudflare/zones';
import { deploysAny } from '../ruleset/protection';
import { type ErrorCode } from '../core/error-catalogue';
import { type Finding, isBlocker } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import {
  CLOUDFLARE_PACKAGE,
  CLOUDFLARE_RULESET,
  OWASP_PACKAGE,
  OWASP_RULESET,
} from '../ruleset/known-rulesets';
import { compareStack } from './compare-stack';
import {
  type EntryPointSource,
  prepareCall,
  type PreparedCall,
  refuseBlocked,
} from './migration-call';
import { type LegacyWafPackage, readLegacyWaf } from '../cloudflare/waf-packages';

export interface FinishRequest extends EntryPointSource {
  /** The path of a generated stack that must declare the ruleset to send. */
  readonly stack?: string;
  /** Codes of blockers that the user accepts. */
  readonly accept: readonly string[];
}

/** What the irreversible call needs. */
export interface Preflight extends PreparedCall {
  readonly oldWaf: readonly LegacyWafPackage[];
  readonly oldWafStatus: MigrationStatus['oldWaf'];
}

/** Blockers that the user may accept. Any other would remove protection, or make Cloudflare refuse the call. */
export const ACCEPTABLE = [
  'MIGRATION_CONFIG_CHANGED',
  'STANDING_RULE_NOT_IN_FILE',
  'STANDING_EXCEPTION_WIDER',
  'STACK_DIFFERS',
  'NEW_RULES_LOG',
  'TOO_MANY_FIREWALL_RULES',
  'EXPRESSION_TOO_LONG',
  'OLD_SETTINGS_UNREAD',
] as const;

/** Temporary failures, which do not justify a migration without a backup. */
const temporary = new Set<ErrorCode>([
  'API_RATE_LIMITED',
  'API_UNAVAILABLE',
  'API_UNREACHABLE',
  'API_RESPONSE_INVALID',
]);

/** The legacy packages of every zone, and the rulesets that replace them. */
const successors = [
  { old: CLOUDFLARE_PACKAGE, ruleset: CLOUDFLARE_RULESET },
  { old: OWASP_PACKAGE, ruleset: OWASP_RULESET },
];

/**
 * Checks all conditions of the irreversible call, and changes nothing. Reads the migration configuration and
 * the entry point last, because others can change them.
 * @param status which WAF is on, and whether the zone is in validation mode
 * @throws MigrationError `MIGRATION_BLOCKED` with the blockers, and those of the client
 */
export async function preflight(
  client: Client,
  zone: NamedZone,
  request: FinishRequest,
  status: MigrationStatus,
): Promise<Preflight> {
  const unread: Finding[] = [];
  const oldWaf = await readLegacyWaf(client, zone.id).catch((error: unknown) => {
    if (!(error instanceof MigrationError)) throw error;
    unread.push(oldSettingsUnread(zone.id, error));
    return [];
  });
  const soften = (finding: Finding): Finding => withAccepted(finding, request.accept);
  const compatibility = await readCompatibility(client, zone.id);
  const call = await prepareCall(client, zone.id, request, { ...compatibility, status, soften });
  const findings = [
    ...call.findings,
    ...unread,
    ...(deploysAny(call.declared.rules) ? [] : [nothingIsOn(zone.id, status)]),
    ...packagesOff(oldWaf, call),
    ...(request.stack === undefined ? [] : await compareStack(request.stack, zone, call.ruleset)),
  ].map(soften);
  refuseBlocked(zone.id, findings);
  return { ...call, findings, oldWaf, oldWafStatus: status.oldWaf };
}

/** No managed ruleset would be deployed and on. Without the legacy WAF, the zone loses nothing. */
function nothingIsOn(subject: string, { oldWaf }: MigrationStatus): Finding {
  const isOff = oldWaf === 'off';
  return {
    code: 'NOTHING_IS_ON',
    severity: isOff ? 'decision' : 'blocker',
    subject,
    message: isOff
      ? 'no managed ruleset will be on; the legacy WAF is off too: protection does not change'
      : 'no managed ruleset would be on: the zone would lose its WAF',
    remedy: `enable at least one rule that deploys a managed ruleset${isOff ? ', before or after the migration' : ''}`,
  };
}

/**
 * Finds legacy packages that are on, but have no proposed ruleset. A ruleset that is proposed as off is no
 * finding, because the whole legacy WAF can be off.
 */
function packagesOff(
  oldWaf: readonly LegacyWafPackage[],
  { declared, proposed }: PreparedCall,
): Finding[] {
  const known = new Set([...declared.rules, ...proposed.rules].map(deployedBy));
  return successors.flatMap(({ old, ruleset }): Finding[] => {
    const found = oldWaf.find(({ id }) => id === old);
    if (found === undefined || known.has(ruleset) || !isOn(found)) return [];
    return [
      {
        code: 'MANAGED_RULESET_OFF',
        severity: 'blocker',
        subject: ruleset,
        message: `the legacy package ${found.name} (${old}) is on, but this ruleset, which replaces it, would be off`,
        remedy: 'deploy the ruleset, or switch the legacy package off first',
      },
    ];
  });
}

function isOn({ detection_mode: mode, sensitivity, groups }: LegacyWafPackage): boolean {
  return mode === 'anomaly' ? sensitivity !== 'off' : groups.some((group) => group.mode === 'on');
}

function withAccepted(finding: Finding, accept: readonly string[]): Finding {
  return isBlocker(finding) && accept.includes(finding.code)
    ? { ...finding, severity: 'decision' }
    : finding;
}

function oldSettingsUnread(zoneId: string, error: MigrationError): Finding {
  return {
    code: 'OLD_SETTINGS_UNREAD',
    severity: 'blocker',
    subject: zoneId,
    message: `the legacy settings cannot be saved, and the migration deletes them: ${error.message}`,
    remedy: temporary.has(error.code)
      ? 'run the same command again later: the legacy API does not answer now'
      : 'set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY: the legacy API can refuse a token; to finish without a backup, pass --accept OLD_SETTINGS_UNREAD',
  };
}
