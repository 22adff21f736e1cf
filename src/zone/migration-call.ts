import { type Client } from '../cloudflare/client';
import {
  isValidating,
  type MigrationStatus,
  readMigrationConfig,
} from '../cloudflare/waf-migration';
import { type Finding, findingCodes } from '../core/finding';
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
import { migrationConfigChanged, standingRuleDiffers, standingRuleNotInFile } from './findings';
import { explainedBy, findBlockers } from './find-blockers';

/** The source of the new entry point, with the same choices as in `generate`. */
export interface EntryPointSource {
  readonly source: RulesetSource;
  /** A saved migration configuration, which replaces the current one. */
  readonly given?: ParsedRuleset;
}

/** The ruleset of a migration call, and the findings about it. */
export interface PreparedCall {
  readonly migrationState: string;
  /** The normalised ruleset, which the stack declares and the call sends. */
  readonly declared: DeclaredRuleset;
  /** The ruleset that the stack is generated from. */
  readonly ruleset: Ruleset;
  /** The current migration configuration. */
  readonly proposed: Ruleset;
  /** The current migration configuration as the API returned it. */
  readonly config: unknown;
  readonly live: LiveEntryPoint | undefined;
  readonly findings: readonly Finding[];
}

/** The differences between `finish` and `start-validation`. */
interface MigrationCall {
  readonly compatible: boolean;
  readonly migrationState: string;
  readonly status: MigrationStatus;
  /** Earlier findings. */
  readonly known?: readonly Finding[];
  /** Lowers the severity of findings that do not block this call. */
  readonly soften: (finding: Finding) => Finding;
  /** Returns more findings about the ruleset to send. */
  readonly further: (prepared: PreparedCall) => Finding[] | Promise<Finding[]>;
}

/**
 * Finds the blockers of a migration call, and the entry point to send. Compares it with the current migration
 * configuration and the live entry point. Changes nothing.
 *
 * @throws MigrationError `MIGRATION_BLOCKED` with the blockers, `RULESET_INVALID`, `RULESET_EMPTY`,
 *   `ENTRY_POINT_MISSING`, and those of the client
 */
export async function prepareCall(
  client: Client,
  zoneId: string,
  { source, given }: EntryPointSource,
  { compatible, migrationState, status, known = [], soften, further }: MigrationCall,
): Promise<PreparedCall> {
  const blockers = await findBlockers(client, zoneId, { phase: 2, compatible });
  if (!compatible) throw blocked(zoneId, [...explainedBy(blockers, zoneId), ...known]);
  const found = [...blockers, ...known];
  const [{ result: config }, live] = await Promise.all([
    readMigrationConfig(client, zoneId),
    readLiveEntryPoint(client, zoneId),
  ]).catch((error: unknown) => {
    // a refusal names one reason, but the findings name all blockers
    const isRefusal = error instanceof MigrationError && error.code === 'API_REFUSED';
    const softened = found.map(soften);
    throw isRefusal && softened.some(isBlocker) ? blocked(zoneId, softened, error) : error;
  });
  const proposed = parseRuleset(config).ruleset;
  const validating = isValidating(status, migrationState);
  const chosen =
    given !== undefined
      ? mergeFile(live?.ruleset, given.ruleset)
      : source === 'live'
        ? { ruleset: withoutId(requireLive(zoneId, live)), findings: [] }
        : mergeProposed(live?.ruleset, proposed, source, validating);
  const { ruleset: declared, findings } = normaliseRuleset(chosen.ruleset);
  const prepared: PreparedCall = {
    ...{ migrationState, declared, ruleset: chosen.ruleset, proposed, config, live },
    findings: [
      ...found,
      ...chosen.findings,
      ...findings,
      ...(given === undefined ? [] : changedConfig(proposed, live?.ruleset, declared)),
      ...lostProtection(proposed, live?.ruleset, declared),
    ],
  };
  const all = [...prepared.findings, ...(await further(prepared))].map(soften);
  if (all.some(isBlocker)) throw blocked(zoneId, all);
  return { ...prepared, findings: all };
}

function requireLive(zoneId: string, live: LiveEntryPoint | undefined): Ruleset {
  if (live !== undefined) return live.ruleset;
  throw new MigrationError('ENTRY_POINT_MISSING', `zone ${zoneId} has no entry point ruleset`);
}

/**
 * Merges the migration configuration into the live entry point. What `generate` only reports as a decision
 * blocks the call.
 */
function mergeProposed(
  live: Ruleset | undefined,
  proposed: Ruleset,
  source: RulesetSource,
  isValidating: boolean,
): MergedEntryPoint {
  const merged = mergeEntryPoint(live, withoutId(proposed), { isValidating });
  const findings = merged.findings.flatMap((finding): Finding[] => {
    const { code, subject } = finding;
    if (code === 'STANDING_EXCEPTION_WIDER') return [{ ...finding, severity: 'blocker' }];
    if (code !== 'STANDING_RULE_DIFFERS') return [finding];
    return source === 'config' ? [] : [standingRuleDiffers(subject)];
  });
  return { ruleset: merged.ruleset, findings };
}

/**
 * Merges a file into the live entry point. The file determines settings and order, and rules that it does not
 * name stay. These are findings, because a stack generated from the file does not declare them.
 *
 * @throws MigrationError `RULESET_INVALID`
 */
function mergeFile(live: Ruleset | undefined, file: Ruleset): MergedEntryPoint {
  const { ruleset, findings } = mergeEntryPoint(live, withoutId(file), { isFile: true });
  const kept = findings.flatMap(({ code, subject }) =>
    code === 'STANDING_RULE_KEPT' ? [subject] : [],
  );
  const wider = findings.filter(({ code }) => code === 'STANDING_EXCEPTION_WIDER');
  const notInFile = kept.map((ref) =>
    standingRuleNotInFile(ref, { isWider: wider.some(({ subject }) => subject === ref) }),
  );
  const blocking = wider.map((finding): Finding => ({ ...finding, severity: 'blocker' }));
  return { ruleset, findings: [...notInFile, ...blocking] };
}

/** Reports a current migration configuration that differs from the saved one. */
function changedConfig(
  proposed: Ruleset,
  live: Ruleset | undefined,
  declared: DeclaredRuleset,
): Finding[] {
  const merged = mergeEntryPoint(live, proposed, { isFile: true });
  const now = normaliseRuleset(merged.ruleset).ruleset;
  const differences = diffRulesets(now, declared);
  return differences.length === 0 ? [] : [migrationConfigChanged(proposed.name, differences)];
}

/** Drops the id of the saved ruleset, because the call creates a new entry point. */
function withoutId(ruleset: Ruleset): Ruleset {
  const { name, kind, phase, description, rules, fields } = ruleset;
  const described = description === undefined ? {} : { description };
  return { name, kind, phase, ...described, rules, fields };
}

/** Returns the error of a call that is not sent. */
export function blocked(
  zoneId: string,
  findings: readonly Finding[],
  cause?: MigrationError,
): MigrationError {
  const blockers = findings.filter(isBlocker);
  const what = counted(blockers.length, 'blocker');
  const codes = findingCodes(blockers);
  const message = `zone ${zoneId} is unchanged: ${what} (${codes})`;
  return new MigrationError('MIGRATION_BLOCKED', message, { findings, cause });
}

function isBlocker({ severity }: Finding): boolean {
  return severity === 'blocker';
}

/** Sets the hint of an API error; other errors are unchanged. */
export function withHint(error: unknown, hint: string): unknown {
  const isOfApi = error instanceof MigrationError && error.code.startsWith('API_');
  return isOfApi ? error.withHint(hint) : error;
}
