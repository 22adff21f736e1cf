import { positionOfState } from '../../../cloudflare/waf-migration';
import { findingCodes, renderFindings } from '../../../core/finding';
import { objectOf, textOf } from '../../../core/json';
import { printable } from '../../../core/printable';
import { type ZoneOutcome } from '../../../fleet/run-fleet';
import { check } from '../../../zone/check';
import { defineCommand } from '../../context';
import { withZonesOfFolder } from '../../plans/plan-by-flags';
import { forZones } from '../../many-zones/for-zones';
import { sameZones, TERRAFORM, ZONES, type ZonesOptions } from '../../options';
import { spelt } from '../../zones';

/** The verdict and the next command; `status` knows that of a zone whose migration has begun. */
function verdictOf(codes: string, isEligible: boolean): readonly [string, string?] {
  if (codes === 'ALREADY_MIGRATED') return ['is migrated', 'status'];
  if (codes === 'MIGRATION_UNDER_WAY') return ['is being migrated', 'status'];
  return isEligible ? ['can migrate', 'report'] : ['cannot migrate'];
}

/** The settings of eligible zones can be reported; `status` knows the next step of those that are past the check. */
function nextOfList(outcomes: readonly ZoneOutcome[], options: ZonesOptions): string {
  const zones = sameZones(options);
  const isEligible = ({ outcome, result }: ZoneOutcome): boolean => {
    const position = positionOfState(textOf(objectOf(result)['migrationState']));
    return outcome === 'done' && position !== 'moved' && position !== 'moving';
  };
  const eligible = outcomes.filter(isEligible).map(({ zone }) => zone);
  if (eligible.length > 0) {
    // `report` of named zones fails if it cannot read one of them
    return options.zone === undefined
      ? `report ${zones} --out reports`
      : `report ${sameZones({ zone: eligible })}`;
  }
  const blocked = outcomes.find(({ outcome }) => outcome === 'attention');
  return blocked === undefined ? `status ${zones}` : `check --zone ${blocked.zone}`;
}

export const checkCommand = defineCommand({
  example: 'check --zone 0123456789abcdef0123456789abcdef',
  flags: {
    ...ZONES,
    ...TERRAFORM,
    '--phase <phase>': {
      summary: 'migration procedure; 1 is stricter',
      choices: ['1', '2'],
      usual: '2',
    },
  },
  run: async (given, context) => {
    const options = await withZonesOfFolder(given, context);
    const phase = options.phase === '1' ? 1 : 2;
    return forZones(options, context, {
      stage: 'check',
      request: { phase },
      next: (outcomes) => nextOfList(outcomes, options),
      perform: async (client, { id }) => {
        const result = await check(client, id, { phase });
        const { compatible, findings } = result;
        const state = `(migration state: ${printable(result.migrationState, 40)})`;
        const codes = findingCodes(findings);
        const [verdict, next] = verdictOf(codes, compatible);
        const zone = spelt(options, id);
        return {
          json: result,
          text: [`Zone ${zone} ${verdict} ${state}`, ...renderFindings(findings)].join('\n'),
          line: `${verdict} ${state}${codes === '' ? '' : `: ${codes}`}`,
          next: next === undefined ? context.commandLine : `${next} --zone ${zone}`,
          exitCode: compatible ? 0 : 2,
        };
      },
    });
  },
});
