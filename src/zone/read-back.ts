import { type NamedZone } from '../cloudflare/zones';
import { type Finding } from '../core/finding';
import { type Ruleset } from '../core/ruleset';
import { type LiveEntryPoint } from '../generate/read-source';
import { describeDifference, diffRulesets } from '../ruleset/compare-rulesets';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { compareStack } from './compare-stack';
import { type FinishRequest } from './finish-preflight';
import { mergeFile } from './migration-call';

/** The entry point after the migration, compared with what was sent. */
export function compareWithSent(
  sent: unknown,
  { ruleset }: LiveEntryPoint,
  subject: string,
): Finding[] {
  return compare(parseRuleset(sent).ruleset, ruleset, { subject, what: 'what was sent' });
}

/** The entry point compared with the file that a run was given, as if that were sent now. */
export function compareWithFile(
  file: Ruleset,
  { ruleset }: LiveEntryPoint,
  subject: string,
): Finding[] {
  const merged = mergeFile(ruleset, file);
  const what = 'what --config holds, and nothing is sent again';
  return [...compare(merged.ruleset, ruleset, { subject, what }), ...merged.findings];
}

function compare(
  wanted: Ruleset,
  found: Ruleset,
  { subject, what }: { readonly subject: string; readonly what: string },
): Finding[] {
  const declared = (ruleset: Ruleset) => normaliseRuleset(ruleset).ruleset;
  const differences = diffRulesets(declared(wanted), declared(found)).map(describeDifference);
  if (differences.length === 0) return [];
  return [
    {
      code: 'ENTRY_POINT_DIFFERS',
      severity: 'decision',
      subject,
      message: `the entry point is not ${what}: ${differences.join(', ')}`,
      remedy:
        'generate the stack from the live entry point (--source live --force) and look at what changed',
    },
  ];
}

/**
 * Whether the entry point that stands is what a run was given, where nothing is sent any more: what
 * would be a blocker before the call is a decision after it.
 * @param sent by an earlier run, where that is known
 * @throws MigrationError `FILE_UNREADABLE` for the stack, `RULESET_INVALID`
 */
export async function comparePassed(
  zone: NamedZone,
  { given, stack }: Pick<FinishRequest, 'given' | 'stack'>,
  standing: LiveEntryPoint,
  sent: unknown,
): Promise<Finding[]> {
  const { ruleset } = standing;
  const file =
    given === undefined ? [] : compareWithFile(given.ruleset, standing, ruleset.id ?? zone.id);
  if (stack === undefined) return file.map(withoutBlocker);
  // A stack is made before the migration, from the same file, or from the live entry point after it.
  const rulesets = [
    ruleset,
    ...(sent === undefined ? [] : [parseRuleset(sent).ruleset]),
    ...(given === undefined ? [] : [mergeFile(ruleset, given.ruleset).ruleset]),
  ];
  const { id, name } = zone;
  const declared = await compareStack({ ...stack, zone: { id, name }, rulesets });
  return [...file, ...declared].map(withoutBlocker);
}

function withoutBlocker(finding: Finding): Finding {
  return finding.severity === 'blocker' ? { ...finding, severity: 'decision' } : finding;
}
