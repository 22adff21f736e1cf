import { type Command } from 'commander';
import { type AddCommand } from '../context';

type Group =
  | 'Assess'
  | 'Generate'
  | 'Migrate the Terraform state'
  | 'Migrate the zone'
  | 'Many zones'
  | 'Try it';

interface CommandEntry {
  readonly group: Group;
  readonly name: string;
  readonly summary: string;
  /** Loads the command: no command line runs more than one. */
  readonly load: (add: AddCommand, command: Command, program: Command) => Promise<void>;
}

/** The one list of commands, as `--help` shows it. */
export const commands: readonly CommandEntry[] = [
  {
    group: 'Assess',
    name: 'status',
    summary: 'Show which WAF is on, and what is deployed',
    load: async (add, command) => {
      add(command, (await import('./assess/status')).statusCommand);
    },
  },
  {
    group: 'Assess',
    name: 'check',
    summary: 'Check whether a zone can migrate, and list what blocks it',
    load: async (add, command) => {
      add(command, (await import('./assess/check')).checkCommand);
    },
  },
  {
    group: 'Assess',
    name: 'report',
    summary: 'Report what happens to each legacy setting',
    load: async (add, command) => {
      add(command, (await import('./assess/report')).reportCommand);
    },
  },
  {
    group: 'Assess',
    name: 'catalogue',
    summary: 'Look up which new rule replaces a legacy rule',
    load: async (add, command) => {
      const { addCatalogueCommands } = await import('./assess/catalogue');
      addCatalogueCommands(command, add);
    },
  },
  {
    group: 'Generate',
    name: 'generate',
    summary: 'Generate the ruleset stack: CDKTF, HCL or Terraform JSON',
    load: async (add, command) => {
      add(command, (await import('./generate/generate')).generateCommand);
    },
  },
  {
    group: 'Generate',
    name: 'fetch-config',
    summary: 'Save the raw migration configuration',
    load: async (add, command) => {
      add(command, (await import('./generate/fetch-config')).fetchConfigCommand);
    },
  },
  {
    group: 'Migrate the Terraform state',
    name: 'plan',
    summary: 'Plan the migration of a Terraform state',
    load: async (add, command) => {
      add(command, (await import('./state/plan')).planCommand);
    },
  },
  {
    group: 'Migrate the Terraform state',
    name: 'rehearse',
    summary: 'Run the plan on a copy; require an empty terraform plan',
    load: async (add, command) => {
      add(command, (await import('./state/rehearse')).rehearseCommand);
    },
  },
  {
    group: 'Migrate the Terraform state',
    name: 'apply',
    summary: 'Run the plan, with backups. Re-run to resume.',
    load: async (add, command) => {
      add(command, (await import('./state/apply')).applyCommand);
    },
  },
  {
    group: 'Migrate the Terraform state',
    name: 'verify',
    summary: 'Verify that state and configuration match the plan',
    load: async (add, command) => {
      add(command, (await import('./state/verify')).verifyCommand);
    },
  },
  {
    group: 'Migrate the Terraform state',
    name: 'rollback',
    summary: 'Restore the state and files from before apply',
    load: async (add, command) => {
      add(command, (await import('./state/rollback')).rollbackCommand);
    },
  },
  {
    group: 'Migrate the zone',
    name: 'start-validation',
    summary: 'Enterprise: run both WAFs. Re-run to adjust it.',
    load: async (add, command) => {
      add(command, (await import('./zone/start-validation')).startValidationCommand);
    },
  },
  {
    group: 'Migrate the zone',
    name: 'review',
    summary: 'Compare both WAFs in security events, and propose fixes',
    load: async (add, command) => {
      add(command, (await import('./zone/review')).reviewCommand);
    },
  },
  {
    group: 'Migrate the zone',
    name: 'finish',
    summary: 'Finish the migration of a zone. It cannot be undone.',
    load: async (add, command) => {
      add(command, (await import('./zone/finish')).finishCommand);
    },
  },
  {
    group: 'Migrate the zone',
    name: 'firewall',
    summary: 'Manage filters, firewall rules, and URI overrides',
    load: async (add, command) => {
      const { addFirewallCommands } = await import('./firewall');
      addFirewallCommands(command, add);
    },
  },
  {
    group: 'Many zones',
    name: 'fleet',
    summary: 'Show the progress of many zones',
    load: async (add, command) => {
      const { fleetStatusCommand } = await import('./many-zones/fleet-status');
      const summary = 'Show the progress of each zone, from the local ledger';
      add(command.command('status').description(summary), fleetStatusCommand);
    },
  },
  {
    group: 'Try it',
    name: 'demo',
    summary: 'Run the whole migration here, without an account',
    load: async (add, command) => {
      add(command, (await import('./try/demo')).demoCommand);
    },
  },
  {
    group: 'Try it',
    name: 'emulator',
    summary: 'Run an emulator of the Cloudflare API',
    load: async (add, command) => {
      add(command, (await import('./try/emulator')).emulatorCommand);
    },
  },
  {
    group: 'Try it',
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    load: async (add, command, program) => {
      const { completionCommand } = await import('./try/completion');
      add(command, completionCommand(program));
    },
  },
];
