import { deployedBy } from '../core/ruleset';
import { type Client } from '../cloudflare/client';
import { type MigrationStatus, readCompatibility } from '../cloudflare/waf-migration';
import { type NamedZone } from '../cloudflare/zones';
import { deploysAny } from '../ruleset/protection';
import { type ErrorCode } from '../core/error-catalogue';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import {
  CLOUDFLARE_PACKAGE,
  CLOUDFLARE_RULESET,
  OWASP_PACKAGE,
  OWASP_RULESET,
} from '../ruleset/known-rulesets';
import { compareStack, type StackFile } from './compare-entry-point';
import { nothingIsOn, oldPackageOff } from './findings';
import { type EntryPointSource, prepareCall, type PreparedCall } from './migration-call';
import { type LegacyWafPackage, readLegacyWaf } from '../translate/source/settings-from-api';

/** The options of `finish`. */
export interface FinishRequest extends EntryPointSource {
  /** A generated stack that must declare the ruleset to send. */
  readonly stack?: StackFile;
  /** Codes of blockers that the user accepts. */
  readonly accept: readonly string[];
}

/** What the irreversible call needs. */
export interface Preflight extends PreparedCall {
  readonly oldWaf: readonly LegacyWafPackage[];
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
const passesBy = new Set<ErrorCode>([
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
  const { oldWaf, unread } = await readOldWafToSave(client, zone.id);
  const call = await prepareCall(client, zone.id, request, {
    status,
    ...(await readCompatibility(client, zone.id)),
    known: unread,
    soften: (finding) => accepted(finding, request.accept),
    further: async (prepared) => [
      ...(deploysAny(prepared.declared.rules)
        ? []
        : [nothingIsOn(zone.id, { lost: status.oldWaf !== 'off' })]),
      ...packagesOff(oldWaf, prepared),
      ...(request.stack === undefined
        ? []
        : await compareStack({
            ...request.stack,
            zone: { id: zone.id, name: zone.name },
            ruleset: prepared.ruleset,
          })),
    ],
  });
  return { ...call, oldWaf };
}

async function readOldWafToSave(client: Client, zoneId: string) {
  try {
    return { oldWaf: await readLegacyWaf(client, zoneId), unread: [] };
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return { oldWaf: [], unread: [oldSettingsUnread(zoneId, error)] };
  }
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
  return successors.flatMap(({ old, ruleset }) => {
    const found = oldWaf.find(({ id }) => id === old);
    if (found === undefined || known.has(ruleset) || !isOn(found)) return [];
    return [oldPackageOff(old, found.name, ruleset)];
  });
}

function isOn({ detection_mode: mode, sensitivity, groups }: LegacyWafPackage): boolean {
  return mode === 'anomaly' ? sensitivity !== 'off' : groups.some((group) => group.mode === 'on');
}

function accepted(finding: Finding, accept: readonly string[]): Finding {
  const { code, severity } = finding;
  return severity === 'blocker' && accept.includes(code)
    ? { ...finding, severity: 'decision' }
    : finding;
}

function oldSettingsUnread(zoneId: string, error: MigrationError): Finding {
  return {
    code: 'OLD_SETTINGS_UNREAD',
    severity: 'blocker',
    subject: zoneId,
    message: `the legacy settings cannot be saved, and the migration deletes them: ${error.message}`,
    remedy: passesBy.has(error.code)
      ? 'run the same command again later: the legacy API does not answer now'
      : 'set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY: the legacy API can refuse a token; to finish without a backup, pass --accept OLD_SETTINGS_UNREAD',
  };
}
