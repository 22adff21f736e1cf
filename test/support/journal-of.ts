/** Where the journal of a plan is, in the folder of the plan. */
export const journalOf = ({ digest }: { readonly digest: string }): string =>
  `cf-waf-migrate-backup/${digest.slice(0, 12)}.journal.jsonl`;
