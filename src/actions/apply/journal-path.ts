/** Where the journal of a plan is, by its digest, relative to the folder of the plan. */
export function journalPath(digest: string): string {
  return `cf-waf-migrate-backup/${digest.slice(0, 12)}.journal.jsonl`;
}

/** The copy of the plan that lies beside its journal. */
export function planCopyPath(journal: string): string {
  return journal.replace(/\.journal\.jsonl$/, '') + '.plan.json';
}
