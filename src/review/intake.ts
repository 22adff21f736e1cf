import { type Finding } from '../core/finding';
import { compareTexts } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { counted, printable } from '../core/printable';
import { countEvents } from './comparison';
import { type ResultRow } from './query/result-row';

/** What the answers are based on. */
export interface Intake {
  readonly files: number;
  /** Events of either WAF and of other products. */
  readonly events: number;
  /** Lines that are no event: no JSON, or none of the fields. */
  readonly unreadable: number;
  readonly withoutRay: number;
  readonly unknownActions: number;
  /** The last two labels of hosts of requests that differ; the first five by name. */
  readonly domains: readonly string[];
}

/**
 * Counts the events of files.
 * @throws MigrationError `EVENTS_INVALID` without the fields that every number depends on
 */
export function takeIn(rows: readonly ResultRow[], files: number): Intake {
  const events = countEvents(rows, 'event');
  const unreadable = countEvents(rows, 'unreadable');
  const withoutRay = countEvents(rows, 'without-ray');
  const unknownActions = countEvents(rows, 'unknown-action');
  const refuse = (message: string, field?: string): never => {
    const hint = field === undefined ? {} : { hint: `add the field ${field} to the log job` };
    throw new MigrationError('EVENTS_INVALID', message, hint);
  };
  if (events === 0) refuse(`there is no event in ${counted(unreadable, 'line')}`);
  if (withoutRay === events) refuse(`none of ${events} events has a RayID`, 'RayID');
  if (unknownActions === events) {
    refuse(`none of ${events} events has an Action that is known`, 'Action');
  }
  const rules = rows.filter(({ section }) => section === 'rule');
  if (rules.length > 0 && rules.every(({ rule_id: id }) => id === '')) {
    refuse('no event of a rule that acted has a RuleID', 'RuleID');
  }
  const domains = rows.flatMap(({ section, host }) =>
    section === 'path' ? (/[^.]+(?:\.[^.]+)?$/.exec(host.toLowerCase())?.[0] ?? []) : [],
  );
  return {
    ...{ files, events, unreadable, withoutRay, unknownActions },
    domains: [...new Set(domains)].sort(compareTexts).slice(0, 5),
  };
}

/** Findings about the events. */
export function intakeFindings(intake: Intake): Finding[] {
  const { unreadable, events, withoutRay, unknownActions, domains } = intake;
  const all: readonly (Finding | false)[] = [
    unreadable > 0 && {
      code: 'UNREADABLE_LINES',
      severity: 'decision',
      subject: counted(unreadable, 'line'),
      message: `${counted(unreadable, 'line')} of ${unreadable + events} without an event: not counted`,
      remedy: 'list these lines, for example with `jq -c .`, and check the export',
    },
    withoutRay > 0 && {
      code: 'EVENTS_WITHOUT_RAY',
      severity: 'decision',
      subject: 'RayID',
      message: `${counted(withoutRay, 'event')} without a Ray ID: not counted, because the Ray ID joins the events of a request`,
      remedy: 'add the field RayID to the log job',
    },
    unknownActions > 0 && {
      code: 'ACTION_UNKNOWN',
      severity: 'decision',
      subject: 'Action',
      message: `${counted(unknownActions, 'event')} with an unknown action: not counted as log, challenge or block`,
      remedy: 'report the unknown action names of your export as an issue',
    },
    domains.length > 1 && {
      code: 'SEVERAL_DOMAINS',
      severity: 'decision',
      subject: 'ClientRequestHost',
      message: `the events are of several domains: ${domains.map((name) => printable(name, 60)).join(', ')}`,
      remedy: 'pass the events of one zone, unless all of these hosts are in the same zone',
    },
  ];
  return all.filter((finding) => finding !== false);
}
