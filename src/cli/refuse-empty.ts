import { type Command } from 'commander';
import { MigrationError } from '../model/migration-error';

/** What the value of a flag is, where an empty one would mean the working folder. */
const OF_PLACE = /<(?:file|dir|path)(?:\.\.\.)?>$/;

/**
 * Refuses what names a file or a folder and is empty, as from a variable of a script that is not set.
 * @throws MigrationError `USAGE`
 */
export function refuseEmpty(command: Command, operand: string | undefined): void {
  const values = command.opts<Record<string, unknown>>();
  const flag = command.options.find(
    (option) => OF_PLACE.test(option.flags) && [values[option.attributeName()]].flat().includes(''),
  );
  const isOperand = operand !== undefined && command.args[0] === '';
  const name = flag?.long ?? (isOperand ? `<${operand}>` : undefined);
  if (name === undefined) return;
  throw new MigrationError('USAGE', `${name} is empty`, {
    hint: 'is it from a variable that is not set? Leave the flag out, or give it a value',
  });
}
