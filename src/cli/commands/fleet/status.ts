import { resolve } from 'node:path';
import { type ZoneStanding } from '../../../fleet/fleet-table';
import { printable } from '../../../model/printable';
import { renderFindings } from '../../../model/render-findings';
import { type CliCommand } from '../../command';

/** `fleet status`: the ledger as a table, without asking anybody. */
export const fleetStatusCommand: CliCommand<{ readonly ledger?: string }> = {
  name: 'status',
  summary: 'where each zone stands, by the ledger alone',
  example: 'fleet status --ledger cf-waf-migrate-fleet/ledger.jsonl',
  define: (command) =>
    command.option('--ledger <file>', 'the ledger', 'cf-waf-migrate-fleet/ledger.jsonl'),
  run: async ({ ledger = '' }, { cwd }) => {
    const { readLedger } = await import('../../../fleet/ledger');
    const { zoneStandings } = await import('../../../fleet/fleet-table');
    const { entries, findings } = readLedger(resolve(cwd, ledger));
    const zones = zoneStandings(entries);
    const outcomes = zones.flatMap(({ stages }) => Object.values(stages));
    const unfinished = outcomes.some(({ outcome }) => outcome !== 'done');
    return {
      json: { zones, findings },
      text: [...renderTable(zones), ...renderFindings(findings)].join('\n'),
      exitCode: unfinished ? 2 : 0,
    };
  },
};

/** One line a zone, one column a stage, and what is wrong below. */
function renderTable(zones: readonly ZoneStanding[]): string[] {
  const stages = [...new Set(zones.flatMap((zone) => Object.keys(zone.stages)))].sort();
  const head = ['zone', 'id', ...stages];
  const rows = zones.map(({ zone, name, stages: own }) => [
    printable(name, 60),
    zone,
    ...stages.map((stage) => own[stage]?.outcome ?? '-'),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const open = zones.flatMap(({ name, stages: own }) =>
    Object.entries(own)
      .filter(([, { outcome }]) => outcome !== 'done')
      .map(([stage, { outcome, line: told, error }]) => {
        const code = error === undefined ? '' : ` (${error.code})`;
        const [first = ''] = told.split('\n', 1);
        return `${printable(name, 60)}: ${stage} ${outcome}: ${printable(first, 200)}${code}`;
      }),
  );
  return [line(head), ...rows.map(line), ...(open.length === 0 ? [] : ['', ...open])];
}
