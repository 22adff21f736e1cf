import { type Client } from '../cloudflare/client';
import { readMigrationConfig } from '../cloudflare/waf-migration';
import { describeDifference, diffRulesets } from '../ruleset/compare-rulesets';
import { type MergedEntryPoint, mergeEntryPoint } from '../ruleset/merge-entry-point';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { type ParsedRuleset, parseRuleset } from '../ruleset/parse-ruleset';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { type DeclaredRuleset, type Ruleset } from '../core/ruleset';
import { migrationConfigChanged, standingRuleDiffers } from './findings';
import { lostProtection } from '../ruleset/protection';
import { asBlocker, isExceptionWider, mergeFile, withoutId } from './merge-file';
import { readStanding, type RulesetSource, type StandingEntryPoint } from '../generate/read-source';

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
  readonly standing: StandingEntryPoint | undefined;
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
    readStanding(client, zoneId),
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
  standing: StandingEntryPoint | undefined,
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
