import { resolve } from 'node:path';
import { renderFindings } from '../../core/finding';
import { printable } from '../../core/printable';
import { readSavedRuleset } from '../../generate/read-source';
import { type EntryPointSource } from '../../zone/migration-call';
import { startValidation } from '../../zone/start-validation';
import { withClient } from '../client';
import { consent, rulesOf } from '../consent';
import { type CliCommand, type CliContext } from '../context';
import {
  type MigrationOptions,
  requireZone,
  type ServiceOptions,
  withMigrationSource,
  withService,
  withZone,
  type ZoneOption,
} from '../options';

interface ValidationOptions extends ServiceOptions, ZoneOption, MigrationOptions {
  readonly yes?: boolean;
  readonly logOnly?: boolean;
}

/** `start-validation`: both WAFs on, for an Enterprise zone. */
export const startValidationCommand: CliCommand<ValidationOptions> = {
  example: 'start-validation --zone 0123456789abcdef0123456789abcdef --config config.json',
  define: (command) =>
    withService(withMigrationSource(withZone(command)))
      .option(
        '--log-only',
        'every new rule logs, so that none hides the old WAF: for a comparison with review',
      )
      .option('--yes', 'do not ask'),
  run: async (options, context) => {
    const zone = requireZone(options);
    const source = await readMigrationSource(options, context);
    return withClient(options, context, async (client) => {
      const result = await startValidation(client, zone, source, {
        onlyLog: options.logOnly ?? false,
        confirm: ({ name }, declared, findings) =>
          consent(
            {
              lists: { Zone: [`${name} (${zone})`], 'Rules to send': rulesOf(declared) },
              findings,
              question: 'Start validation mode? Only `finish` leaves it.',
            },
            options,
            context,
          ),
      });
      const { oldWaf, newWaf, migrationState, findings } = result;
      return {
        json: result,
        text: [
          `Zone ${zone}: old WAF ${oldWaf}, new WAF ${newWaf}, migration state ${printable(migrationState, 40)}`,
          ...renderFindings(findings),
          'Validation mode is left only by finishing the migration:',
          `  cf-waf-migrate finish --zone ${zone} --confirm <name of the zone>`,
        ].join('\n'),
        exitCode: 0,
      };
    });
  },
};

/** @throws MigrationError `FILE_UNREADABLE`, `RULESET_INVALID`, `RULESET_EMPTY` */
export async function readMigrationSource(
  { source = 'auto', config }: MigrationOptions,
  { cwd }: CliContext,
): Promise<EntryPointSource> {
  if (config === undefined) return { source };
  return { source, given: await readSavedRuleset(resolve(cwd, config), source) };
}
