import { type Client } from '../cloudflare/client';
import { putEntryPoint } from '../cloudflare/rulesets';
import {
  positionOf,
  positionOfState,
  readCompatibility,
  readMigrationStatus,
  unknownPosition,
  type ZonePosition,
} from '../cloudflare/waf-migration';
import { type NamedZone, readZoneOrId } from '../cloudflare/zones';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { type DeclaredRuleset } from '../core/ruleset';
import { diffRulesets, renderEntryPoint } from '../ruleset/compare-rulesets';
import { deploysAny } from '../ruleset/protection';
import { logOnly } from '../ruleset/log-only';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import {
  type EntryPointSource,
  lowered,
  prepareCall,
  refuseBlocked,
  withApiHint,
} from './migration-call';
import { ACCEPTABLE } from './finish-preflight';
import { migrationBegun, type WafStatus, wafStatus } from './live-status';

const sentTo = (zoneId: string): string =>
  `do not send the configuration again: Cloudflare has received it. See which WAF is on:\ncf-waf-migrate status --zone ${zoneId}`;

interface ValidationRequest extends EntryPointSource {
  /** Whether every rule is sent with the action log, so that the comparison sees all requests. */
  readonly onlyLog: boolean;
  /** Asks before anything is sent; throws if it is declined. */
  readonly confirm: (
    zone: NamedZone,
    toSend: DeclaredRuleset,
    findings: readonly Finding[],
  ) => Promise<void>;
}

/**
 * Puts an Enterprise zone into validation mode, or updates the ruleset of a zone that is in it. In this mode,
 * both WAFs are on, and the new WAF runs first (spec: "States and transitions").
 * @throws MigrationError `MIGRATION_BLOCKED` with the blockers, and those of the client
 */
export async function startValidation(
  client: Client,
  zoneId: string,
  { onlyLog, confirm, ...source }: ValidationRequest,
): Promise<WafStatus & { readonly findings: readonly Finding[] }> {
  const zone = await readZoneOrId(client, zoneId);
  const { compatible, migrationState } = await readCompatibility(client, zone.id);
  const position = positionOfState(migrationState);
  refuseBlocked(obstacles(zone, position));
  if (position === 'unknown') throw unknownPosition(zone.id);
  const { declared, ...call } = await prepareCall(client, zone.id, source, {
    compatible,
    migrationState,
    status: await readMigrationStatus(client, zone.id),
  });
  const nothing = deploysAny(declared.rules) ? [] : [nothingToCompare(zone.id)];
  const toSend = onlyLog ? logOnly(declared) : declared;
  // a repeated call with --log-only undoes no change of the entry point ruleset
  const isSent =
    call.live !== undefined &&
    diffRulesets(normaliseRuleset(call.live.ruleset), toSend).length === 0;
  const found = call.findings.filter(({ code }) => !isSent || code !== 'STANDING_RULE_DIFFERS');
  const findings = lowered([...found, ...nothing], ACCEPTABLE, 'info');
  refuseBlocked(findings);
  await confirm(zone, toSend, findings);
  // after a lost response, a repeated call is harmless
  await putEntryPoint(client, zone.id, renderEntryPoint(toSend), 'validation');
  const status = await readMigrationStatus(client, zone.id).catch((error: unknown) => {
    throw withApiHint(error, sentTo(zone.id));
  });
  if (positionOf(status) === 'start') {
    throw new MigrationError('API_RESPONSE_INVALID', `zone ${zone.id} is not in validation mode`, {
      hint: sentTo(zone.id),
    });
  }
  return {
    ...wafStatus(status),
    findings: [...findings, aboutEvents(onlyLog, declared.name, source.given !== undefined)],
  };
}

/** Validation mode would have no new WAF to compare. */
function nothingToCompare(subject: string): Finding {
  return {
    code: 'NOTHING_IS_ON',
    severity: 'blocker',
    subject,
    message: 'no managed ruleset would be on: the legacy WAF could not be compared with a new one',
    remedy: 'enable at least one rule that deploys a managed ruleset',
  };
}

/** What to know of the comparison: without `--log-only`, requests that the new WAF ends never reach the legacy WAF. */
const aboutEvents = (onlyLog: boolean, subject: string, hasFile: boolean): Finding => ({
  severity: 'info',
  subject,
  ...(onlyLog
    ? {
        code: 'NEW_RULES_LOG',
        message: 'every new rule only logs: the legacy WAF protects the zone',
        remedy: `compare both WAFs with \`review\`, then enforce the rules with \`finish\`: pass ${hasFile ? 'both the same --config as this command' : 'it --source config'}`,
      }
    : {
        code: 'NEW_RULES_RUN_FIRST',
        message:
          'the new WAF runs before the legacy WAF: a request that a new rule blocks or challenges has no legacy event',
        remedy:
          'run this command again with --log-only for a complete comparison: then the new rules only log',
      }),
});

/** Why a zone cannot enter validation mode. A finished migration takes precedence over the plan. */
function obstacles({ id, name, plan }: NamedZone, position: ZonePosition): Finding[] {
  const begun = migrationBegun(id, position);
  if (begun.length > 0) return begun.map((one) => ({ ...one, severity: 'blocker' }));
  if (plan === undefined || plan === 'enterprise') return [];
  return [
    {
      code: 'VALIDATION_NOT_AVAILABLE',
      severity: 'blocker',
      subject: name,
      message: `validation mode is for Enterprise zones, and this zone has the plan ${plan}`,
      remedy: 'run `finish`, and check the behaviour of the new WAF afterwards',
    },
  ];
}
