import * as z from 'zod';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { EVENT_COLUMNS, type EventColumn, type EventText } from '../query/events';

/** The names of a field in the log export and, by the version of the schema, in GraphQL. */
const names: Readonly<Record<EventColumn, readonly string[]>> = {
  RayID: ['RayID', 'rayName'],
  Source: ['Source', 'source'],
  Action: ['Action', 'action'],
  RuleID: ['RuleID', 'ruleId'],
  ClientIP: ['ClientIP', 'clientIP'],
  ClientRequestHost: ['ClientRequestHost', 'clientRequestHTTPHost', 'clientRequestHost'],
  ClientRequestMethod: [
    'ClientRequestMethod',
    'clientRequestHTTPMethodName',
    'clientRequestHTTPMethod',
    'clientRequestMethod',
  ],
  ClientRequestPath: ['ClientRequestPath', 'clientRequestPath'],
  ClientRequestQuery: ['ClientRequestQuery', 'clientRequestQuery'],
  Datetime: ['Datetime', 'datetime'],
  SampleInterval: ['SampleInterval', 'sampleInterval'],
};

const eventSchema = z.record(z.string(), z.unknown());
const answerSchema = z.object({
  data: z
    .object({
      viewer: z.object({
        zones: z.array(z.looseObject({ firewallEventsAdaptive: z.array(eventSchema) })),
      }),
    })
    .nullish(),
  errors: z.array(z.object({ message: z.string() })).nullish(),
});

/**
 * The events of one JSON document: an answer of the GraphQL interface (`firewallEventsAdaptive`), an
 * array of such answers, or an array of events.
 * @param about names the document in messages
 * @throws MigrationError `EVENTS_INVALID`
 */
export function parseEventDocument(document: unknown, about: string): EventText[] {
  const parts: unknown[] = Array.isArray(document) ? document : [document];
  return parts.flatMap((part) => {
    const answer = answerSchema.safeParse(part);
    const isAnswer =
      typeof part === 'object' && part !== null && ('data' in part || 'errors' in part);
    if (!isAnswer) {
      const event = eventSchema.safeParse(part);
      if (event.success && isEvent(event.data)) return [eventText(event.data)];
      throw new MigrationError('EVENTS_INVALID', `${about} holds no security events`);
    }
    if (!answer.success) {
      throw new MigrationError('EVENTS_INVALID', `${about} has no firewallEventsAdaptive`);
    }
    const { data, errors } = answer.data;
    if (data === undefined || data === null || (errors?.length ?? 0) > 0) {
      const [refusal] = errors ?? [];
      const problem =
        refusal === undefined
          ? 'is no answer of GraphQL: it has no data.viewer.zones[].firewallEventsAdaptive'
          : `is a refusal of the service: ${printable(refusal.message, 200)}`;
      throw new MigrationError('EVENTS_INVALID', `${about} ${problem}`);
    }
    return data.viewer.zones.flatMap((zone) => zone.firewallEventsAdaptive.map(eventText));
  });
}

function isEvent(event: Readonly<Record<string, unknown>>): boolean {
  return EVENT_COLUMNS.some((column) => names[column].some((name) => name in event));
}

/** An event of either interface with the names of the export. */
export function eventText(event: Readonly<Record<string, unknown>>): EventText {
  const valueOf = (column: EventColumn): string | null => {
    const value = names[column]
      .map((name) => event[name])
      .find((one) => one !== undefined && one !== null);
    if (value === undefined) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return Object.fromEntries(EVENT_COLUMNS.map((column) => [column, valueOf(column)]));
}

/** Events as lines that the engine reads. */
export function renderEventLines(events: readonly EventText[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
