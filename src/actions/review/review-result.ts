import { realpath } from 'node:fs/promises';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { buildReview } from '../../review/build-review';
import { openDuckDb } from '../../review/engine/open-duckdb';
import { readResultTable } from '../../review/engine/read-result-table';
import { stageTable } from '../../review/read/stage-table';
import { type Review } from '../../review/review';
import { comparisonFindings } from '../../review/comparison-findings';
import { type ReviewKnowledge } from './review-knowledge';
import { withReviewFolder } from './with-review-folder';

/**
 * Goes on from the result table of the query that was printed for another engine: CSV with a header,
 * JSON lines, or Parquet.
 * @throws MigrationError `FILE_UNREADABLE`, `REVIEW_RESULT_INVALID`, `REVIEW_ENGINE_MISSING`
 */
export async function reviewResult(path: string, knowledge: ReviewKnowledge): Promise<Review> {
  return withReviewFolder(async (made) => {
    const folder = await realpath(made);
    const staged = await stageTable(path, folder);
    const engine = await openDuckDb({ folder, files: [staged.target] });
    try {
      const rows = await readResultTable(engine, staged, printable(path, 200));
      if (!rows.some(({ section }) => section === 'event')) {
        throw new MigrationError('REVIEW_RESULT_INVALID', `${printable(path, 200)} has no rows`);
      }
      const comparison = buildReview(rows, knowledge.nameOf);
      const findings = [
        ...knowledge.findings,
        // what a log counts as was said to the query that was printed
        ...comparisonFindings(comparison, { intended: true }),
      ];
      return { ...comparison, findings };
    } finally {
      engine.close();
    }
  });
}
