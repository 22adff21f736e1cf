import { type Client } from '../cloudflare/client';
import { isUnauthenticated } from '../cloudflare/failures';
import {
  type Compatibility,
  isValidating,
  type MigrationStatus,
  readMigrationConfig,
} from '../cloudflare/waf-migration';
import { type Finding, findingCodes, isBlocker } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { counted } from '../core/printable';
import { type DeclaredRuleset, type Ruleset } from '../core/ruleset';
import {
  readLiveEntryPoint,
  type RulesetSource,
  type LiveEntryPoint,
} from '../generate/read-source';
import { diffRulesets } from '../ruleset/compare-rulesets';
import { type MergedEntryPoint, mergeEntryPoint } from '../ruleset/merge-entry-point';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { type ParsedRuleset, parseRuleset } from '../ruleset/parse-ruleset';
import { lostProtection } from '../ruleset/protection';
import { type Blockers, findBlockers } from './check';

/** The source of the new entry point, with the same choices as in `generate`. */
export interface EntryPointSource {
  readonly source: RulesetSource;
  readonly given?: ParsedRuleset;
  /** Whether `source` is for all zones of a list: `config` then applies only to those in validation mode. */
  readonly isOfList?: boolean;
}

/** The ruleset of a migration call, and the findings about it. */
export interface PreparedCall extends Blockers {
  readonly migrationState: string;
  /** The normalised ruleset, which the stack declares. `start-validation --log-only` sends it with the action log. */
  readonly declared: DeclaredRuleset;
  /** The ruleset that the stack is generated from. */
  readonly ruleset: Ruleset;
  readonly proposed: Ruleset;
  readonly config: unknown;
  readonly live: LiveEntryPoint | undefined;
}

interface MigrationCall extends Compatibility {
  readonly status: MigrationStatus;
  /** The codes of blockers that the user accepts. */
  readonly accept?: readonly string[];
}

/**
 * Finds the blockers of a migration call, and the entry point to send. Compares it with the current migration
 * configuration and the live entry point. Changes nothing. The caller refuses what blocks the call.
 *
 * @throws MigrationError `MIGRATION_BLOCKED` with the blockers, `RULESET_INVALID`, `RULESET_EMPTY`,
 *   `ENTRY_POINT_MISSING`, and those of the client
 */
export async function prepareCall(
  client: Client,
  zoneId: string,
  source: EntryPointSource,
  { compatible, migrationState, status, accept = [] }: MigrationCall,
): Promise<PreparedCall> {
  const rules = await findBlockers(client, zoneId, { phase: 2, compatible });
  if (!compatible) refuseBlocked(rules.findings);
  const [{ result: config }, live] = await Promise.all([
    readMigrationConfig(client, zoneId),
    readLiveEntryPoint(client, zoneId),
  ]).catch((error: unknown) => {
    // a refusal names one reason, but the findings name all blockers
    const isRefusal = error instanceof MigrationError && error.code === 'API_REFUSED';
    if (isRefusal) refuseBlocked(lowered(rules.findings, accept, 'decision'), error);
    throw error;
  });
  if (source.given === undefined && source.source === 'live' && live === undefined) {
    throw new MigrationError('ENTRY_POINT_MISSING', `zone ${zoneId} has no entry point ruleset`);
  }
  const proposed = parseRuleset(config).ruleset;
  const chosen = choose(source, live?.ruleset, proposed, isValidating(status, migrationState));
  const declared = normaliseRuleset(chosen.ruleset);
  return {
    ...rules,
    migrationState,
    declared,
    ruleset: chosen.ruleset,
    proposed,
    config,
    live,
    findings: [
      ...rules.findings,
      ...chosen.findings,
      ...(source.given === undefined ? [] : changedConfig(proposed, live?.ruleset, declared)),
      ...lostProtection(proposed, live?.ruleset, declared),
    ],
  };
}

/**
 * Returns the entry point to send. What `generate` only reports as a decision blocks the call. The rules that a
 * file does not name stay, with a finding for each, because a stack generated from the file does not declare them.
 */
function choose(
  { source, given, isOfList = false }: EntryPointSource,
  live: Ruleset | undefined,
  proposed: Ruleset,
  isValidating: boolean,
): MergedEntryPoint {
  if (given === undefined && source === 'live' && live !== undefined) {
    return { ruleset: live, findings: [] };
  }
  const isFile = given !== undefined;
  const isConfigChosen = source === 'config' && (isValidating || !isOfList);
  const merged = mergeEntryPoint(live, given?.ruleset ?? proposed, { isValidating, isFile });
  const findings = merged.findings.flatMap((one) => forCall(one, isFile, isConfigChosen));
  return { ruleset: merged.ruleset, findings };
}

/** What a finding about a rule of the live entry point means for the call. */
function forCall(finding: Finding, isFile: boolean, isConfigChosen: boolean): Finding[] {
  const { code, subject } = finding;
  if (code === 'STANDING_EXCEPTION_WIDER') return [{ ...finding, severity: 'blocker' }];
  const differs = code === 'STANDING_RULE_DIFFERS';
  if (isFile) return differs ? [] : [notInFile(subject)];
  if (!differs) return [finding];
  // the user who chose the migration configuration may have sent a file before
  const remedy =
    'to send the file that `start-validation` sent, pass it with `--config`; `--source live` keeps the rule of the entry point, which blocks nothing after `start-validation --log-only`';
  return [isConfigChosen ? { ...finding, severity: 'info', remedy } : standingRuleDiffers(subject)];
}

/** The migration configuration would undo a change of the entry point ruleset. */
function standingRuleDiffers(subject: string): Finding {
  return {
    code: 'STANDING_RULE_DIFFERS',
    severity: 'blocker',
    subject,
    message:
      'in the entry point ruleset, this rule has other settings than in the migration configuration, or is an exception from other rules: cannot tell which to send',
    remedy:
      'if `start-validation` sent a file, pass that file with --config. Otherwise pass --source config to send the migration configuration, as after `start-validation --log-only`, or --source live to keep the entry point ruleset, which after --log-only blocks nothing. In a list, --source config applies only to zones in validation mode: use --zone for others. Generate the stack with the same flag',
  };
}

function notInFile(ref: string): Finding {
  return {
    code: 'STANDING_RULE_NOT_IN_FILE',
    severity: 'blocker',
    subject: ref,
    message:
      'the entry point ruleset has this rule and the file does not. The rule stays, but a stack generated from the file does not declare it',
    remedy:
      'add the rule to the file (with enabled false to switch it off) and generate again; or run `finish` with --accept STANDING_RULE_NOT_IN_FILE, and generate from the live entry point afterwards',
  };
}

function changedConfig(
  proposed: Ruleset,
  live: Ruleset | undefined,
  declared: DeclaredRuleset,
): Finding[] {
  const merged = mergeEntryPoint(live, proposed, { isFile: true });
  const now = normaliseRuleset(merged.ruleset);
  const differences = diffRulesets(now, declared);
  if (differences.length === 0) return [];
  return [
    {
      code: 'MIGRATION_CONFIG_CHANGED',
      severity: 'blocker',
      subject: proposed.name,
      message: `the file differs from the current migration configuration: ${differences.join(', ')}`,
      remedy:
        'if you edited the file on purpose, run `finish` with --accept MIGRATION_CONFIG_CHANGED; otherwise save the migration configuration again, generate the stack from it and compare',
    },
  ];
}

/** Lowers the severity of findings that do not stop a call. */
export const lowered = (
  findings: readonly Finding[],
  codes: readonly string[],
  severity: 'decision' | 'info',
): Finding[] =>
  findings.map((one) =>
    one.severity !== 'info' && codes.includes(one.code) ? { ...one, severity } : one,
  );

export function refuseBlocked(findings: readonly Finding[], cause?: MigrationError): void {
  const blockers = findings.filter(isBlocker);
  if (blockers.length === 0) return;
  const what = counted(blockers.length, 'blocker');
  const codes = findingCodes(blockers);
  const message = `Nothing was changed: ${what} (${codes})`;
  throw new MigrationError('MIGRATION_BLOCKED', message, { findings, cause });
}

/** Replaces the hint of an error about a response of the API, which can be a ruleset. */
export function withApiHint(error: unknown, hint: string): unknown {
  if (!(error instanceof MigrationError) || !/^(?:API_|RULESET_INVALID$)/.test(error.code))
    return error;
  return error.withHint(isUnauthenticated(error) ? `replace the credentials; ${hint}` : hint);
}
