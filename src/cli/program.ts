import { Command, Option } from 'commander';
import { MigrationError } from '../core/migration-error';
import { commands } from './commands';
import {
  type AddCommand,
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
} from './context';
import { inGroup, ownFlagsFirst } from './options';

/** What the command line said: filled by the command that ran. */
export interface Outcome {
  result?: CommandResult;
}

/**
 * The program: every command with its name and summary.
 * @param asked the command that is loaded; `completion` speaks of all commands, and loads them
 */
export async function createProgram(
  context: CliContext,
  outcome: Outcome,
  asked: string,
): Promise<Command> {
  const program = new Command('cf-waf-migrate')
    .description(
      'Migrates Cloudflare zones from the legacy WAF managed rules to cloudflare_ruleset, in Terraform and CDKTF.',
    )
    .version(context.version)
    .configureHelp(ownFlagsFirst)
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nThe way: check → generate → plan. Try it without an account: cf-waf-migrate demo',
    );
  const add: AddCommand = (defined, command) => {
    addTo(defined, command, context, outcome);
  };
  for (const { group, name, summary, load } of commands) {
    const command = program.command(name).description(summary).helpGroup(`${group}:`);
    if (name === asked || asked === 'completion') await load(add, command, program);
  }
  return program;
}

/** An example below a command, and below the groups of which it is the first. */
function addExample(command: Command, example: string): void {
  command.addHelpText('after', `\nExample:\n  cf-waf-migrate ${example}`);
  const { parent } = command;
  if (parent?.parent && parent.commands[0] === command) addExample(parent, example);
}

function addTo<Options>(
  named: Command,
  command: CliCommand<Options>,
  context: CliContext,
  outcome: Outcome,
): void {
  const { operand } = command;
  const defined = command.define(named);
  if (operand !== undefined) defined.argument(`<${operand}>`);
  const forTerraform = command.passesArguments ? ' [-- <terraform arguments>]' : '';
  // every command takes it (a script may pass it to all), also where nothing is asked
  if (!defined.options.some(({ long }) => long === '--yes')) {
    defined.addOption(new Option('--yes', 'confirms what a terminal would be asked').hideHelp());
  }
  defined.usage(`${operand === undefined ? '' : `<${operand}> `}[options]${forTerraform}`);
  inGroup(defined, 'Output', (group) =>
    group
      .option('--json', 'print one JSON document')
      .option('--quiet', 'no progress and no notices')
      .option('--verbose', 'show each request')
      .option('--no-color', 'no colour (environment NO_COLOR)'),
  ).action(async () => {
    if (context.passedArguments.length > 0 && !command.passesArguments) {
      throw nothingAfterDashes(defined.name(), operand);
    }
    refuseEmpty(defined, operand);
    const [given = ''] = defined.args;
    outcome.result = await command.run(defined.opts<Options & CommonOptions>(), context, given);
  });
  addExample(defined, command.example);
}

function nothingAfterDashes(name: string, operand: string | undefined): MigrationError {
  const message = `${name}: nothing goes after --`;
  // what is carried out, looked at or undone has the flags that it was planned with
  if (operand !== 'plan' && operand !== 'journal') return new MigrationError('USAGE', message);
  return new MigrationError('USAGE', `${message}, flags for Terraform are part of the plan`, {
    hint: 'plan again with them: cf-waf-migrate plan … -- -var-file=…',
  });
}

/** What the value of a flag is, where an empty one would mean the working folder. */
const OF_PLACE = /<(?:file|dir|path)(?:\.\.\.)?>$/;

/**
 * Refuses what names a file or a folder and is empty, as from a variable of a script that is not set.
 * @throws MigrationError `USAGE`
 */
function refuseEmpty(command: Command, operand: string | undefined): void {
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
