import { counted } from '../model/counted';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { findingOf } from './finding-of';
import { type Intake } from './read/event-input';

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
