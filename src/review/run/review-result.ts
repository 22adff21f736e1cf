import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { MigrationError } from '../../core/migration-error';
import { parseJson } from '../../core/parse-json';
import { printable } from '../../core/printable';
import { buildReview } from '../build-review';
import { comparisonFindings } from '../findings';
import { type ResultRow, resultRowSchema } from '../result-row';
import { type Review } from '../review';
import { type ReviewKnowledge } from './review-knowledge';

/**
 * Makes the review from the result table of a printed query: CSV with a header, or JSON lines.
 * @throws MigrationError `FILE_UNREADABLE`, `REVIEW_RESULT_INVALID`
 */
export async function reviewResult(path: string, knowledge: ReviewKnowledge): Promise<Review> {
  const rows = await readRows(path);
  const comparison = buildReview(rows, knowledge.nameOf);
  // what a log counts as is part of the printed query
  const findings = [...knowledge.findings, ...comparisonFindings(comparison, { intended: true })];
  return { ...comparison, findings };
}

async function readRows(path: string): Promise<ResultRow[]> {
  const about = printable(path, 200);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${about}`, { cause });
  });
  const rows = parseRows(text, about).map((row) => {
    const parsed = resultRowSchema.safeParse(row);
    if (parsed.success) return parsed.data;
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new MigrationError(
      'REVIEW_RESULT_INVALID',
      `${about}: a row has a bad value in ${place}`,
    );
  });
  if (rows.some(({ section }) => section === 'event')) return rows;
  throw new MigrationError('REVIEW_RESULT_INVALID', `${about} has no rows`);
}

function parseRows(text: string, about: string): unknown[] {
  if (text.startsWith('{')) return text.trim().split('\n').map(parseJson);
  try {
    return parse(text, { bom: true, columns: true });
  } catch (cause) {
    const message = `${about} is neither CSV nor JSON lines`;
    throw new MigrationError('REVIEW_RESULT_INVALID', message, { cause });
  }
}
