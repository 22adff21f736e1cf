import { commands } from '../../src/cli/commands';
import { createProgram } from '../../src/cli/run';
import { type Command } from 'commander';

/** The commands below `Next:` at the end of a text. */
export function nextCommands(stdout: string): string[] {
  const [, lines = ''] = /\nNext(?:, [^\n]+)?:\n([^]*)$/.exec(stdout) ?? [];
  return lines.match(/(?<=^ {2})cf-waf-migrate .*$/gm) ?? [];
}

/** Parses a command line with the parser of the program, without running it. */
export async function expectAccepted(line: string): Promise<void> {
  const words = (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));
  // a global flag, which the program removes before it parses
  const [, name = '', ...args] = words.filter((word) => word !== '--yes');
  // walks run without Jest
  if (!Object.values(commands).some((group) => name in group))
    throw new Error(`the next command does not exist: ${line}`);
  const program = await createProgram('', name, { writeErr: () => undefined }, () =>
    Promise.resolve(),
  );
  withoutActions(program);
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  try {
    program.parse([name, ...args.slice(0, end)], { from: 'user' });
  } catch (error) {
    throw new Error(`the next command is refused: ${line}`, { cause: error });
  }
}

function withoutActions(command: Command): void {
  if (command.commands.length === 0) command.action(() => undefined);
  command.commands.forEach(withoutActions);
}
