import { withTemporaryFolder } from '../../terraform/temporary-folder';

/**
 * Runs something with a folder of its own, for this user alone, which is gone afterwards.
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export function withReviewFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  return withTemporaryFolder('cf-waf-migrate-review-', {}, use);
}
