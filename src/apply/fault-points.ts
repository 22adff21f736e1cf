/**
 * Every moment at which a killed run could leave something behind: after each write, and before the first write of a
 * step. A test requires a fault point after each write in the code. Other tests kill the tool at each point.
 */
export const faultPoints = [
  'plan-copied',
  'journal-begun',
  'step-started',
  'step-done',
  'run-ended',
  'backup-before',
  'backup-written',
  'backup-after',
  'edit-before',
  'edit-copied',
  'edit-backed-up',
  'edit-renamed',
  'edit-after',
  'remove-before',
  'remove-after',
  'import-before',
  'import-after',
  'upgrade-provider-before',
  'upgrade-provider-after',
  'apply-blocks-before',
  'apply-blocks-noted',
  'apply-blocks-after',
  'check-before',
  'check-after',
  'rollback-saved',
  'rollback-file',
  'rollback-files',
  'rollback-before',
  'rollback-written',
  'rollback-pushed',
  'rollback-after',
  'rollback-created',
  'rollback-noted',
] as const;

/** A name of {@link faultPoints}. */
export type FaultPoint = (typeof faultPoints)[number];
