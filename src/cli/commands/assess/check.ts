import { positionOfState } from '../../../cloudflare/waf-migration';
import {
  type Finding,
  findingCodes,
  firstOfEachCode,
  isBlocker,
  renderFindings,
} from '../../../core/finding';
import { printable } from '../../../core/printable';
import { check, type CheckResult } from '../../../zone/check';
import { defineCommand } from '../../context';
import { withZonesOfFolder } from '../../plans/plan-by-flags';
import { forZones, reportLine } from '../../many-zones/for-zones';
import { commandOf, sameZones, TERRAFORM, ZONES } from '../../options';
import { spelt } from '../../zones';

/** The verdict and the next command; `status` knows that of a zone whose migration has begun. */
function verdictOf({ compatible, migrationState, findings }: CheckResult): [string, string?] {
  const codes = findingCodes(findings);
  if (codes === 'ALREADY_MIGRATED') return ['is migrated', 'status'];
  if (codes === 'MIGRATION_UNDER_WAY') return ['is being migrated', 'status'];
  if (!compatible) return ['cannot migrate'];
  return positionOfState(migrationState) === 'validation'
    ? ['is in validation mode, and can migrate', 'status']
    : ['can migrate', 'report'];
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
    const begun = new Set<string>();
    const blockers: Finding[] = [];
    return forZones(options, context, {
      stage: 'check',
      next: (outcomes) =>
        outcomes.every(({ zone }) => begun.has(zone))
          ? commandOf('status', '', sameZones(options))
          : reportLine(options),
      perform: async (client, { id }) => {
        const result = await check(client, id, { phase });
        const { compatible, findings } = result;
        const state = `(migration state: ${printable(result.migrationState, 40)})`;
        const codes = findingCodes(findings);
        blockers.push(...findings.filter(isBlocker));
        const [verdict, next] = verdictOf(result);
        if (next === 'status') begun.add(id);
        const zone = spelt(options, id);
        return {
          json: result,
          text: [`Zone ${zone} ${verdict} ${state}`, ...renderFindings(findings)].join('\n'),
          line: `${verdict} ${state}${codes === '' ? '' : `: ${codes}`}`,
          next: next === undefined ? context.commandLine : `${next} --zone ${zone}`,
          exitCode: compatible ? 0 : 2,
        };
      },
      conclude: () => renderFindings(firstOfEachCode(blockers)),
    });
  },
});
