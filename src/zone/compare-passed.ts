import { type NamedZone } from '../cloudflare/zones';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { type Finding } from '../core/finding';
import { compareStack } from './compare-stack';
import { type FinishRequest } from './finish-preflight';
import { mergeFile } from './merge-file';
import { compareWithFile } from './read-back';
import { type StandingEntryPoint } from '../generate/read-source';

/**
 * Whether the entry point that stands is what a run was given, where nothing is sent any more: what
 * would be a blocker before the call is a decision after it.
 * @param sent by an earlier run, where that is known
 * @throws MigrationError `FILE_UNREADABLE` for the stack, `RULESET_INVALID`
 */
export async function comparePassed(
  zone: NamedZone,
  { given, stack }: Pick<FinishRequest, 'given' | 'stack'>,
  standing: StandingEntryPoint,
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
