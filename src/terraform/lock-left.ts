import { type MigrationError } from '../model/migration-error';

/**
 * What a person has to know of a run that had no time to give back the lock of the state. Which id that has,
 * Terraform says only to who waits for it.
 * @param args of the run
 * @param place what ran, and where
 * @returns undefined for what takes no lock
 */
export function lockLeft(args: readonly string[], place: string): string | undefined {
  const [command = '', sub] = args;
  if (sub === 'pull' || ['show', 'version', 'workspace', 'init'].includes(command))
    return undefined;
  return `where ${place} held the lock of the state, that may be left: once no Terraform runs there any more, \`terraform force-unlock <id>\` in that folder gives it back, with the id that the next run shows`;
}

/** The error of such a run. */
export function withLockLeft(error: MigrationError, left: string | undefined): MigrationError {
  return left === undefined ? error : error.withHint(`${error.hint}; ${left}`);
}
