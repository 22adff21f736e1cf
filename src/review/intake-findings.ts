import { counted } from '../model/counted';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { findingOf } from './finding-of';
import { type Intake } from './read/event-input';

/** What a reader must know of the data before the numbers. */
export function intakeFindings(intake: Intake): Finding[] {
  const { unreadable, firstUnreadable, events, withoutRay, unknownActions, otherZone } = intake;
  const found: Finding[] = [];
  const add = (...given: Parameters<typeof findingOf>): void => {
    found.push(findingOf(...given));
  };
  if (unreadable > 0) {
    const shown = firstUnreadable.map(
      ({ file, text }) => `${printable(file, 60)}: ${printable(text, 60)}`,
    );
    add(
      'UNREADABLE_LINES',
      'decision',
      counted(unreadable, 'line'),
      `${counted(unreadable, 'line')} of ${unreadable + events} are no event and not counted${shown.length === 0 ? '' : `; the first: ${shown.join('; ')}`}`,
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
  if (otherZone > 0) {
    add(
      'EVENTS_OF_ANOTHER_ZONE',
      'info',
      'ClientRequestHost',
      `${counted(otherZone, 'event')} of other hosts are left out`,
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
          findingOf(
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
          findingOf(
            'TIMES_UNKNOWN',
            'info',
            'Datetime',
            `${counted(unknown, 'event')} have a time that is not understood: they are missing from the time line`,
            'let the job write RFC 3339 or unix time',
          ),
        ]
      : []),
  ];
}
