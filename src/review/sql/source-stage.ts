import { EVENT_COLUMNS, type EventColumn } from '../event-columns';
import { type Dialect } from './dialect';

const names: Readonly<Record<EventColumn, string>> = {
  RayID: 'ray',
  Source: 'source_word',
  Action: 'action_word',
  RuleID: 'rule_id',
  ClientIP: 'client',
  ClientRequestHost: 'host',
  ClientRequestMethod: 'method',
  ClientRequestPath: 'path',
  ClientRequestQuery: 'query_string',
  Datetime: 'seen',
  SampleInterval: 'sample_interval',
};

/** The columns of an event table under the names of the query, null where the table lacks one. */
export function sourceStage(
  { asText, quoteName }: Dialect,
  table: string,
  present: readonly EventColumn[],
): string {
  const columns = EVENT_COLUMNS.map((column) => {
    const value = asText(present.includes(column) ? quoteName(column) : 'NULL');
    return `${value} AS ${names[column]}`;
  });
  return `SELECT ${columns.join(', ')}\nFROM ${table}`;
}
