import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { EVENT_COLUMNS, type EventColumn } from '../event-columns';
import { type EventFile } from '../read/event-input';
import { standardText } from '../sql/dialect';
import { duckdb } from '../sql/dialects/duckdb';
import { type Engine } from './engine';

/** The longest line that is read; the engine sets memory aside by it. */
export const LONGEST_LINE_MEBIBYTES = 16;
const LONGEST_LINE = LONGEST_LINE_MEBIBYTES * 2 ** 20;

/**
 * All files as one table of text columns, as it stands in a FROM clause.
 * @param zoneName only events of this host and of those below it
 * @throws MigrationError `EVENTS_INVALID` for a Parquet file that cannot be compared
 */
export async function eventTable(
  engine: Engine,
  files: readonly EventFile[],
  zoneName?: string,
): Promise<string> {
  const parts: string[] = [];
  for (const compression of ['uncompressed', 'gzip', 'zstd'] as const) {
    const own = files.filter((one) => one.format === 'lines' && one.compression === compression);
    if (own.length > 0) parts.push(linesOf(own, compression));
  }
  for (const file of files.filter(({ format }) => format === 'parquet')) {
    parts.push(await parquetOf(engine, file));
  }
  const all =
    parts.length === 1 ? (parts[0] ?? '') : `(${parts.map(selectAll).join(' UNION ALL ')})`;
  return zoneName === undefined ? all : `(SELECT * FROM ${all} WHERE ${ofZone(zoneName)})`;
}

const selectAll = (part: string): string => `SELECT * FROM ${part}`;

/** Whether an event is of a zone; one without a host is not known to be of another. */
export function ofZone(zoneName: string): string {
  const host = zoneName.toLowerCase().replace(/\.$/, '');
  const [name, below] = [standardText(host), standardText(`.${host}`)];
  return `(ClientRequestHost IS NULL OR lower(ClientRequestHost) = ${name} OR ends_with(lower(ClientRequestHost), ${below}))`;
}

const list = (files: readonly EventFile[]): string =>
  `[${files.map(({ path }) => standardText(path)).join(', ')}]`;

function linesOf(files: readonly EventFile[], compression: EventFile['compression']): string {
  const columns = EVENT_COLUMNS.map((column) => `${column}: 'VARCHAR'`).join(', ');
  // errors are not passed over: such a line gives a row without any field, which is counted
  return `read_json(${list(files)}, format = 'newline_delimited', columns = {${columns}}, compression = '${compression}', ignore_errors = true, maximum_object_size = ${LONGEST_LINE})`;
}

/** Files as rows of one text column, for a look at the lines themselves. */
export function lineTable(
  files: readonly EventFile[],
  compression: EventFile['compression'],
): string {
  return `read_csv(${list(files)}, columns = {'line': 'VARCHAR'}, delim = chr(1), quote = '', escape = '', header = false, auto_detect = false, strict_mode = false, ignore_errors = true, null_padding = true, compression = '${compression}', filename = true, max_line_size = ${LONGEST_LINE}, parallel = false)`;
}

const required: readonly EventColumn[] = ['RayID', 'Source', 'Action'];

/** The columns of a Parquet file as text, whatever their case and type, where they have a text. */
async function parquetOf(engine: Engine, file: EventFile): Promise<string> {
  const table = `read_parquet(${standardText(file.path)}, binary_as_string = true)`;
  const about = printable(file.name, 200);
  const described = await engine.rows(`DESCRIBE SELECT * FROM ${table}`).catch((cause: unknown) => {
    throw new MigrationError('EVENTS_INVALID', `${about} is a damaged Parquet file`, { cause });
  });
  const types = new Map(
    described.map((row) => [String(row['column_name']).toLowerCase(), String(row['column_type'])]),
  );
  const columns = EVENT_COLUMNS.map((column) => {
    const type = types.get(column.toLowerCase());
    if (type === undefined) {
      if (!required.includes(column)) return `CAST(NULL AS VARCHAR) AS ${column}`;
      throw new MigrationError('EVENTS_INVALID', `${about} has no column ${column}`);
    }
    if (/^(?:STRUCT|MAP|UNION|BLOB|LIST)|\[\d*\]$/.test(type)) {
      throw new MigrationError(
        'EVENTS_INVALID',
        `${about}: the column ${column} has the type ${printable(type, 60)}, which is no text, number or time`,
      );
    }
    return `${duckdb.asText(duckdb.quoteName(column))} AS ${column}`;
  });
  return `(SELECT ${columns.join(', ')} FROM ${table})`;
}
