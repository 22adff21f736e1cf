/**
 * The fields of a security event that the comparison stands on, named as in the service's log export
 * (`firewall_events`), and `SampleInterval`, which only the sampled GraphQL interface has.
 */
export const EVENT_COLUMNS = [
  'RayID',
  'Source',
  'Action',
  'RuleID',
  'ClientIP',
  'ClientRequestHost',
  'ClientRequestMethod',
  'ClientRequestPath',
  'ClientRequestQuery',
  'Datetime',
  'SampleInterval',
] as const;

/** A column of {@link EVENT_COLUMNS}. */
export type EventColumn = (typeof EVENT_COLUMNS)[number];

/** One event with every column as text; missing is null. */
export type EventText = Readonly<Record<EventColumn, string | null>>;
