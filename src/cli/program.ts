import { Command, Help } from 'commander';
import { MigrationError } from '../core/migration-error';
import { commands } from './commands';
import { type CliCommand, type CommandGroup } from './context';
import { addFlags, GLOBAL_FLAGS } from './flags';

/** Called with the command that the user asked for, and its parsed options. */
type Perform = (command: CliCommand, options: object, operand: string) => Promise<void>;

/**
 * The program: every command with its name and summary.
 * @param asked the command to load; `completion` loads all commands
 */
export async function createProgram(
  version: string,
  asked: string,
  perform: Perform,
): Promise<Command> {
  const program = new Command('cf-waf-migrate')
    .description('Migrates Cloudflare zones from the legacy WAF to cloudflare_ruleset.')
    .usage('<command> [options]')
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

/** The command's own flags first, rare ones last; choices and defaults after the description. */
const helpLayout: Partial<Help> = {
  groupItems: (unsorted, visible, groupOf) => {
    const groups = [...new Help().groupItems(unsorted, visible, groupOf)];
    const rank = (heading: string): number =>
      heading === 'Options:' ? 0 : heading === 'Advanced:' ? 2 : 1;
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

/** An example below a command, and below a group whose first command it is. */
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
