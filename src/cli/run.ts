import { type Command, CommanderError } from 'commander';
import { MigrationError } from '../model/migration-error';
import { type CliContext } from './context';
import { createProgram, type Outcome } from './program';
import { renderErrorJson, renderErrorText } from './render-error';

const USAGE = 64;
const exitCodes: Partial<Record<string, number>> = { USAGE, DECLINED: 3 };

/**
 * Runs one command line: the one place that catches.
 * @param args without node and script
 * @returns the exit code: 0 done, 1 failed, 2 differences or decisions remain, 3 declined, 64 usage
 */
export async function run(args: readonly string[], context: CliContext): Promise<number> {
  const outcome: Outcome = {};
  const program = createProgram(context, outcome);
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({ writeOut: context.stdout, writeErr: context.stderr });
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    context.stderr(args.includes('--json') ? renderErrorJson(error) : renderErrorText(error));
    return error instanceof MigrationError ? (exitCodes[error.code] ?? 1) : 1;
  }
  const { result, options } = outcome;
  if (!result) return 0;
  if (result.document !== undefined) context.stdout(result.document);
  else
    context.stdout(
      options?.json ? `${JSON.stringify(result.json, null, 2)}\n` : `${result.text}\n`,
    );
  return result.exitCode;
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
