import { type Client } from '../cloudflare/client';
import { readMigrationConfig } from '../cloudflare/waf-migration';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { type DeclaredRuleset, type Ruleset } from '../core/ruleset';
import {
  readLiveEntryPoint,
  type RulesetSource,
  type LiveEntryPoint,
} from '../generate/read-source';
import { describeDifference, diffRulesets } from '../ruleset/compare-rulesets';
import { type MergedEntryPoint, mergeEntryPoint } from '../ruleset/merge-entry-point';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { type ParsedRuleset, parseRuleset } from '../ruleset/parse-ruleset';
import { lostProtection } from '../ruleset/protection';
import {
  migrationConfigChanged,
  standingRefKept,
  standingRuleDiffers,
  standingRuleNotInFile,
} from './findings';

/** Where the new configuration comes from: as for `generate`, so that both make the same. */
export interface EntryPointSource {
  readonly source: RulesetSource;
  /** A saved answer, edited or not, instead of what the service proposes now. */
  readonly given?: ParsedRuleset;
}

/** What a migration call sends, and what stands in its way. */
export interface PreparedEntryPoint {
  /** What the stack declares, and what is sent. */
  readonly declared: DeclaredRuleset;
  /** What the stack is generated from. */
  readonly ruleset: Ruleset;
  /** What the service proposes now. */
  readonly proposed: Ruleset;
  /** The answer of the config endpoint as it came. */
  readonly config: unknown;
  readonly standing: LiveEntryPoint | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Works out the entry point that a migration call is to send, and compares it with what the service
 * proposes now and with what stands.
 *
 * @param isValidating whether the zone is in validation mode
 * @throws MigrationError `RULESET_INVALID`, `RULESET_EMPTY`, `ENTRY_POINT_MISSING`, and those of
 *   the client
 */
export async function prepareEntryPoint(
  client: Client,
  zoneId: string,
  { source, given }: EntryPointSource,
  isValidating: boolean,
): Promise<PreparedEntryPoint> {
  const [{ result: config }, standing] = await Promise.all([
    readMigrationConfig(client, zoneId),
    readLiveEntryPoint(client, zoneId),
  ]);
  const proposed = parseRuleset(config).ruleset;
  const chosen = choose(zoneId, proposed, standing, { source, given, isValidating });
  const { ruleset: declared, findings } = normaliseRuleset(chosen.ruleset);
  return {
    declared,
    ruleset: chosen.ruleset,
    proposed,
    config,
    standing,
    findings: [
      ...chosen.findings,
      ...findings,
      ...changedConfig(proposed, standing?.ruleset, given, declared),
      ...lostProtection(proposed, standing?.ruleset, declared),
    ],
  };
}

function choose(
  zoneId: string,
  proposed: Ruleset,
  standing: LiveEntryPoint | undefined,
  {
    source,
    given,
    isValidating,
  }: { source: RulesetSource; given: ParsedRuleset | undefined; isValidating: boolean },
): MergedEntryPoint {
  if (given === undefined && source === 'live') {
    if (standing === undefined) {
      throw new MigrationError('ENTRY_POINT_MISSING', `zone ${zoneId} has no entry point ruleset`);
    }
    return { ruleset: withoutId(standing.ruleset), findings: [] };
  }
  if (given !== undefined) return mergeFile(standing?.ruleset, given.ruleset);
  const merged = mergeEntryPoint(standing?.ruleset, withoutId(proposed), { isValidating });
  const findings = merged.findings.flatMap((finding): Finding[] => {
    if (isExceptionWider(finding)) return [asBlocker(finding)];
    if (!isDifference(finding)) return [finding];
    return source === 'config' ? [] : [standingRuleDiffers(finding.subject)];
  });
  return { ruleset: merged.ruleset, findings };
}

function isDifference({ code }: Finding): boolean {
  return code === 'STANDING_RULE_DIFFERS';
}

/** Whether the service proposes today what was saved. */
function changedConfig(
  proposed: Ruleset,
  standing: Ruleset | undefined,
  given: ParsedRuleset | undefined,
  declared: DeclaredRuleset,
): Finding[] {
  if (given === undefined) return [];
  const merged = mergeEntryPoint(standing, proposed, { isFile: true });
  const now = normaliseRuleset(merged.ruleset).ruleset;
  const differences = diffRulesets(now, declared).map(describeDifference);
  return differences.length === 0 ? [] : [migrationConfigChanged(proposed.name, differences)];
}

/**
 * The entry point that a file leads to: the file decides, its order too, and what it does not name
 * stays. A stack that was generated from the file alone knows nothing of what stands: where it
 * declares something else, that is told.
 *
 * @throws MigrationError `RULESET_INVALID`
 */
export function mergeFile(standing: Ruleset | undefined, file: Ruleset): MergedEntryPoint {
  const { ruleset, findings } = mergeEntryPoint(standing, withoutId(file), { isFile: true });
  const kept = findings.flatMap(({ code, subject }) =>
    code === 'STANDING_RULE_KEPT' ? [subject] : [],
  );
  const wider = findings.filter(isExceptionWider);
  const sent = normaliseRuleset(ruleset).ruleset.rules.filter(({ ref }) => !kept.includes(ref));
  const refs = normaliseRuleset(withoutId(file)).ruleset.rules.flatMap(({ ref }, index) => {
    const as = sent[index]?.ref ?? ref;
    return as === ref ? [] : [standingRefKept(as, ref)];
  });
  const notInFile = kept.map((ref) =>
    standingRuleNotInFile(ref, { isWider: wider.some(({ subject }) => subject === ref) }),
  );
  return { ruleset, findings: [...notInFile, ...wider.map(asBlocker), ...refs] };
}

/** Whether it tells of an exception that would hold for more: before a call, a blocker. */
export function isExceptionWider({ code }: Finding): boolean {
  return code === 'STANDING_EXCEPTION_WIDER';
}

/** What a generated stack leaves to decide must be decided before a call. */
export function asBlocker(finding: Finding): Finding {
  return { ...finding, severity: 'blocker' };
}

/** What is sent leads to a new entry point, also where a saved one is sent again. */
export function withoutId(ruleset: Ruleset): Ruleset {
  const { name, kind, phase, description, rules, fields } = ruleset;
  const described = description === undefined ? {} : { description };
  return { name, kind, phase, ...described, rules, fields };
}

/** A failure of the service, with what is known of a call that came before it: any other has a hint of its own. */
export function withHint(error: unknown, hint: string): unknown {
  const isOfService = error instanceof MigrationError && error.code.startsWith('API_');
  return isOfService ? error.withHint(hint) : error;
}
