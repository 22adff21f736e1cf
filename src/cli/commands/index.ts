import { type Command } from 'commander';
import { type AddCommand, type CliCommand } from '../context';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Loads the command, because each command line runs only one. */
  readonly load: (add: AddCommand, named: Command, program: Command) => Promise<void>;
}

/** The one list of commands by group, as `--help` shows it. */
export const commands: Readonly<Record<string, readonly CommandEntry[]>> = {
  Assess: [
    {
      name: 'status',
      summary: 'Show which WAF is on, and what is deployed',
      load: one(async () => (await import('./assess/status')).statusCommand),
    },
    {
      name: 'check',
      summary: 'Check whether a zone can migrate, and list what blocks it',
      load: one(async () => (await import('./assess/check')).checkCommand),
    },
    {
      name: 'report',
      summary: 'Report what happens to each legacy setting',
      load: one(async () => (await import('./assess/report')).reportCommand),
    },
    {
      name: 'catalogue',
      summary: 'Look up which new rule replaces a legacy rule',
      load: async (add, command) => {
        const { addCatalogueCommands } = await import('./assess/catalogue');
        addCatalogueCommands(command, add);
      },
    },
  ],
  Generate: [
    {
      name: 'generate',
      summary: 'Generate the ruleset stack: CDKTF, HCL or Terraform JSON',
      load: one(async () => (await import('./generate/generate')).generateCommand),
    },
    {
      name: 'fetch-config',
      summary: 'Save the raw migration configuration',
      load: one(async () => (await import('./generate/fetch-config')).fetchConfigCommand),
    },
  ],
  'Migrate the Terraform state': [
    {
      name: 'plan',
      summary: 'Plan the migration of a Terraform state',
      load: one(async () => (await import('./state/plan')).planCommand),
    },
    {
      name: 'rehearse',
      summary: 'Run the plan on a copy; require an empty terraform plan',
      load: one(async () => (await import('./state/rehearse')).rehearseCommand),
    },
    {
      name: 'apply',
      summary: 'Run the plan, with backups. Re-run to resume.',
      load: one(async () => (await import('./state/apply')).applyCommand),
    },
    {
      name: 'verify',
      summary: 'Verify that state and configuration match the plan',
      load: one(async () => (await import('./state/verify')).verifyCommand),
    },
    {
      name: 'rollback',
      summary: 'Restore the state and files from before apply',
      load: one(async () => (await import('./state/rollback')).rollbackCommand),
    },
  ],
  'Migrate the zone': [
    {
      name: 'start-validation',
      summary: 'Enterprise: run both WAFs. Re-run to adjust it.',
      load: one(async () => (await import('./zone/start-validation')).startValidationCommand),
    },
    {
      name: 'review',
      summary: 'Compare both WAFs in security events, and propose fixes',
      load: one(async () => (await import('./zone/review')).reviewCommand),
    },
    {
      name: 'finish',
      summary: 'Finish the migration of a zone. It cannot be undone.',
      load: one(async () => (await import('./zone/finish')).finishCommand),
    },
    {
      name: 'firewall',
      summary: 'Manage filters, firewall rules, and URI overrides',
      load: async (add, command) => {
        const { addFirewallCommands } = await import('./firewall');
        addFirewallCommands(command, add);
      },
    },
  ],
  'Many zones': [
    {
      name: 'fleet',
      summary: 'Show the progress of many zones',
      load: async (add, command) => {
        const { fleetStatusCommand } = await import('./many-zones/fleet-status');
        const summary = 'Show the progress of each zone, from the local ledger';
        add(command.command('status').description(summary), fleetStatusCommand);
      },
    },
  ],
  'Try it': [
    {
      name: 'demo',
      summary: 'Run the whole migration here, without an account',
      load: one(async () => (await import('./try/demo')).demoCommand),
    },
    {
      name: 'emulator',
      summary: 'Run an emulator of the Cloudflare API',
      load: one(async () => (await import('./try/emulator')).emulatorCommand),
    },
    {
      name: 'completion',
      summary: 'Print a completion script for bash, zsh or fish',
      load: async (add, command, program) => {
        const { completionCommand } = await import('./try/completion');
        add(command, completionCommand(program));
      },
    },
  ],
};

function one<Options>(load: () => Promise<CliCommand<Options>>): CommandEntry['load'] {
  return async (add, named) => {
    add(named, await load());
  };
}
