import { describeDifference, diffRulesets } from '../ruleset/compare-rulesets';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { type Finding } from '../core/finding';
import { type Ruleset } from '../core/ruleset';
import { mergeFile } from './merge-file';
import { type StandingEntryPoint } from '../generate/read-source';

/** The entry point after the migration, compared with what was sent. */
export function compareWithSent(
  sent: unknown,
  { ruleset }: StandingEntryPoint,
  subject: string,
): Finding[] {
  return compare(parseRuleset(sent).ruleset, ruleset, { subject, what: 'what was sent' });
}

/** The entry point compared with the file that a run was given, as if that were sent now. */
export function compareWithFile(
  file: Ruleset,
  { ruleset }: StandingEntryPoint,
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
