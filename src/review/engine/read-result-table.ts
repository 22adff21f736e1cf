import { MigrationError } from '../../model/migration-error';
import { type StagedTable } from '../read/stage-table';
import { type ResultRow, resultRowSchema } from '../result-row';
import { RESULT_COLUMNS } from '../sql/answer-stage';
import { standardText } from '../sql/dialect';
import { type Engine } from './engine';

/**
 * The rows of a result table.
 * @param about names the table in messages
 * @throws MigrationError `REVIEW_RESULT_INVALID`
 */
export async function readResultTable(
  engine: Engine,
  table: StagedTable,
  about: string,
): Promise<ResultRow[]> {
  const rows = await engine
    .rows(`SELECT ${RESULT_COLUMNS.join(', ')} FROM ${sourceOf(table)}`)
    .catch((cause: unknown) => {
      throw new MigrationError(
        'REVIEW_RESULT_INVALID',
        `${about} has not the columns of a result`,
        {
          cause,
        },
      );
    });
  return rows.map((row) => {
    const parsed = resultRowSchema.safeParse(row);
    if (parsed.success) return parsed.data;
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new MigrationError(
      'REVIEW_RESULT_INVALID',
      `${about}: a row has a bad value in ${place}`,
    );
  });
}

function sourceOf({ path, format, compression }: StagedTable): string {
  const file = standardText(path);
  if (format === 'parquet') return `read_parquet(${file})`;
  if (format === 'lines') {
    const columns = RESULT_COLUMNS.map((column) => `${column}: 'VARCHAR'`).join(', ');
    return `read_json(${file}, format = 'newline_delimited', columns = {${columns}}, compression = '${compression}')`;
  }
  return `read_csv(${file}, header = true, all_varchar = true, delim = ',', quote = '"', escape = '"', compression = '${compression}')`;
}
