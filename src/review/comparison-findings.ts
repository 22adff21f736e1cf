import { counted } from '../model/counted';
import { type Finding } from '../model/finding';
import { type Comparison } from './comparison';
import { findingOf } from './finding-of';

/** What a reader must know of the comparison. */
export function comparisonFindings(
  comparison: Comparison,
  given: { readonly intended: boolean },
): Finding[] {
  const { classes, rules, sampled } = comparison;
  const bothActed = classes['both-act'] + classes['both-log'] + classes.stricter + classes.laxer;
  const hasActed = (side: 'old' | 'new'): boolean =>
    bothActed > 0 || rules.some((rule) => rule.side === side);
  const found: Finding[] = [];
  if (classes.hidden > 0) {
    found.push(
      findingOf(
        'OLD_WAF_HIDDEN',
        'decision',
        counted(classes.hidden, 'request'),
        'a rule of the new WAF ended these requests before the old WAF saw them: what it would have done cannot be known',
        'let the new rules log: cf-waf-migrate start-validation --zone <id> --log-only',
      ),
    );
  }
  if (sampled > 0) {
    found.push(
      findingOf(
        'EVENTS_SAMPLED',
        'decision',
        counted(sampled, 'event'),
        'the data is sampled: events are missing, so that the absence of one side says nothing; such requests are undecidable',
        'use the log export, which is not sampled, or a shorter span of time',
      ),
    );
  }
  const side = (['old', 'new'] as const).find((one) => !hasActed(one));
  if (side !== undefined) {
    found.push(
      findingOf(
        `NO_${side.toUpperCase()}_EVENTS`,
        'decision',
        `${side} WAF`,
        `there is no event of the ${side} WAF: nothing is compared`,
        'take events from the time of validation mode, when both WAFs were on',
      ),
    );
  }
  const logs = rules.some((rule) => rule.side === 'new' && rule.verdict === 'log');
  if (!given.intended && (logs || classes.laxer > 0)) {
    found.push(
      findingOf(
        'LOG_TAKEN_AS_LOG',
        'info',
        'new WAF',
        'a log of a new rule counts as a log',
        'pass --config with the configuration that is meant, if the new rules only log during validation',
      ),
    );
  }
  return found;
}
