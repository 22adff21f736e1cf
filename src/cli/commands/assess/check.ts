import { positionOfState, type ZonePosition } from '../../../cloudflare/waf-migration';
import { findingCodes, isBlocker, isOpenFinding, renderFindings } from '../../../core/finding';
import { printable } from '../../../core/printable';
import { readResult } from '../../../fleet/ledger';
import { check } from '../../../zone/check';
import { defineCommand } from '../../context';
import { advanced } from '../../flags';
import { withZonesOfFolder } from '../../plans/plan-by-flags';
import { forZones } from '../../fleet/for-zones';
import { REMEDIES, reportLine } from '../../fleet/next-of-list';
import { commandForSameZones, TERRAFORM, ZONES } from '../../options';
import { spelt } from '../../zones';

/** What a position means, and the next command: `status` knows that of a zone whose migration has begun. */
const VERDICTS: Readonly<Record<ZonePosition, { verdict: string; next: 'status' | 'report' }>> = {
  start: { verdict: 'can migrate', next: 'report' },
  unknown: { verdict: 'can migrate', next: 'report' },
  validation: { verdict: 'is in validation mode, and can migrate', next: 'status' },
  moving: { verdict: 'is being migrated', next: 'status' },
  moved: { verdict: 'is migrated', next: 'status' },
};

export const checkCommand = defineCommand({
  example: 'check --zone 0123456789abcdef0123456789abcdef',
  flags: {
    ...ZONES,
    ...TERRAFORM,
    '--phase <phase>': {
      ...advanced('migration phase of Cloudflare; 1 was stricter'),
      choices: ['1', '2'],
      usual: '2',
    },
  },
  run: async (given, context) => {
    const options = await withZonesOfFolder(given, context);
    const phase = options.phase === '1' ? 1 : 2;
    return forZones(options, context, {
      stage: 'check',
      next: (outcomes) => {
        const states = outcomes.map((one) => readResult(one).migrationState);
        const hasBegun = states.every((one) => VERDICTS[positionOfState(one)].next === 'status');
        return hasBegun ? commandForSameZones('status', options) : reportLine(options);
      },
      perform: async (client, { id }) => {
        const result = await check(client, id, { phase });
        const { migrationState, findings } = result;
        const blockers = findings.filter(isBlocker);
        const { verdict, next } = VERDICTS[positionOfState(migrationState)];
        const shown = `${blockers.length > 0 ? 'cannot migrate' : verdict} (migration state: ${printable(migrationState, 40)})`;
        const codes = findingCodes(findings);
        const zone = spelt(options, id);
        // only phase two migrates a zone that misses a condition of phase one
        const isOfPhaseOne = blockers.some(({ code }) => code === 'PHASE_ONE_CONDITION');
        const again = isOfPhaseOne ? `check --zone ${zone} --phase 2` : context.commandLine;
        return {
          json: result,
          text: [`Zone ${zone} ${shown}`, ...renderFindings(findings)].join('\n'),
          line: `${shown}${codes === '' ? '' : `: ${codes}`}`,
          open: findings.filter(isOpenFinding),
          ...(blockers.length === 0
            ? { next: `${next} --zone ${zone}` }
            : { next: again, ...(!isOfPhaseOne && { before: REMEDIES }) }),
          exitCode: blockers.length === 0 ? 0 : 2,
        };
      },
    });
  },
});
