import { Command } from 'commander';
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
import { addFirewallCommands } from './commands/firewall';
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

/** What the command line said: filled by the command that ran. */
export interface Outcome {
  result?: CommandResult;
}

/** The program: one entry per command, the core path first. */
export function createProgram(context: CliContext, outcome: Outcome): Command {
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
  add(program, checkCommand, context, outcome);
  add(program, generateCommand, context, outcome);
  add(program, planCommand, context, outcome);
  add(program, rehearseCommand, context, outcome);
  add(program, applyCommand, context, outcome);
  add(program, verifyCommand, context, outcome);
  add(program, rollbackCommand, context, outcome);
  add(program, startValidationCommand, context, outcome);
  add(program, reviewCommand, context, outcome);
  add(program, finishCommand, context, outcome);
  add(program, statusCommand, context, outcome);
  add(program, fetchConfigCommand, context, outcome);
  add(program, reportCommand, context, outcome);
  addCatalogueCommands(program, (parent, command) => {
    add(parent, command, context, outcome);
  });
  addFirewallCommands(program, (parent, command) => {
    add(parent, command, context, outcome);
  });
  addFleetCommands(program, (parent, command) => {
    add(parent, command, context, outcome);
  });
  add(program, emulatorCommand, context, outcome);
  add(program, demoCommand, context, outcome);
  add(program, completionCommand(program), context, outcome);
  return program;
}

function add<Options>(
  program: Command,
  command: CliCommand<Options>,
  context: CliContext,
  outcome: Outcome,
): void {
  const { operand } = command;
  const defined = command.define(program.command(command.name).description(command.summary));
  if (operand !== undefined) defined.argument(`<${operand}>`);
  const forTerraform = command.passesArguments ? ' [-- <terraform arguments>]' : '';
  defined.usage(`${operand === undefined ? '' : `<${operand}> `}[options]${forTerraform}`);
  inGroup(defined, 'Output', (group) =>
    group
      .option('--json', 'print one JSON document')
      .option('--quiet', 'no progress and no notices')
      .option('--verbose', 'show each request')
      .option('--no-color', 'no colour (environment NO_COLOR)'),
  )
    .addHelpText('after', `\nExample:\n  cf-waf-migrate ${command.example}`)
    .action(async () => {
      if (context.passedArguments.length > 0 && !command.passesArguments) {
        throw new MigrationError(
          'USAGE',
          `${command.name} runs no Terraform: nothing goes after --`,
        );
      }
      const [given = ''] = defined.args;
      outcome.result = await command.run(defined.opts<Options & CommonOptions>(), context, given);
    });
}
