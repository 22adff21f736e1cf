import { type Command, CommanderError } from 'commander';
import { errorCatalogue, type ErrorCode } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printableDocument, printableJson, withoutCommands } from '../core/printable';
import { type CliContext, type CommandResult, type ProcessContext } from './context';
import { GLOBAL_FLAGS } from './flags';
import { createProgram } from './program';
import { paint, workspaceOf } from './output';
import { isDumb, replacingOpenLine } from './progress';
import { renderErrorJson, renderErrorText } from './render-error';

/** Every other error exits with 1. An invalid id or URL is a usage error. */
const exitCodes: Partial<Record<ErrorCode, number>> = {
  USAGE: 64,
  ID_INVALID: 64,
  BASE_URL_INVALID: 64,
  DECLINED: 3,
  DECISIONS_OPEN: 2,
};

/**
 * Runs one command line. Only this function catches errors.
 * @param args without node and script
 * @returns the exit code: 0 done, 1 failed, 2 differences or decisions remain, 3 declined, 64 usage
 */
export async function run(args: readonly string[], context: ProcessContext): Promise<number> {
  const { words, has, passedArguments, commandLine } = splitArguments(args);
  const { printText, ...output } = createOutput(context, has);
  const { json, isSilent, stderr } = output;
  const cli: CliContext = {
    ...context,
    ...output,
    passedArguments,
    commandLine,
    verbose: has('--verbose'),
    yes: has('--yes'),
    notify: (line) => {
      if (!isSilent) stderr(`${line}\n`);
    },
  };
  let result: CommandResult | undefined;
  const [asked = ''] = words;
  const program = await createProgram(context.version, asked, async (command, options, operand) => {
    if (passedArguments.length > 0 && !command.passesArguments) refusePassed(asked);
    result = await command.run(options, cli, operand);
  });
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: output.stdout,
      writeErr: json ? () => undefined : context.stderr,
      outputError: () => undefined,
    });
  }
  const { command, path } = findCommand(program, words);
  try {
    // an unknown command is an error whatever follows
    await program.parseAsync(path.length > 0 ? words : words.slice(0, 1), { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const failure =
      thrown instanceof CommanderError ? usageError(thrown, command, path.join(' ')) : thrown;
    const error = withExample(failure, path.join(' '));
    if (json) stderr(renderErrorJson(error));
    // without a command, the help was already printed, and is more useful
    else if (args.length > 0) stderr(renderErrorText(error));
    return error instanceof MigrationError ? (exitCodes[error.code] ?? 1) : 1;
  }
  if (!result) return 0;
  // a document was requested by name (`--format`, a shell), and replaces `--json`
  if (result.document !== undefined) output.stdout(result.document);
  else if (json) output.stdout(`${printableJson(result.json, 2)}\n`);
  else printText(textOf(result, workspaceOf(context)));
  return result.exitCode;
}

/** The command line: the command with its own flags, the global flags, and what follows `--`. */
function splitArguments(args: readonly string[]) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const typed = args.slice(0, end);
  // as with other tools, global flags may also come before the name of the command
  const words = helpAsFlag(typed.filter((word) => !GLOBAL_FLAGS.some(({ long }) => long === word)));
  return {
    words,
    has: (flag: string): boolean => typed.includes(flag),
    passedArguments: args.slice(end + 1),
    commandLine: [...words, ...args.slice(end)].map(posixQuote).join(' '),
  };
}

/** How the global flags and the terminals change what is printed. */
function createOutput(context: ProcessContext, has: (flag: string) => boolean) {
  const { environment, terminals } = context;
  const json = has('--json');
  const quiet = has('--quiet');
  const mayPaint = !has('--no-color') && !environment['NO_COLOR'] && !isDumb(environment);
  const isForced = (environment['FORCE_COLOR'] ?? '0') !== '0';
  const isColoured = (terminal: boolean): boolean => mayPaint && !json && (terminal || isForced);
  const isPainted = isColoured(terminals.stderr);
  const toStderr = (text: string): void => {
    context.stderr(paint(withoutCommands(text), isPainted));
  };
  // text of a document must not control the terminal; the tool's colours are added afterwards
  const shown = (text: string): string =>
    withoutCommands(terminals.stdout ? printableDocument(text) : text);
  return {
    json,
    quiet,
    isSilent: quiet || json,
    stderr: terminals.stderr ? replacingOpenLine(toStderr, () => terminals.columns) : toStderr,
    stdout: (text: string): void => {
      context.stdout(shown(text));
    },
    printText: (text: string): void => {
      context.stdout(paint(shown(text), isColoured(terminals.stdout)));
    },
  };
}

function refusePassed(name: string): never {
  const message = `${name} accepts nothing after --: flags for Terraform are part of the plan`;
  throw new MigrationError('USAGE', message, {
    hint: 'plan with them:\ncf-waf-migrate plan --out plan.json -- -var-file=…',
  });
}

/** The text of a result, and below it the next command, ready to copy. */
function textOf({ text, next, before }: CommandResult, workspace: string): string {
  if (next === undefined) return `${text}\n`;
  const line = `  ${workspace}cf-waf-migrate ${next}\n`;
  if (before === undefined) return `${text}\n\nNext:\n${line}`;
  const { task, command } = before;
  if (command === undefined) return `${text}\n\nNext, when ${task} is done:\n${line}`;
  const first = `Next, for ${task}:\n  ${command}\n`;
  return `${text}\n\n${first}\nWhen ${task} is done:\n${line}`;
}

/** `help plan` is `plan --help`. */
function helpAsFlag(words: readonly string[]): readonly string[] {
  const [first, about, ...more] = words;
  if (first !== 'help') return words;
  return about === undefined ? ['--help'] : [about, ...more, '--help'];
}

/** The command that the words name: `fleet status`; the program itself for none. */
function findCommand(
  command: Command,
  [word = '', ...others]: readonly string[],
  path: readonly string[] = [],
): { readonly command: Command; readonly path: readonly string[] } {
  const inner = command.commands.find((one) => one.name() === word);
  return inner === undefined ? { command, path } : findCommand(inner, others, [...path, word]);
}

/** The error of commander in the form of all errors, with a suggestion. */
function usageError(
  { code, message }: CommanderError,
  command: Command,
  path: string,
): MigrationError {
  if (code === 'commander.help') return new MigrationError('USAGE', 'no command is given');
  const [problem = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const zone = command.args.find((word) => ZONE.test(word));
  const isZone =
    code === 'commander.excessArguments' && command.options.some(({ long }) => long === '--zone');
  const hint =
    isZone && zone !== undefined
      ? `pass the zone with --zone:\ncf-waf-migrate ${path} --zone ${posixQuote(zone)}`
      : suggestion?.replace(/^\(Did (.*)\)$/, 'did $1');
  return new MigrationError('USAGE', problem.replace(/\.$/, ''), { hint });
}

/** Whether a word was probably meant for `--zone`: an id, or a domain that is not a file such as `plan.json`. */
const ZONE = /^(?:[0-9a-f]{32}|(?!.*\.(?:json|tf|tfstate)$)[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

/** Without another hint, a usage error shows an example of its command. */
function withExample(error: unknown, path: string): unknown {
  const isPlain =
    error instanceof MigrationError &&
    error.code === 'USAGE' &&
    error.hint === errorCatalogue.USAGE;
  if (!isPlain || path === '') return error;
  return error.withHint(`see its options, and an example:\ncf-waf-migrate ${path} --help`);
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
