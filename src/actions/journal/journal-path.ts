import { BACKUP_FOLDER } from '../../plan/backup-file';

/** Where the journal of a plan is, by its digest, relative to the folder of the plan. */
export function journalPath(digest: string): string {
  return `${BACKUP_FOLDER}/${digest.slice(0, 12)}.journal.jsonl`;
}

/** Where the copy of a file is, by the sha256 of its bytes, relative to the folder of the plan. */
export function fileCopyPath(digest: string): string {
  return `${BACKUP_FOLDER}/files/${digest}`;
}

/** The copy of the plan that lies beside its journal. */
export function planCopyPath(journal: string): string {
  return journal.replace(/\.journal\.jsonl$/, '') + '.plan.json';
}
