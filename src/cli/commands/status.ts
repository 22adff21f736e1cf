import { findingCodes, renderFindings } from '../../core/finding';
import { printable } from '../../core/printable';
import { status } from '../../zone/status';
import { type CliCommand } from '../context';
import { forZones } from '../many-zones';
import {
  type FleetOptions,
  type ServiceOptions,
  withFleet,
  withService,
  withZone,
  type ZoneOption,
} from '../options';

/** What is on, in three letters. */
const WORDS = { acts: 'on ', logs: 'log', off: 'off' } as const;

/** `status`: which WAF is on, and what is deployed. */
export const statusCommand: CliCommand<ServiceOptions & ZoneOption & FleetOptions> = {
  example: 'status --zone 0123456789abcdef0123456789abcdef',
  define: (command) => withService(withFleet(withZone(command))),
  run: (options, context) =>
    forZones(options, context, {
      stage: 'status',
      request: {},
      perform: async (client, zone) => {
        const result = await status(client, zone.id);
        const deployed = result.deployed.map(
          ({ id, name, effect, expression }) =>
            `  ${WORDS[effect]} ${printable(name ?? 'unknown ruleset', 60)} (${printable(id, 32)}) where ${printable(expression, 80)}`,
        );
        const { oldWaf, newWaf, migrationState, findings } = result;
        const line = `old WAF ${oldWaf}, new WAF ${newWaf}, migration state ${printable(migrationState, 40)}`;
        const codes = findingCodes(findings);
        return {
          json: result,
          text: [
            line,
            deployed.length === 0 ? 'no managed ruleset is deployed' : 'deployed managed rulesets:',
            ...deployed,
            ...renderFindings(findings),
          ].join('\n'),
          line: `${line}, ${deployed.length} deployed${codes === '' ? '' : `: ${codes}`}`,
          exitCode: 0,
        };
      },
    }),
};
