import { renderFindings } from '../../model/render-findings';
import { printable } from '../../model/printable';
import { type CliCommand } from '../command';
import { type ServiceOptions, withClient, withService } from '../service-options';

/** `check`: may the zone migrate. */
export const checkCommand: CliCommand<ServiceOptions & { zone: string }> = {
  name: 'check',
  summary: 'may the zone migrate, and if not, what blocks it',
  example: 'check --zone 0123456789abcdef0123456789abcdef',
  define: (command) =>
    withService(command).requiredOption('--zone <id>', 'zone id, 32 hexadecimal digits'),
  run: (options, context) =>
    withClient(options, context, async (client) => {
      const { check } = await import('../../actions/check');
      const result = await check(client, options.zone);
      const verdict = result.compatible ? 'may migrate' : 'may not migrate';
      return {
        json: result,
        text: [
          `Zone ${options.zone} ${verdict} (migration state: ${printable(result.migrationState, 40)})`,
          ...renderFindings(result.findings),
        ].join('\n'),
        exitCode: result.compatible ? 0 : 2,
      };
    }),
};
