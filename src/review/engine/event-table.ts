import { EVENT_COLUMNS } from '../event-columns';
import { type EventFile } from '../read/event-input';
import { standardText } from '../sql/dialect';

/** The longest line that is read; the engine reserves memory for it. */
export const LONGEST_LINE_MEBIBYTES = 16;

/**
 * All files as one table of text columns, as written in a FROM clause.
 * @param zoneName only events of this host and of its subdomains
 */
export function eventTable(files: readonly EventFile[], zoneName?: string): string {
  const parts = files.filter(({ format }) => format === 'parquet').map(parquetOf);
  for (const compression of ['uncompressed', 'gzip'] as const) {
    const own = files.filter((one) => one.format === 'lines' && one.compression === compression);
    if (own.length > 0) parts.push(linesOf(own, compression));
  }
  const all = `(${parts.map((part) => `SELECT * FROM ${part}`).join(' UNION ALL ')})`;
  return zoneName === undefined ? all : `(SELECT * FROM ${all} WHERE ${ofZone(zoneName)})`;
}

/** Whether an event is of a zone; one without a host may be. */
function ofZone(zoneName: string): string {
  const host = zoneName.toLowerCase().replace(/\.$/, '');
  const [name, below] = [standardText(host), standardText(`.${host}`)];
  return `(ClientRequestHost IS NULL OR lower(ClientRequestHost) = ${name} OR ends_with(lower(ClientRequestHost), ${below}))`;
}

function linesOf(files: readonly EventFile[], compression: EventFile['compression']): string {
  const paths = files.map(({ path }) => standardText(path)).join(', ');
  const columns = EVENT_COLUMNS.map((column) => `${column}: 'VARCHAR'`).join(', ');
  // a line with an error becomes a row without any field, which is counted
  return `read_json([${paths}], format = 'newline_delimited', columns = {${columns}}, compression = '${compression}', ignore_errors = true, maximum_object_size = ${LONGEST_LINE_MEBIBYTES * 2 ** 20})`;
}

/** The columns of a Parquet file as text, whatever their case and type; a column that it lacks is null. */
function parquetOf({ path }: EventFile): string {
  const none = EVENT_COLUMNS.map((column) => `CAST(NULL AS VARCHAR) AS ${column}`).join(', ');
  return `(SELECT ${EVENT_COLUMNS.join(', ')} FROM (SELECT ${none} WHERE false
    UNION ALL BY NAME SELECT * FROM read_parquet(${standardText(path)}, binary_as_string = true)))`;
}
