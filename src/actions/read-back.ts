import { describeDifference, diffRulesets } from '../generate/diff-rulesets';
import { normaliseRuleset } from '../generate/normalise-ruleset';
import { parseRuleset } from '../generate/parse-ruleset';
import { type Finding } from '../model/finding';
import { type StandingEntryPoint } from './read-standing';

/** The entry point after the migration, compared with what was sent. */
export function compareWithSent(
  sent: unknown,
  { ruleset }: StandingEntryPoint,
  subject: string,
): Finding[] {
  const wanted = normaliseRuleset(parseRuleset(sent).ruleset).ruleset;
  const found = normaliseRuleset(ruleset).ruleset;
  const differences = diffRulesets(wanted, found).map(describeDifference);
  if (differences.length === 0) return [];
  return [
    {
      code: 'ENTRY_POINT_DIFFERS',
      severity: 'decision',
      subject,
      message: `the entry point is not what was sent: ${differences.join(', ')}`,
      remedy:
        'generate the stack from the live entry point (--source live --force) and look at what changed',
    },
  ];
}
