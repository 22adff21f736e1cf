import { type Command as Commander } from 'commander';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type CliCommand } from '../command';
import { describeProgram } from '../completion/describe-program';
import { renderBash } from '../completion/render-bash';
import { renderFish } from '../completion/render-fish';

const shells = ['bash', 'zsh', 'fish'];

/** `completion`: what a shell loads to complete commands, flags and values. */
export const completionCommand = (program: Commander): CliCommand<object> => ({
  example: 'completion bash',
  operand: 'shell',
  define: (command) => command,
  run: (_, __, shell) => {
    if (!shells.includes(shell)) {
      const known = `one of ${shells.join(', ')}`;
      throw new MigrationError('USAGE', `"${printable(shell, 40)}" is no shell that is known`, {
        hint: `pass ${known}`,
      });
    }
    const commands = describeProgram(program);
    const document = shell === 'fish' ? renderFish(commands) : renderBash(commands);
    return { json: { shell, script: document }, text: '', document, exitCode: 0 };
  },
});
