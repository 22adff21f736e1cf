import { Option } from 'commander';
import { findingCodes, renderFindings } from '../../core/finding';
import { printable } from '../../core/printable';
import { check } from '../../zone/check';
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

type CheckOptions = ServiceOptions & ZoneOption & FleetOptions & { readonly phase: '1' | '2' };

/** Where the question comes too late. */
const verdicts = new Map([
  ['ALREADY_MIGRATED', 'has migrated'],
  ['MIGRATION_UNDER_WAY', 'is being migrated'],
]);

/** `check`: may the zone migrate. */
export const checkCommand: CliCommand<CheckOptions> = {
  example: 'check --zone 0123456789abcdef0123456789abcdef',
  define: (command) =>
    withService(withFleet(withZone(command))).addOption(
      new Option('--phase <phase>', 'procedure: 2 is the current one, 1 the stricter earlier one')
        .choices(['1', '2'])
        .default('2'),
    ),
  run: (options, context) => {
    const phase = options.phase === '1' ? 1 : 2;
    return forZones(options, context, {
      stage: 'check',
      request: { phase },
      perform: async (client, { id }) => {
        const result = await check(client, id, { phase });
        const { compatible, findings } = result;
        const state = `(migration state: ${printable(result.migrationState, 40)})`;
        const codes = findingCodes(findings);
        const may = compatible ? 'may migrate' : 'may not migrate';
        const verdict = verdicts.get(codes) ?? may;
        return {
          json: result,
          text: [`Zone ${id} ${verdict} ${state}`, ...renderFindings(findings)].join('\n'),
          line: `${verdict} ${state}${codes === '' ? '' : `: ${codes}`}`,
          exitCode: compatible ? 0 : 2,
        };
      },
    });
  },
};
