import { type Command, CommanderError } from 'commander';
import { createColors } from 'picocolors';
import { errorCatalogue, type ErrorCode } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { printableDocument, printableJson } from '../core/printable';
import { type CliContext } from './context';
import { createProgram, type Outcome } from './program';
import { isDumb, lineByLine } from './progress';
import { renderErrorJson, renderErrorText } from './render-error';

/** Everything else that fails exits with 1. An id or URL that cannot be one is a usage error. */
const exitCodes: Partial<Record<ErrorCode, number>> = {
  USAGE: 64,
  ID_INVALID: 64,
  ZONE_ID_INVALID: 64,
  RULESET_ID_INVALID: 64,
  BASE_URL_INVALID: 64,
  DECLINED: 3,
  DECISIONS_OPEN: 2,
};

/** Flags without a value that every command has. */
const EVERYWHERE = new Set(['--json', '--quiet', '--verbose', '--no-color', '--yes']);

/**
 * Runs one command line: the one place that catches.
 * @param args without node and script
 * @returns the exit code: 0 done, 1 failed, 2 differences or decisions remain, 3 declined, 64 usage
 */
export async function run(
  args: readonly string[],
  context: Omit<CliContext, 'passedArguments'>,
): Promise<number> {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = helpAsFlag(commandFirst(args.slice(0, end)));
  const outcome: Outcome = {};
  const passedArguments = args.slice(end + 1);
  // what a document holds must not drive the terminal; the tool's own colours come after that
  const shown = context.terminals.stdout ? printableDocument : (text: string) => text;
  const stdout = (text: string): void => {
    context.stdout(shown(text));
  };
  const stderr = context.terminals.stderr ? lineByLine(context.stderr) : context.stderr;
  const [asked = ''] = own;
  const program = await createProgram(
    { ...context, stdout, stderr, passedArguments },
    outcome,
    asked,
  );
  const json = own.includes('--json');
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: stdout,
      writeErr: json ? () => undefined : context.stderr,
      outputError: () => undefined,
    });
  }
  const { environment } = context;
  const colour = !own.includes('--no-color') && !environment['NO_COLOR'] && !isDumb(environment);
  try {
    await program.parseAsync(wordsFor(program, own), { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const failure = thrown instanceof CommanderError ? usageError(thrown) : thrown;
    const error = withExample(failure, commandPath(program, own));
    if (json) stderr(renderErrorJson(error));
    // without a command the help was printed already: it says more
    else if (own.length > 0)
      stderr(paint(renderErrorText(error), colour && context.terminals.stderr));
    return error instanceof MigrationError ? (exitCodes[error.code] ?? 1) : 1;
  }
  const { result } = outcome;
  if (!result) return 0;
  // a document is what was asked for by name (`--format`, a shell): it goes before `--json`
  if (result.document !== undefined) stdout(result.document);
  else if (json) stdout(`${printableJson(result.json, 2)}\n`);
  else context.stdout(paint(shown(`${result.text}\n`), colour && context.terminals.stdout));
  return result.exitCode;
}

/** What every command takes may stand before it too, as people write it of other tools. */
function commandFirst(words: readonly string[]): readonly string[] {
  const command = words.findIndex((word) => !EVERYWHERE.has(word));
  return command === -1 ? words : [...words.slice(command), ...words.slice(0, command)];
}

/** `help plan` is `plan --help`. */
function helpAsFlag([first, ...others]: readonly string[]): readonly string[] {
  if (first !== 'help') return first === undefined ? [] : [first, ...others];
  const [about, ...more] = others.filter((word) => !EVERYWHERE.has(word));
  return about === undefined ? ['--help'] : [about, ...more, '--help'];
}

/**
 * What commander is given: a group prints its help whatever flags every command has (`fleet --json`), and help for
 * a command that does not exist is an error.
 */
function wordsFor(program: Command, words: readonly string[]): string[] {
  const path = commandPath(program, words).split(' ').filter(Boolean);
  const [first] = words;
  if (path.length === 0 && first !== undefined && !first.startsWith('-')) return [first];
  const isOnlyEverywhere = words.slice(path.length).every((word) => EVERYWHERE.has(word));
  return isOnlyEverywhere && isGroup(program, path) ? path : [...words];
}

/** Whether a path of commands leads to one that has some below it. */
function isGroup(command: Command, [name, ...others]: readonly string[]): boolean {
  const inner = command.commands.find((one) => one.name() === name);
  return inner === undefined ? command.commands.length > 0 : isGroup(inner, others);
}

/** What commander says, in the form of all errors: `error: unknown option '--zon'\n(Did you mean --zone?)`. */
function usageError({ code, message }: CommanderError): MigrationError {
  if (code === 'commander.help') return new MigrationError('USAGE', 'no command is given');
  const [problem = '', suggestion] = message.replace(/^error: /, '').split('\n(Did you mean ');
  const hint = suggestion === undefined ? {} : { hint: `did you mean ${suggestion.slice(0, -1)}` };
  return new MigrationError('USAGE', problem.replace(/\.$/, ''), hint);
}

/** The words of the command line that name a command: `fleet status`; empty for none. */
function commandPath(command: Command, words: readonly string[]): string {
  const [word = '', ...others] = words;
  const inner = command.commands.find((one) => one.name() === word);
  return inner === undefined ? '' : `${word} ${commandPath(inner, others)}`.trim();
}

/** Where nothing better is known, a usage error leads to an example of its command. */
function withExample(error: unknown, path: string): unknown {
  const isPlain =
    error instanceof MigrationError &&
    error.code === 'USAGE' &&
    error.hint === errorCatalogue.USAGE;
  if (!isPlain || path === '') return error;
  const hint = `cf-waf-migrate ${path} --help names its flags, with an example`;
  return new MigrationError('USAGE', error.message, { cause: error.cause, hint });
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Colours the words that begin a line and say how much it weighs. The text itself stays. */
function paint(text: string, isColoured: boolean): string {
  const { red, yellow, cyan, dim } = createColors(isColoured);
  return text
    .replace(/^(?:error|blocker):/gm, (word) => red(word))
    .replace(/^decision:/gm, (word) => yellow(word))
    .replace(/^info:/gm, (word) => cyan(word))
    .replace(/^ +(?:why|cause|hint):.*$/gm, (line) => dim(line));
}
