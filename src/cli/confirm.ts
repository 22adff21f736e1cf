import { MigrationError } from '../model/migration-error';
import { type CliContext } from './context';

/**
 * Asks a person whether to go on. `--yes` is an answer; without it and without a terminal the
 * answer is no.
 * @throws MigrationError `DECLINED`
 */
export async function confirm(
  question: string,
  { yes = false }: { readonly yes?: boolean },
  { ask }: CliContext,
): Promise<void> {
  if (yes) return;
  if (ask === null) {
    throw new MigrationError('DECLINED', 'there is no terminal to ask on, and --yes was not given');
  }
  const answer = (await ask(`${question} [y/N] `)).trim().toLowerCase();
  if (answer !== 'y' && answer !== 'yes') throw new MigrationError('DECLINED', 'nothing was done');
}
