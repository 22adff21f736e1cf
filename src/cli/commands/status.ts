import { printable } from '../../model/printable';
import { renderFindings } from '../../model/render-findings';
import { type CliCommand } from '../command';
import { type ServiceOptions, withClient, withService } from '../service-options';
import { requireZone, withZone, type ZoneOption } from '../zone-option';

/** `status`: which WAF is on, and what is deployed. */
export const statusCommand: CliCommand<ServiceOptions & ZoneOption> = {
  name: 'status',
  summary: 'which WAF is on, how far the migration is, what is deployed',
  example: 'status --zone 0123456789abcdef0123456789abcdef',
  define: (command) => withService(withZone(command)),
  run: async (options, context) => {
    const zone = requireZone(options);
    return withClient(options, context, async (client) => {
      const { status } = await import('../../actions/status');
      const result = await status(client, zone);
      const deployed = result.deployed.map(
        ({ id, name, enabled, expression }) =>
          `  ${enabled ? 'on ' : 'off'} ${printable(name ?? 'unknown ruleset', 60)} (${printable(id, 32)}) where ${printable(expression, 80)}`,
      );
      return {
        json: result,
        text: [
          `old WAF ${result.oldWaf}, new WAF ${result.newWaf}, migration state ${printable(result.migrationState, 40)}`,
          deployed.length === 0 ? 'no managed ruleset is deployed' : 'deployed managed rulesets:',
          ...deployed,
          ...renderFindings(result.findings),
        ].join('\n'),
        exitCode: 0,
      };
    });
  },
};
