import { type Command } from 'commander';
import { type CliCommand, type CommandGroup } from '../context';

/** A command: it is loaded only if the command line names it. */
interface CommandEntry {
  readonly summary: string;
  /** @param program for completion, which describes it */
  readonly load: (program: Command) => Promise<CliCommand | CommandGroup>;
}

/** The one list of commands by group, as `--help` shows it. */
export const commands: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  Assess: {
    status: {
      summary: 'Show which WAF is on, and what is deployed',
      load: async () => (await import('./assess/status')).statusCommand,
    },
    check: {
      summary: 'Check whether a zone can migrate, and list what blocks it',
      load: async () => (await import('./assess/check')).checkCommand,
    },
    report: {
      summary: 'Report what happens to each legacy setting',
      load: async () => (await import('./assess/report')).reportCommand,
    },
    catalogue: {
      summary: 'Look up which new rule replaces a legacy rule',
      load: async () => ({
        commands: { lookup: (await import('./assess/catalogue')).lookupCommand },
      }),
    },
  },
  Generate: {
    generate: {
      summary: 'Generate the ruleset stack: CDKTF, HCL or Terraform JSON',
      load: async () => (await import('./generate/generate')).generateCommand,
    },
    'fetch-config': {
      summary: 'Save the raw migration configuration',
      load: async () => (await import('./generate/fetch-config')).fetchConfigCommand,
    },
  },
  'Migrate the Terraform state': {
    plan: {
      summary: 'Plan the migration of a Terraform state',
      load: async () => (await import('./state/plan')).planCommand,
    },
    rehearse: {
      summary: 'Run the plan on a copy; require an empty terraform plan',
      load: async () => (await import('./state/rehearse')).rehearseCommand,
    },
    apply: {
      summary: 'Run the plan, with backups. Re-run to resume.',
      load: async () => (await import('./state/apply')).applyCommand,
    },
    verify: {
      summary: 'Verify that state and configuration match the plan',
      load: async () => (await import('./state/verify')).verifyCommand,
    },
    rollback: {
      summary: 'Restore the state and files from before apply',
      load: async () => (await import('./state/rollback')).rollbackCommand,
    },
  },
  'Migrate the zone': {
    'start-validation': {
      summary: 'Enterprise: run both WAFs. Re-run to adjust it.',
      load: async () => (await import('./zone/start-validation')).startValidationCommand,
    },
    review: {
      summary: 'Compare both WAFs in security events, and propose fixes',
      load: async () => (await import('./zone/review')).reviewCommand,
    },
    finish: {
      summary: 'Finish the migration of a zone. It cannot be undone.',
      load: async () => (await import('./zone/finish')).finishCommand,
    },
    firewall: {
      summary: 'Manage filters, firewall rules, and URI overrides',
      load: async () => ({
        commands: {
          ...(await import('./firewall/rules')).firewallCommands,
          overrides: (await import('./firewall/overrides')).overrideCommands,
        },
      }),
    },
  },
  'Many zones': {
    fleet: {
      summary: 'Show the progress of many zones',
      load: async () => ({
        commands: { status: (await import('./fleet/fleet-status')).fleetStatusCommand },
      }),
    },
  },
  'Try it': {
    demo: {
      summary: 'Check, generate and plan with sample data',
      load: async () => (await import('./try/demo')).demoCommand,
    },
    emulator: {
      summary: 'Run an emulator of the Cloudflare API',
      load: async () => (await import('./try/emulator')).emulatorCommand,
    },
    completion: {
      summary: 'Print a completion script for bash, zsh or fish',
      load: async (program) => (await import('./try/completion')).completionCommand(program),
    },
  },
};
