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

/** Where the new configuration comes from: as for `generate`, so that both make the same. */
export interface EntryPointSource {
  readonly source: RulesetSource;
  /** A saved answer, edited or not, instead of the migration configuration of now. */
  readonly given?: ParsedRuleset;
}

/** What a migration call sends, and what was found. */
export interface PreparedCall {
  readonly migrationState: string;
  /** What the stack declares, and what is sent. */
  readonly declared: DeclaredRuleset;
  /** What the stack is generated from. */
  readonly ruleset: Ruleset;
  /** The migration configuration of now. */
  readonly proposed: Ruleset;
  /** The same, as the API returned it. */
  readonly config: unknown;
  readonly live: LiveEntryPoint | undefined;
  readonly findings: readonly Finding[];
}

/** Where `finish` and `start-validation` differ. */
interface MigrationCall {
  readonly compatible: boolean;
  readonly migrationState: string;
  readonly status: MigrationStatus;
  /** What was found before. */
  readonly known?: readonly Finding[];
  /** Lowers the severity of what does not stop this call. */
  readonly soften: (finding: Finding) => Finding;
  /** What else is found of the entry point to send. */
  readonly further: (prepared: PreparedCall) => Finding[] | Promise<Finding[]>;
}

/**
 * Finds what blocks a migration call, and the entry point that it is to send, which is compared with the migration
 * configuration of now and with the live entry point. Changes nothing.
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
    // a refusal names one reason, the blockers all of them
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

/** The entry point that the migration configuration leads to; what a stack would leave to decide blocks the call. */
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
 * The entry point that a file leads to: the file decides, its order too, and rules that it does not name stay. A
 * stack that was generated from only the file does not declare these, which is a finding.
 *
 * @throws MigrationError `RULESET_INVALID`
 */
export function mergeFile(live: Ruleset | undefined, file: Ruleset): MergedEntryPoint {
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

/** Whether the migration configuration is no longer what was saved. */
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

/** A ruleset without the id of the saved one: what is sent leads to a new entry point. */
function withoutId(ruleset: Ruleset): Ruleset {
  const { name, kind, phase, description, rules, fields } = ruleset;
  const described = description === undefined ? {} : { description };
  return { name, kind, phase, ...described, rules, fields };
}

/** The error of a call that is not sent. */
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

/** An error of the API, with a hint about the call before it; any other error keeps its hint. */
export function withHint(error: unknown, hint: string): unknown {
  const isOfApi = error instanceof MigrationError && error.code.startsWith('API_');
  return isOfApi ? error.withHint(hint) : error;
}
