import { Command, CommanderError, Help, type OutputConfiguration } from 'commander';
import { errorCatalogue, type ErrorCode } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { withoutSecret } from '../plan/formats/render-command';
import { printable, printableDocument, printableJson, withoutCommands } from '../core/printable';
import { commands } from './commands';
import {
  type CliCommand,
  type CliContext,
  type CommandGroup,
  type CommandResult,
  type ProcessContext,
} from './context';
import { addFlags, GLOBAL_FLAGS } from './flags';
import { paint, renderErrorJson, renderErrorText, workspaceOf } from './output';
import { isDumb, replacingOpenLine } from './progress';

/**
 * Runs one command line. Only this function catches errors.
 * @param args without node and script
 * @returns the exit code: 0 done, 1 failed, 2 differences or decisions remain, 3 declined, 64 usage
 */
export async function run(args: readonly string[], context: ProcessContext): Promise<number> {
  const { words, has, ...line } = splitArguments(args);
  const { printText, ...output } = createOutput(context, has);
  const { json, stdout, stderr } = output;
  const flags = { verbose: has('--verbose'), yes: has('--yes') };
  const cli: CliContext = { ...context, ...output, ...line, ...flags };
  const [asked = ''] = words;
  let result: CommandResult | undefined;
  const perform: Perform = async (command, options, operand) => {
    if (cli.passedArguments.length > 0 && !command.passesArguments) refusePassed(asked);
    result = await command.run(options, cli, operand);
  };
  const writeErr = json ? () => undefined : context.stderr;
  const commander = { writeOut: stdout, writeErr, outputError: () => undefined };
  const program = await createProgram(context.version, asked, commander, perform);
  const path = pathOfCommand(program, words);
  const completed = async (text: string): Promise<string> => {
    // the help needs none of it
    const { repeatTyped } = await import('./repeat-typed');
    return repeatTyped(text, workspaceOf(context), words, (name) => flagsOf(name, program));
  };
  try {
    // an unknown command is an error whatever follows
    await program.parseAsync(path !== '' ? words : words.slice(0, 1), { from: 'user' });
  } catch (thrown) {
    // the help or the version was printed
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const error = withExample(withUsage(thrown), path);
    if (json) stderr(renderErrorJson(error));
    // without a command, the help was already printed, and is more useful
    else if (args.length > 0) stderr(await completed(renderErrorText(error)));
    return exitCodeOf(error);
  }
  if (!result) return 0;
  // `fetch-config` and `emulator` print the same with `--json`
  if (result.document !== undefined) stdout(result.document);
  else if (json) stdout(`${printableJson(result.json, 2)}\n`);
  else printText(await completed(textOf(result)));
  return result.exitCode;
}

/** Every other error exits with 1. An invalid id or URL is a usage error. */
const exitCodes: Partial<Record<ErrorCode, number>> = {
  USAGE: 64,
  ID_INVALID: 64,
  BASE_URL_INVALID: 64,
  DECLINED: 3,
  DECISIONS_OPEN: 2,
};

const exitCodeOf = (error: unknown): number =>
  (error instanceof MigrationError ? exitCodes[error.code] : undefined) ?? 1;

/** The command line: the command with its own flags, the global flags, and what follows `--`. */
function splitArguments(args: readonly string[]) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const typed = args.slice(0, end);
  // as with other tools, global flags may also come before the name of the command
  const words = helpAsFlag(typed.filter((word) => !GLOBAL_FLAGS.some(({ long }) => long === word)));
  const passed = args.slice(end);
  const lineOf = (own: readonly string[], others = passed): string =>
    [...own, ...others].map(posixQuote).join(' ');
  return {
    words,
    has: (flag: string): boolean => typed.includes(flag),
    passedArguments: passed.slice(1),
    commandLine: lineOf(words),
    recordedLine: lineOf(words, withoutSecrets(passed)),
    commandWith: (flags: readonly string[], without?: string): string => {
      const isKept = (word: string, at: number): boolean =>
        without === undefined || ![word, words[at - 1], word.split('=')[0]].includes(without);
      return lineOf([...words.filter(isKept), ...flags]);
    },
  };
}

/** The value of a flag can be a separate word. */
const withoutSecrets = (passed: readonly string[]): string[] =>
  passed.map((word, at) =>
    /^--?(?:var|backend-config)$/.test(passed[at - 1] ?? '')
      ? word.replace(/=[^]*/, '=…')
      : withoutSecret(word),
  );

/** How the global flags and the terminals change what is printed. */
function createOutput(context: ProcessContext, has: (flag: string) => boolean) {
  const { environment, terminals } = context;
  const json = has('--json');
  const quiet = has('--quiet');
  const mayPaint = !has('--no-color') && !environment['NO_COLOR'];
  const isForced = (environment['FORCE_COLOR'] || '0') !== '0';
  const isColoured = (terminal: boolean): boolean =>
    mayPaint && !json && ((terminal && !isDumb(environment)) || isForced);
  const isPainted = isColoured(terminals.stderr);
  const toStderr = (text: string): void => {
    context.stderr(paint(withoutCommands(text), isPainted));
  };
  // text of a document must not control the terminal; the tool's colours are added afterwards
  const shown = (text: string): string =>
    withoutCommands(terminals.stdout ? printableDocument(text) : text);
  const isSilent = quiet || json;
  const stderr = terminals.stderr ? replacingOpenLine(toStderr, () => terminals.columns) : toStderr;
  const notify = (line: string): void => {
    if (!isSilent) stderr(`${line}\n`);
  };
  const told = new Set<string>();
  return {
    json,
    quiet,
    isSilent,
    stderr,
    notify,
    notifyOnce: (line: string): void => {
      if (!told.has(line)) notify(line);
      told.add(line);
    },
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

function textOf({ text, next, before }: CommandResult): string {
  if (next === undefined) {
    return before === undefined ? `${text}\n` : `${text}\n\nNext: ${before.task}.\n`;
  }
  const line = `  cf-waf-migrate ${next}\n`;
  if (before === undefined) return `${text}\n\nNext:\n${line}`;
  const { task, when = `when ${task} is done`, commands = [], folder = '' } = before;
  if (commands.length === 0) {
    const place = folder === '' ? '' : `, in the folder ${printable(folder, 200)}`;
    return `${text}\n\nNext, ${when}${place}:\n${line}`;
  }
  const lines = commands.map((one) => `  cf-waf-migrate ${one}\n`);
  return `${text}\n\nNext, for ${task}:\n${lines.join('')}\nWhen ${task} ${task.endsWith('zones') ? 'are' : 'is'} done:\n${line}`;
}

/** `help plan` is `plan --help`. */
function helpAsFlag(words: readonly string[]): readonly string[] {
  const [first, about, ...more] = words;
  if (first !== 'help') return words;
  return about === undefined ? ['--help'] : [about, ...more, '--help'];
}

/** The command that the words name: `fleet status`; empty for none. */
function pathOfCommand(command: Command, [word = '', ...others]: readonly string[]): string {
  const inner = command.commands.find((one) => one.name() === word);
  return inner === undefined ? '' : `${word} ${pathOfCommand(inner, others)}`.trimEnd();
}

/** Turns an error of commander into a usage error. */
function withUsage(thrown: unknown): unknown {
  if (!(thrown instanceof CommanderError)) return thrown;
  const { code, message } = thrown;
  if (code === 'commander.help') return new MigrationError('USAGE', 'no command is given');
  const [problem = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\(Did (.*)\)$/, 'did $1');
  return new MigrationError('USAGE', problem.replace(/\.$/, ''), { hint });
}

/** Without another hint, a usage error names the help of its command, which has an example. */
function withExample(error: unknown, path: string): unknown {
  const isPlain =
    error instanceof MigrationError &&
    error.code === 'USAGE' &&
    error.hint === errorCatalogue.USAGE;
  if (!isPlain || path === '') return error;
  return error.withHint(`see its options, and an example:\ncf-waf-migrate ${path} --help`);
}

/** Called with the command that the user asked for, and its parsed options. */
type Perform = (command: CliCommand, options: object, operand: string) => Promise<void>;

/**
 * The program: every command with its name and summary.
 * @param asked the command to load; `completion` loads all commands
 * @param output of help and errors, which every command inherits
 */
export async function createProgram(
  version: string,
  asked: string,
  output: OutputConfiguration,
  perform: Perform,
): Promise<Command> {
  const program = new Command('cf-waf-migrate')
    .exitOverride()
    .configureOutput(output)
    .description('Migrates Cloudflare zones from the legacy WAF to cloudflare_ruleset.')
    .usage('<command> [options] | --version')
    .version(version)
    .configureHelp(helpLayout)
    .helpCommand(false);
  for (const [group, entries] of Object.entries(commands)) {
    for (const [name, { summary, load }] of Object.entries(entries)) {
      const named = program.command(name).description(summary).helpGroup(`${group}:`);
      if (name === asked || asked === 'completion') define(named, await load(program), perform);
    }
  }
  return program;
}

/** The flags of a command, or of all commands of a group; undefined for a word that is no command. */
async function flagsOf(name: string, program: Command): Promise<readonly string[] | undefined> {
  const entry = Object.values(commands).flatMap((group) => group[name] ?? [])[0];
  const loaded = await entry?.load(program);
  return loaded && flagsIn(loaded);
}

const flagsIn = (command: CliCommand | CommandGroup): readonly string[] =>
  'flags' in command
    ? Object.keys(command.flags)
    : Object.values(command.commands).flatMap(flagsIn);

/** The command's own flags first, rare ones last; choices and defaults after the description. */
const helpLayout: Partial<Help> = {
  groupItems: (unsorted, visible, groupOf) => {
    const groups = [...new Help().groupItems(unsorted, visible, groupOf)];
    const ranks: Partial<Record<string, number>> = { 'Options:': 0, 'Advanced:': 2 };
    const rank = (heading: string): number => ranks[heading] ?? 1;
    return new Map(groups.sort(([one], [other]) => rank(one) - rank(other)));
  },
  visibleOptions: (command) =>
    command.parent === null
      ? GLOBAL_FLAGS.filter(({ long }) => long !== '--no-color')
      : new Help().visibleOptions(command),
  optionDescription: ({ description, argChoices, defaultValue }) => {
    const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
    const usual = typeof defaultValue === 'string' ? ` (default ${defaultValue})` : '';
    return description + choices + usual;
  },
};

function define(named: Command, command: CliCommand | CommandGroup, perform: Perform): void {
  if ('commands' in command) {
    for (const [name, inner] of Object.entries(command.commands)) {
      define(named.command(name).description(inner.summary ?? ''), inner, perform);
    }
    return;
  }
  const { operand, passesArguments = false, flags, example } = command;
  addFlags(named, flags);
  if (operand !== undefined) named.argument(operand);
  const usage = [operand, '[options]', passesArguments ? '[-- <terraform arguments>]' : undefined];
  named
    .usage(usage.filter((word) => word !== undefined).join(' '))
    .addHelpText('after', '\nAlso: --json --quiet --verbose --no-color --yes')
    .action(() => {
      refuseEmpty(named, operand);
      return perform(command, named.opts(), named.args[0] ?? '');
    });
  addExample(named, example);
}

function addExample(command: Command, example: string): void {
  command.addHelpText('after', `\nExample:\n  cf-waf-migrate ${example}`);
  const { parent } = command;
  if (parent?.parent && parent.commands[0] === command) addExample(parent, example);
}

/** The kind of a flag's value, if an empty value would mean the working folder. */
const OF_PLACE = /<(?:file|dir|path|zone)(?:\.\.\.)?>$/;

/** Refuses an empty name of a file or folder, which can come from an unset variable of a script. */
function refuseEmpty(command: Command, operand = ''): void {
  const values = command.opts<Record<string, unknown>>();
  const flag = command.options.find(
    (option) => OF_PLACE.test(option.flags) && [values[option.attributeName()]].flat().includes(''),
  );
  const name = flag?.long ?? (command.args[0] === '' ? operand : undefined);
  if (name === undefined) return;
  throw new MigrationError('USAGE', `${name} is empty`, {
    hint: 'check whether it comes from a variable that is not set; omit it, or give it a value',
  });
}
