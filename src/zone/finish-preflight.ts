import { deployedBy, type Ruleset } from '../core/ruleset';
import { type Client } from '../cloudflare/client';
import { type MigrationStatus, readCompatibility } from '../cloudflare/waf-migration';
import { type NamedZone } from '../cloudflare/zones';
import { deploysAny } from '../ruleset/protection';
import { type ErrorCode } from '../core/error-catalogue';
import { type Finding } from '../core/finding';
import { MigrationError, orFailure, reading } from '../core/migration-error';
import {
  CLOUDFLARE_PACKAGE,
  CLOUDFLARE_RULESET,
  OWASP_PACKAGE,
  OWASP_RULESET,
} from '../ruleset/known-rulesets';
import {
  type EntryPointSource,
  lowered,
  prepareCall,
  type PreparedCall,
  refuseBlocked,
} from './migration-call';
import { SET_KEY } from '../cloudflare/failures';
import { type LegacyWafPackage, readLegacyWaf } from '../cloudflare/firewall';
import { ASSUMED } from './check';
import { basename, dirname } from 'node:path';
import { STACK_FORMATS } from '../core/format-names';
import { printable } from '../core/printable';
import { PROVIDER_MAJORS } from '../core/provider-majors';
import { readRegularFile } from '../files/read-files';
import { programContext } from '../generate/existing-project';
import { generateStack, readGenerated, withoutHead } from '../generate/generate-stack';
import { type ZoneName } from '../generate/stack-names';

export interface FinishRequest extends EntryPointSource {
  /** The path of a generated stack that must declare the ruleset to send. */
  readonly stack?: string | undefined;
  readonly accept: readonly string[];
}

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
  ...ASSUMED,
  'OLD_SETTINGS_UNREAD',
] as const;

/** Temporary failures, which do not justify a migration without a backup. */
const temporary = new Set<ErrorCode>([
  'API_RATE_LIMITED',
  'API_UNAVAILABLE',
  'API_UNREACHABLE',
  'API_RESPONSE_INVALID',
]);

const successors = [
  { old: CLOUDFLARE_PACKAGE, ruleset: CLOUDFLARE_RULESET },
  { old: OWASP_PACKAGE, ruleset: OWASP_RULESET },
];

/**
 * Checks all conditions of the irreversible call, and changes nothing. Reads the migration configuration and
 * the entry point last, because others can change them.
 * @param status which WAF is on, and whether the zone is in validation mode
 * @param readOldWaf reads the legacy settings to save
 * @throws MigrationError `MIGRATION_BLOCKED` with the blockers, and those of the client
 */
export async function preflight(
  client: Client,
  zone: NamedZone,
  request: FinishRequest,
  status: MigrationStatus,
  readOldWaf = readLegacyWaf,
): Promise<Preflight> {
  const read = await orFailure(readOldWaf(client, zone.id));
  const isUnread = read instanceof MigrationError;
  const oldWaf = isUnread ? [] : read;
  const { accept } = request;
  const compatibility = await readCompatibility(client, zone.id);
  const call = await prepareCall(client, zone.id, request, { ...compatibility, status, accept });
  const found = [
    ...call.findings,
    ...(isUnread ? [oldSettingsUnread(zone.id, read)] : []),
    ...(deploysAny(call.declared.rules) ? [] : [nothingIsOn(zone.id, status)]),
    ...packagesOff(oldWaf, call),
    ...(request.stack === undefined ? [] : compareStack(request.stack, zone, call.ruleset)),
  ];
  const findings = lowered(found, accept, 'decision');
  refuseBlocked(findings);
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

function oldSettingsUnread(zoneId: string, error: MigrationError): Finding {
  return {
    code: 'OLD_SETTINGS_UNREAD',
    severity: 'blocker',
    subject: zoneId,
    message: `the legacy settings cannot be saved, and the migration deletes them: ${error.message}`,
    remedy: temporary.has(error.code)
      ? 'run the same command again later: the legacy API does not answer now'
      : `${SET_KEY}; to finish without a backup, pass --accept OLD_SETTINGS_UNREAD`,
  };
}

/**
 * Checks that a stack declares the ruleset to send. Generation is deterministic, so the file must equal one of
 * the generated texts, for any provider version and format.
 * @throws MigrationError `FILE_UNREADABLE`, `RULESET_INVALID`
 */
function compareStack(path: string, zone: ZoneName, ruleset: Ruleset): Finding[] {
  const text = readStack(path).replaceAll('\r\n', '\n');
  const { resourceName, zoneId = zone.id, providerReference } = readGenerated(text);
  if (resourceName === undefined || zoneId !== zone.id || basename(path) === 'cdk.tf.json') {
    const message = `${printable(path)} is not a stack that generate wrote for zone ${zone.id}`;
    const hint = 'pass the file that `generate` named';
    throw new MigrationError('RULESET_INVALID', message, { hint });
  }
  const source = { origin: 'config', ruleset } as const;
  // with the bindings of the folder, or those of the flavor: another import can replace the construct, and run code
  const program = programContext(dirname(path));
  const imports = [program, { ...program, bindings: undefined }];
  const texts = PROVIDER_MAJORS.flatMap((provider) =>
    STACK_FORMATS.flatMap((format) =>
      imports.map((one) => {
        const names = { resourceName, providerReference };
        const request = { zone, source, provider, format, ...names, ...one };
        return declaring(generateStack(request).resourceFile.text);
      }),
    ),
  );
  const own = declaring(text);
  if (texts.includes(own)) return [];
  return [
    {
      code: 'STACK_DIFFERS',
      severity: 'blocker',
      subject: path,
      message: `the ruleset of the stack differs from the ruleset to send, first in: ${printable(firstDifference(own, texts), 200)}`,
      remedy:
        '`finish` sends the migration configuration, not edits of this file. To send other rules, edit a file of `fetch-config`, and pass it with --config. Otherwise generate the stack again with the same --source or --config; if only its form differs, pass --accept STACK_DIFFERS',
    },
  ];
}

const readStack = (path: string): string =>
  reading(`cannot read ${printable(path)}`, () => readRegularFile(path).toString('utf8'));

function firstDifference(own: string, texts: readonly string[]): string {
  const lines = own.split('\n');
  const places = texts.map((text) => {
    const others = text.split('\n');
    return lines.findIndex((line, at) => line !== others[at]);
  });
  return lines[Math.max(...places)]?.trim() ?? '';
}

/** What a stack declares: its head and the name of its class differ with its zone. */
const declaring = (text: string): string => withoutHead(text).replace(/^export class [\w$]+/m, '');
