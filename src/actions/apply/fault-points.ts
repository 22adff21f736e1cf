/**
 * Every moment at which a killed run could leave something behind: before and after each write.
 * The tests kill the tool at each of them, and fail when one is never reached.
 */
export const faultPoints = [
  'journal-begun',
  'backup-before',
  'backup-after',
  'edit-before',
  'edit-backed-up',
  'edit-after',
  'remove-before',
  'remove-after',
  'import-before',
  'import-after',
  'upgrade-provider-before',
  'upgrade-provider-after',
  'apply-blocks-before',
  'apply-blocks-after',
  'apply-refresh-before',
  'apply-refresh-after',
  'check-before',
  'check-after',
] as const;

/** A name of {@link faultPoints}. */
export type FaultPoint = (typeof faultPoints)[number];
