import { type Finding } from '../core/finding';
import { counted } from '../core/printable';
import { type Comparison } from './comparison';
import { type WafSide } from './query/events';

/**
 * Findings about the comparison.
 * @param hasConfig whether a log of a new rule counts as what the configuration says
 */
export function comparisonFindings(comparison: Comparison, hasConfig: boolean): Finding[] {
  const { classes, rules, sampled } = comparison;
  const bothActed = classes['both-act'] + classes['both-log'] + classes.stricter + classes.laxer;
  const isSilent = (side: WafSide): boolean =>
    bothActed === 0 && !rules.some((rule) => rule.side === side);
  const silent = (['legacy', 'new'] as const).find(isSilent);
  const logs = rules.some((rule) => rule.side === 'new' && rule.verdict === 'log');
  const all: readonly (Finding | false)[] = [
    classes.hidden > 0 && {
      code: 'LEGACY_WAF_HIDDEN',
      severity: 'decision',
      subject: counted(classes.hidden, 'request'),
      message:
        'a rule of the new WAF ended these requests before the legacy WAF saw them: what it would have done is unknown',
      remedy: 'let the new rules log: cf-waf-migrate start-validation --zone <id> --log-only',
    },
    sampled > 0 && {
      code: 'EVENTS_SAMPLED',
      severity: 'decision',
      subject: counted(sampled, 'event'),
      message:
        'the data is sampled: events are missing, so requests with events of only one WAF are undecidable',
      remedy: 'use the log export, which is not sampled, or a shorter --since',
    },
    silent !== undefined && {
      code: `NO_${silent.toUpperCase()}_EVENTS`,
      severity: 'decision',
      subject: `${silent} WAF`,
      message: `there is no event of the ${silent} WAF: nothing is compared`,
      remedy: 'use events from the time of validation mode, when both WAFs were on',
    },
    !hasConfig &&
      (logs || classes.laxer > 0) && {
        code: 'LOG_TAKEN_AS_LOG',
        severity: 'info',
        subject: 'new WAF',
        message: 'a log of a new rule counts as a log',
        remedy:
          'pass --config with the configuration to validate, if the new rules only log during validation',
      },
  ];
  return all.filter((finding) => finding !== false);
}

/** The configuration overrides a tag that cannot be resolved. */
export const tagUnresolved = (tag: string): Finding => ({
  code: 'TAG_UNRESOLVED',
  severity: 'decision',
  subject: tag,
  message: 'the configuration overrides this tag, and it is unknown which rules have it',
  remedy: 'pass --zone: its managed rulesets list the tags of each rule',
});
