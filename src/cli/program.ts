import { Command, Help, Option } from 'commander';
import { MigrationError } from '../core/migration-error';
import { commands } from './commands';
import {
  type AddCommand,
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
} from './context';

/** The parsed command line: filled by the command that ran. */
export interface Outcome {
  result?: CommandResult;
}

/** Flags of every command. Their help is that of the program. */
const EVERYWHERE = [
  new Option('--json', 'print one JSON document'),
  new Option('--quiet', 'print no progress and no notices'),
  new Option('--verbose', 'show each request and each run of Terraform'),
  new Option('--no-color', 'use no colour (environment NO_COLOR)'),
  new Option('--yes', 'do not ask; open decisions still need --accept'),
];

/** Their names. */
export const FLAGS_EVERYWHERE: ReadonlySet<string> = new Set(EVERYWHERE.map(({ flags }) => flags));

/**
 * The program: every command with its name and summary.
 * @param asked the command to load; `completion` loads all commands
 */
export async function createProgram(
  context: CliContext,
  outcome: Outcome,
  asked: string,
): Promise<Command> {
  const program = new Command('cf-waf-migrate')
    .description('Migrates Cloudflare zones from the legacy WAF to cloudflare_ruleset.')
    .usage('<command> [options]')
    .version(context.version)
    .configureHelp(helpLayout)
    .showSuggestionAfterError(false)
    .helpCommand(false);
  const add: AddCommand = (defined, command) => {
    addTo(defined, command, context, outcome);
  };
  for (const [group, entries] of Object.entries(commands)) {
    for (const { name, summary, load } of entries) {
      const command = program.command(name).description(summary).helpGroup(`${group}:`);
      if (name === asked || asked === 'completion') await load(add, command, program);
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
      ? EVERYWHERE.filter(({ long }) => long !== '--no-color')
      : new Help().visibleOptions(command),
  optionDescription: ({ description, argChoices, defaultValue }) => {
    const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
    const usual = typeof defaultValue === 'string' ? ` (default ${defaultValue})` : '';
    return description + choices + usual;
  },
};

function addTo<Options>(
  named: Command,
  command: CliCommand<Options>,
  context: CliContext,
  outcome: Outcome,
): void {
  const { operand, passesArguments = false } = command;
  const defined = command.define(named);
  if (operand !== undefined) defined.argument(operand);
  const known = new Set(defined.options.map(({ long }) => long));
  for (const option of EVERYWHERE) {
    if (known.has(option.long)) continue;
    defined.addOption(new Option(option.flags, option.description).hideHelp());
  }
  defined
    .usage(
      [operand, '[options]', passesArguments ? '[-- <terraform arguments>]' : undefined]
        .filter((word) => word !== undefined)
        .join(' '),
    )
    .action(async () => {
      if (context.passedArguments.length > 0 && !passesArguments) {
        throw nothingAfterDashes(defined.name(), operand);
      }
      refuseEmpty(defined, operand);
      const [given = ''] = defined.args;
      outcome.result = await command.run(defined.opts<Options & CommonOptions>(), context, given);
    });
  defined.addHelpText('after', '\nAlso: --json --quiet --verbose --no-color --yes');
  addExample(defined, command.example);
}

/** An example below a command, and below a group whose first command it is. */
function addExample(command: Command, example: string): void {
  command.addHelpText('after', `\nExample:\n  cf-waf-migrate ${example}`);
  const { parent } = command;
  if (parent?.parent && parent.commands[0] === command) addExample(parent, example);
}

function nothingAfterDashes(name: string, operand: string | undefined): MigrationError {
  const message = `${name} accepts nothing after --`;
  // these commands use the flags of the plan
  if (operand !== '[plan]' && operand !== '[journal]') return new MigrationError('USAGE', message);
  return new MigrationError('USAGE', `${message}: flags for Terraform are part of the plan`, {
    hint: 'plan again with them:\ncf-waf-migrate plan --out plan.json -- -var-file=…',
  });
}

/** The kind of a flag's value, if an empty value would mean the working folder. */
const OF_PLACE = /<(?:file|dir|path|zone)(?:\.\.\.)?>$/;

/**
 * Refuses an empty name of a file or folder, which can come from an unset variable of a script.
 * @throws MigrationError `USAGE`
 */
function refuseEmpty(command: Command, operand: string | undefined): void {
  const values = command.opts<Record<string, unknown>>();
  const flag = command.options.find(
    (option) => OF_PLACE.test(option.flags) && [values[option.attributeName()]].flat().includes(''),
  );
  const isOperand = operand !== undefined && command.args[0] === '';
  const name = flag?.long ?? (isOperand ? operand : undefined);
  if (name === undefined) return;
  throw new MigrationError('USAGE', `${name} is empty`, {
    hint: 'check whether it comes from a variable that is not set; omit it, or give it a value',
  });
}
