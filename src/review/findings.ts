import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { counted } from '../core/printable';
import { type Comparison, countEvents } from './comparison';
import { RANKS, type ResultRow } from './query/events';

export interface Intake {
  /** 0 for events of the Cloudflare API. */
  readonly files: number;
  /** Events of either WAF and of other products. */
  readonly events: number;
  /** Lines that are no event: no JSON, or none of the fields. */
  readonly unreadable: number;
  readonly withoutRay: number;
  readonly unknownActions: number;
}

/** Counts the events of files, and refuses those without a field that every number depends on. */
export function countIntake(rows: readonly ResultRow[], files: number): Intake {
  const events = countEvents(rows, 'event');
  const unreadable = countEvents(rows, 'unreadable');
  const withoutRay = countEvents(rows, 'without-ray');
  const unknownActions = countEvents(rows, 'unknown-action');
  const refuse = (message: string, field?: string): never => {
    const hint = field && `add the field ${field} to the Logpush job`;
    throw new MigrationError('EVENTS_INVALID', message, { hint });
  };
  if (events === 0) refuse(`there is no event in ${counted(unreadable, 'line')}`);
  if (withoutRay === events) refuse(`none of ${events} events has a RayID`, 'RayID');
  if (unknownActions === events) {
    refuse(`none of ${events} events has an Action that is known`, 'Action');
  }
  const rules = rows.filter(({ section }) => section === 'active');
  if (rules.length > 0 && rules.every(({ rule_id: id }) => id === '')) {
    refuse('no event of a rule that acted has a RuleID', 'RuleID');
  }
  return { files, events, unreadable, withoutRay, unknownActions };
}

export function intakeFindings(intake: Intake): Finding[] {
  const { unreadable, events, withoutRay, unknownActions } = intake;
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
      remedy: 'add the field RayID to the Logpush job',
    },
    unknownActions > 0 && {
      code: 'ACTION_UNKNOWN',
      severity: 'decision',
      subject: 'Action',
      message: `${counted(unknownActions, 'event')} with an unknown action: not counted as log, challenge or block`,
      remedy: 'report the unknown action names of your export as an issue',
    },
  ];
  return all.filter((finding) => finding !== false);
}

/** Findings of requests that were not compared, or not as configured. */
const NOT_COMPARED = [
  'LEGACY_WAF_HIDDEN',
  'EVENTS_SAMPLED',
  'NO_LEGACY_EVENTS',
  'NO_NEW_EVENTS',
  'LOG_TAKEN_AS_LOG',
];

/** Finds why a review is no base for `finish`. */
export const findNotCompared = (findings: readonly Finding[]): Finding | undefined =>
  findings.find(({ code }) => NOT_COMPARED.includes(code));

/**
 * Findings about the comparison.
 * @param hasConfig whether a log of a new rule counts as what the configuration says
 */
export function comparisonFindings(
  { classes, sampled }: Comparison,
  rows: readonly ResultRow[],
  hasConfig: boolean,
): Finding[] {
  const active = rows.flatMap(({ section, side }) => (section === 'active' ? side : []));
  const silent = [
    { side: 'legacy', code: 'NO_LEGACY_EVENTS' } as const,
    { side: 'new', code: 'NO_NEW_EVENTS' } as const,
  ].find(({ side }) => !active.includes(side));
  const logs = rows.some(
    ({ section, side, verdict }) => section === 'rule' && side === 'new' && verdict === RANKS.log,
  );
  const all: readonly (Finding | false)[] = [
    classes.hidden > 0 && {
      code: 'LEGACY_WAF_HIDDEN',
      severity: 'decision',
      subject: counted(classes.hidden, 'request'),
      message:
        'a rule of the new WAF ended these requests before the legacy WAF saw them: what it would have done is unknown',
      remedy: 'let the new rules log:\ncf-waf-migrate start-validation --zone <id> --log-only',
    },
    sampled > 0 && {
      code: 'EVENTS_SAMPLED',
      severity: 'decision',
      subject: counted(sampled, 'event'),
      message:
        'the data is sampled: events are missing, so requests with events of only one WAF are undecidable',
      remedy: 'review again with events of Logpush, or with a shorter --since',
    },
    silent !== undefined && {
      code: silent.code,
      severity: 'decision',
      subject: `${silent.side} WAF`,
      message: `no rule of the ${silent.side} WAF acted on a request: nothing is compared`,
      remedy: `review more events from the time of validation mode, when both WAFs were on${silent.side === 'legacy' ? '. If the legacy WAF stops nothing in this zone, run `finish`' : ''}`,
    },
    !hasConfig &&
      logs && {
        code: 'LOG_TAKEN_AS_LOG',
        severity: 'decision',
        subject: 'new WAF',
        message: 'without --config, a request that a new rule logs counts as logged',
        remedy:
          'pass --config with the configuration that `finish` will send, if the new rules only log because of --log-only',
      },
  ];
  return all.filter((finding) => finding !== false);
}

export const earlierEvents = (changed: number): Finding => ({
  code: 'EARLIER_EVENTS_NOT_COUNTED',
  severity: 'info',
  subject: new Date(changed).toISOString(),
  message:
    'the new WAF was last changed at this time: events from before are of another configuration',
  remedy: 'if there are few events, review again later',
});

export const tagUnresolved = (tag: string): Finding => ({
  code: 'TAG_UNRESOLVED',
  severity: 'decision',
  subject: tag,
  message: 'the configuration overrides this tag, and it is unknown which rules have it',
  remedy: 'pass --zone: its managed rulesets list the tags of each rule',
});
