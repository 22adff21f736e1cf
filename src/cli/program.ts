import { Command, Option } from 'commander';
import { MigrationError } from '../model/migration-error';
import { type CliCommand, type CommonOptions } from './command';
import { applyCommand } from './commands/apply';
import { addCatalogueCommands } from './commands/catalogue';
import { checkCommand } from './commands/check';
import { completionCommand } from './commands/completion';
import { demoCommand } from './commands/demo';
import { emulatorCommand } from './commands/emulator';
import { fetchConfigCommand } from './commands/fetch-config';
import { finishCommand } from './commands/finish';
import { type AddCommand, addFirewallCommands } from './commands/firewall';
import { addFleetCommands } from './commands/fleet';
import { generateCommand } from './commands/generate';
import { planCommand } from './commands/plan';
import { rehearseCommand } from './commands/rehearse';
import { reportCommand } from './commands/report';
import { reviewCommand } from './commands/review';
import { rollbackCommand } from './commands/rollback';
import { startValidationCommand } from './commands/start-validation';
import { statusCommand } from './commands/status';
import { verifyCommand } from './commands/verify';
import { type CliContext, type CommandResult } from './context';
import { inGroup, ownFlagsFirst } from './option-group';
import { refuseEmpty } from './refuse-empty';

/** What the command line said: filled by the command that ran. */
export interface Outcome {
  result?: CommandResult;
}

/** Adds a command, and where it has some, those below it. */
type Definition = (add: AddCommand, program: Command) => void;

/** One entry per command, the core path first. */
const definitions: readonly (readonly [name: string, define: Definition])[] = [
  single(checkCommand),
  single(generateCommand),
  single(planCommand),
  single(rehearseCommand),
  single(applyCommand),
  single(verifyCommand),
  single(rollbackCommand),
  single(startValidationCommand),
  single(reviewCommand),
  single(finishCommand),
  single(statusCommand),
  single(fetchConfigCommand),
  single(reportCommand),
  [
    'catalogue',
    (add, program) => {
      addCatalogueCommands(program, add);
    },
  ],
  [
    'firewall',
    (add, program) => {
      addFirewallCommands(program, add);
    },
  ],
  [
    'fleet',
    (add, program) => {
      addFleetCommands(program, add);
    },
  ],
  single(emulatorCommand),
  single(demoCommand),
];

/**
 * The program.
 * @param asked the first word of the command line: where it is a command, only that one is defined, and all
 *   where it is none, and for what speaks of all
 */
export function createProgram(context: CliContext, outcome: Outcome, asked = ''): Command {
  const program = new Command('cf-waf-migrate')
    .description(
      'Takes a Cloudflare zone from the old WAF managed rules to a cloudflare_ruleset in Terraform.',
    )
    .version(context.version)
    .configureHelp(ownFlagsFirst)
    .addHelpText(
      'after',
      '\nThe way: check → generate → plan. Try it without an account: cf-waf-migrate demo',
    );
  const add: AddCommand = (parent, command) => {
    addTo(parent, command, context, outcome);
  };
  const named = definitions.filter(([name]) => name === asked);
  for (const [, define] of named.length > 0 ? named : definitions) define(add, program);
  if (named.length === 0) add(program, completionCommand(program));
  return program;
}

function single<Options>(command: CliCommand<Options>): [string, Definition] {
  return [
    command.name,
    (add, program) => {
      add(program, command);
    },
  ];
}

/** An example below a command, and below the groups of which it is the first. */
function addExample(command: Command, example: string): void {
  command.addHelpText('after', `\nExample:\n  cf-waf-migrate ${example}`);
  const { parent } = command;
  if (parent?.parent && parent.commands[0] === command) addExample(parent, example);
}

function addTo<Options>(
  program: Command,
  command: CliCommand<Options>,
  context: CliContext,
  outcome: Outcome,
): void {
  const { operand } = command;
  const defined = command.define(program.command(command.name).description(command.summary));
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
      throw nothingAfterDashes(command.name, operand);
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
