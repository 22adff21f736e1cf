import { Option } from 'commander';
import { findingCodes, renderFindings } from '../../../core/finding';
import { printable } from '../../../core/printable';
import { check } from '../../../zone/check';
import { type CliCommand } from '../../context';
import { forZones } from '../../many-zones/for-zones';
import {
  type FleetOptions,
  sameZones,
  type ServiceOptions,
  withFleet,
  withService,
  withZone,
  type ZoneOptions,
} from '../../options';

type CheckOptions = ServiceOptions & ZoneOptions & FleetOptions & { readonly phase: '1' | '2' };

/** Zones that need no check. */
const verdicts = new Map([
  ['ALREADY_MIGRATED', 'has migrated'],
  ['MIGRATION_UNDER_WAY', 'is being migrated'],
]);

/** `check`: whether the zone can migrate, and what blocks it. */
export const checkCommand: CliCommand<CheckOptions> = {
  example: 'check --zone 0123456789abcdef0123456789abcdef',
  define: (command) =>
    withService(withFleet(withZone(command))).addOption(
      new Option('--phase <phase>', 'procedure; 1 is the stricter earlier one')
        .choices(['1', '2'])
        .default('2'),
    ),
  run: (options, context) => {
    const phase = options.phase === '1' ? 1 : 2;
    return forZones(options, context, {
      stage: 'check',
      request: { phase },
      next: `report ${sameZones(options)} --out reports`,
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
          next: compatible ? `report --zone ${id}` : context.commandLine,
          exitCode: compatible ? 0 : 2,
        };
      },
    });
  },
};
