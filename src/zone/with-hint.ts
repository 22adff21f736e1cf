import { MigrationError } from '../core/migration-error';

/** A failure of the service, with what is known of a call that came before it: any other has a hint of its own. */
export function withHint(error: unknown, hint: string): unknown {
  const isOfService = error instanceof MigrationError && error.code.startsWith('API_');
  return isOfService ? error.withHint(hint) : error;
}
