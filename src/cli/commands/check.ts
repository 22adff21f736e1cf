import { Option } from 'commander';
import { renderFindings } from '../../model/render-findings';
import { printable } from '../../model/printable';
import { type CliCommand } from '../command';
import { type ServiceOptions, withClient, withService } from '../service-options';
import { requireZone, withZone, type ZoneOption } from '../zone-option';

/** `check`: may the zone migrate. */
export const checkCommand: CliCommand<ServiceOptions & ZoneOption & { phase: '1' | '2' }> = {
  name: 'check',
  summary: 'may the zone migrate, and if not, what blocks it',
  example: 'check --zone 0123456789abcdef0123456789abcdef',
  define: (command) =>
    withService(withZone(command)).addOption(
      new Option('--phase <phase>', 'procedure: 2 is the current one, 1 the stricter earlier one')
        .choices(['1', '2'])
        .default('2'),
    ),
  run: async (options, context) => {
    const zone = requireZone(options);
    return withClient(options, context, async (client) => {
      const { check } = await import('../../actions/check');
      const result = await check(client, zone, { phase: options.phase === '1' ? 1 : 2 });
      const verdict = result.compatible ? 'may migrate' : 'may not migrate';
      return {
        json: result,
        text: [
          `Zone ${zone} ${verdict} (migration state: ${printable(result.migrationState, 40)})`,
          ...renderFindings(result.findings),
        ].join('\n'),
        exitCode: result.compatible ? 0 : 2,
      };
    });
  },
};
