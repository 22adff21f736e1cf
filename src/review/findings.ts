import { counted, printable } from '../core/printable';
import { type Finding } from '../core/finding';
import { type Comparison } from './comparison';
import { type Intake } from './read/event-files';

/** What a reader must know of the data before the numbers. */
export function intakeFindings(intake: Intake): Finding[] {
  const { unreadable, events, withoutRay, unknownActions, unknownTimes } = intake;
  const found: Finding[] = [];
  const add = (...given: Parameters<typeof findingOf>): void => {
    found.push(findingOf(...given));
  };
  if (unreadable > 0) {
    add(
      'UNREADABLE_LINES',
      'decision',
      counted(unreadable, 'line'),
      `${counted(unreadable, 'line')} of ${unreadable + events} are not events and are not counted`,
      'list these lines, for example with `jq -c .`, and check the export',
    );
  }
  for (const name of intake.cut) {
    add(
      'FILE_CUT',
      'decision',
      printable(name, 200),
      'the file is cut off or damaged: what could be read of it is counted',
      'fetch the file again',
    );
  }
  if (withoutRay > 0) {
    add(
      'EVENTS_WITHOUT_RAY',
      'decision',
      'RayID',
      `${counted(withoutRay, 'event')} without a Ray ID belong to no request and are left out`,
      'add the field RayID to the log job',
    );
  }
  if (unknownActions > 0) {
    add(
      'ACTION_UNKNOWN',
      'decision',
      'Action',
      `${counted(unknownActions, 'event')} have an action that is not known: they count as no verdict`,
      'report the words that the export uses',
    );
  }
  if (intake.domains.length > 1) {
    add(
      'SEVERAL_DOMAINS',
      'decision',
      'ClientRequestHost',
      `the events are of several domains: ${intake.domains.map((name) => printable(name, 60)).join(', ')}`,
      'pass --zone-name, if they are of several zones',
    );
  }
  for (const name of intake.missing) {
    add(
      'FIELD_MISSING',
      name === 'RuleID' ? 'decision' : 'info',
      name,
      'no event of either WAF has this field: what depends on it is empty',
      `add the field ${name} to the log job`,
    );
  }
  if (unknownTimes > 0) {
    add(
      'TIMES_UNKNOWN',
      'info',
      'Datetime',
      `${counted(unknownTimes, 'event')} have a time that is not understood: they are missing from the time line`,
      'set the timestamp format of the log job to RFC 3339 or Unix time',
    );
  }
  return found;
}

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

/** A finding, its parts in the order in which they are read. */
const findingOf = (
  code: string,
  severity: Finding['severity'],
  subject: string,
  message: string,
  remedy: string,
): Finding => ({ code, severity, subject, message, remedy });
