import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { type Comparison } from './build-review';
import { type Intake } from './read/event-input';

type Severity = Finding['severity'];

const finding = (
  code: string,
  severity: Severity,
  subject: string,
  message: string,
  remedy: string,
): Finding => ({ code, severity, subject, message, remedy });

const one = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What a reader must know of the data before the numbers. */
export function intakeFindings(intake: Intake): Finding[] {
  const { unreadable, firstUnreadable, events, withoutRay, unknownActions, otherZone } = intake;
  const found: Finding[] = [];
  const add = (...given: Parameters<typeof finding>): void => {
    found.push(finding(...given));
  };
  if (unreadable > 0) {
    const shown = firstUnreadable.map(
      ({ file, text }) => `${printable(file, 60)}: ${printable(text, 60)}`,
    );
    add(
      'UNREADABLE_LINES',
      'decision',
      one(unreadable, 'line'),
      `${one(unreadable, 'line')} of ${unreadable + events} are no event and not counted${shown.length === 0 ? '' : `; the first: ${shown.join('; ')}`}`,
      'look at these lines: what they hold is missing from the numbers',
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
  for (const name of intake.empty) {
    add(
      'FILE_EMPTY',
      'info',
      printable(name, 200),
      'the file is empty',
      'check whether the export wrote it to its end',
    );
  }
  if (withoutRay > 0) {
    add(
      'EVENTS_WITHOUT_RAY',
      'decision',
      'RayID',
      `${one(withoutRay, 'event')} without a Ray ID belong to no request and are left out`,
      'add the field RayID to the log job',
    );
  }
  if (unknownActions > 0) {
    add(
      'ACTION_UNKNOWN',
      'decision',
      'Action',
      `${one(unknownActions, 'event')} have an action that is not known: they count as no verdict`,
      'report the words that the export uses',
    );
  }
  if (otherZone > 0) {
    add(
      'EVENTS_OF_ANOTHER_ZONE',
      'info',
      'ClientRequestHost',
      `${one(otherZone, 'event')} of other hosts are left out`,
      'check --zone-name, if there should be none',
    );
  } else if (intake.domains.length > 1) {
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
  return [...found, ...timeFindings(intake)];
}

function timeFindings({ times }: Intake): Finding[] {
  const formats = Object.keys(times).filter((name) => name !== 'missing' && name !== 'unknown');
  const unknown = times['unknown'] ?? 0;
  return [
    ...(formats.length > 1
      ? [
          finding(
            'TIMES_MIXED',
            'info',
            'Datetime',
            `times are written in several ways (${formats.map((name) => `${name}: ${times[name] ?? 0}`).join(', ')}): each is understood`,
            'check that the files come from the job that you mean',
          ),
        ]
      : []),
    ...(unknown > 0
      ? [
          finding(
            'TIMES_UNKNOWN',
            'info',
            'Datetime',
            `${one(unknown, 'event')} have a time that is not understood: they are missing from the time line`,
            'let the job write RFC 3339 or unix time',
          ),
        ]
      : []),
  ];
}

/** What a reader must know of the comparison. */
export function comparisonFindings(
  comparison: Comparison,
  given: { readonly intended: boolean },
): Finding[] {
  const { classes, sampled, scores } = comparison;
  const bothSides = classes['both-act'] + classes['both-log'] + classes.stricter + classes.laxer;
  const old = bothSides + classes['only-old'];
  const fresh = bothSides + classes['only-new'] + classes.hidden;
  const found: Finding[] = [];
  if (classes.hidden > 0) {
    found.push(
      finding(
        'OLD_WAF_HIDDEN',
        'decision',
        one(classes.hidden, 'request'),
        'a rule of the new WAF ended these requests before the old WAF saw them: what it would have done cannot be known',
        'let the new rules log: cf-waf-migrate start-validation --zone <id> --log-only',
      ),
    );
  }
  if (classes['cut-short'] > 0) {
    found.push(
      finding(
        'CUT_SHORT',
        'info',
        one(classes['cut-short'], 'request'),
        'another rule ended these requests after the new WAF and before the old one',
        'leave them out of account',
      ),
    );
  }
  if (sampled > 0) {
    found.push(
      finding(
        'EVENTS_SAMPLED',
        'decision',
        one(sampled, 'event'),
        'the data is sampled: events are missing, so that the absence of one side says nothing; such requests are undecidable',
        'use the log export, which is not sampled, or a shorter span of time',
      ),
    );
  }
  if (old === 0 || fresh === 0) {
    const side = old === 0 ? 'old' : 'new';
    found.push(
      finding(
        `NO_${side.toUpperCase()}_EVENTS`,
        'decision',
        `${side} WAF`,
        `there is no event of the ${side} WAF: nothing is compared`,
        'take events from the time of validation mode, when both WAFs were on',
      ),
    );
  }
  const logs = comparison.rules.some(({ side, verdict }) => side === 'new' && verdict === 'log');
  if (!given.intended && (logs || classes.laxer > 0)) {
    found.push(
      finding(
        'LOG_TAKEN_AS_LOG',
        'info',
        'new WAF',
        'a log of a new rule counts as a log',
        'pass --config with the configuration that is meant, if the new rules only log during validation',
      ),
    );
  }
  if (scores.onlyOld + scores.onlyNew > 0) {
    found.push(
      finding(
        'SCORES_DIFFER',
        'info',
        'OWASP',
        `the old score alone was exceeded in ${one(scores.onlyOld, 'request')}, the new one alone in ${one(scores.onlyNew, 'request')}`,
        'adjust the threshold of the score rule, or the paranoia levels',
      ),
    );
  }
  return found;
}
