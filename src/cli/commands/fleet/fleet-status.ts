import { resolve } from 'node:path';
import { requireOwnFiles } from '../../../apply/journal/secure-backup-folder';
import { alignColumns, firstLine, printable, printableJson } from '../../../core/printable';
import { renderFleetHtml } from '../../../fleet/html';
import { readLedger, readResult, refusedEntries, type StageRefusal } from '../../../fleet/ledger';
import {
  byUrgency,
  commandToRepeat,
  describeProgress,
  isUnprotected,
  openStages,
  stageCounts,
  stagesOf,
  type ZoneStanding,
  zoneStandings,
} from '../../../fleet/standings';
import { type StageStanding } from '../../../fleet/zone-results';
import { defineCommand } from '../../context';
import { currentEntries } from '../../../fleet/read-plans';
import { commandOf, DEFAULT_LEDGER, OUT } from '../../options';
import { formatOf, writeOrPrint } from '../../output';

export const fleetStatusCommand = defineCommand({
  summary: 'Show the progress of each zone, from the local ledger',
  example: 'fleet status --format html --out fleet.html',
  flags: {
    '--ledger <file>': { summary: 'record of the runs', usual: DEFAULT_LEDGER },
    '--format <format>': { summary: 'output', choices: ['text', 'json', 'html'], usual: 'text' },
    ...OUT,
  },
  run: async (options, context) => {
    const path = resolve(context.cwd, options.ledger);
    await requireOwnFiles(path, context.environment);
    const entries = currentEntries(readLedger(path), context.cwd);
    const refused = refusedEntries(entries);
    const zones = zoneStandings(entries);
    const isDone = refused.length === 0 && zones.every(({ state }) => state === 'migrated');
    const exitCode = isDone ? (0 as const) : (2 as const);
    // the page is for other readers
    const next = options.format === 'html' ? undefined : nextOf(zones);
    const result = { json: { zones, refused }, next, exitCode } as const;
    const formats = {
      text: () => `${renderTable(zones, refused).join('\n')}\n`,
      json: () => `${printableJson(result.json, 2)}\n`,
      html: () => renderFleetHtml(entries),
    };
    return writeOrPrint(result, options, context, formats[formatOf(options, context)]);
  },
});

/** The reports of lost settings that a migration has ended. */
const lossesOf = ({ stages }: ZoneStanding) =>
  Object.entries(stages).filter(
    ([, one]) => one.outcome === 'done' && readResult(one).summary.lost > 0,
  );

/**
 * Repeats what failed or waits. What comes after other steps depends on the zones and their folders, which `status` reads.
 * The command that repeats an interrupted step is printed above, with a condition.
 */
function nextOf(zones: readonly ZoneStanding[]): string | undefined {
  const left = zones.filter(({ state }) => state !== 'migrated').toSorted(byUrgency);
  const [first] = left;
  if (first === undefined || toResume(zones).length > 0) return undefined;
  // a zone that left its list has no command
  const [command] = left.flatMap(commandsToRepeat);
  // the list is confirmed anew
  if (command !== undefined) return printable(command.replace(/ --confirm[ =]\S+/, ''));
  const [list] = left.flatMap(({ stages }) => Object.values(stages).flatMap(statusOfList));
  return list ?? commandOf('status', { zone: first.name });
}

/** The commands that repeat the steps of a zone, the most urgent first. */
const commandsToRepeat = ({ stages }: ZoneStanding): string[] =>
  ['failed', 'waiting'].flatMap((wanted) =>
    Object.values(stages).flatMap((one) => (one.outcome === wanted ? commandToRepeat(one) : [])),
  );

/** The status of the list that a command ran for. */
const statusOfList = (standing: StageStanding): string[] =>
  commandToRepeat(standing)
    .filter((one) => / --(?:zones|account)[ =]/.test(one))
    .map((one) => printable(`status${(one.match(LIST_FLAGS) ?? []).join('')}`));

/** With their quoted values. */
const LIST_FLAGS = / --(?:zones|account|ledger)[ =](?:'[^']*'|\\'|[^\s'])+/g;

/** The commands of steps without a result. */
const toResume = (zones: readonly ZoneStanding[]): string[] =>
  zones.flatMap(({ stages }) =>
    Object.values(stages).flatMap((one) => (one.outcome === 'unknown' ? commandToRepeat(one) : [])),
  );

/** One line for each zone and one column for each stage; below them the failures and the counts of each stage. */
function renderTable(all: readonly ZoneStanding[], refused: readonly StageRefusal[]): string[] {
  const stages = stagesOf(all);
  const head = ['zone', 'id', ...stages];
  const zones = all.toSorted(byUrgency);
  const rows = zones.map(({ zone, name, stages: own }) => [
    printable(name, 60),
    zone,
    ...stages.map((stage) => own[stage]?.outcome ?? '-'),
  ]);
  const open = zones.flatMap((zone) =>
    [...openStages(zone), ...lossesOf(zone)].map(([stage, { outcome, line, error }]) => {
      const code = error === undefined ? '' : ` (${error.code})`;
      return `${printable(zone.name, 60)}: ${stage} ${outcome}: ${printable(firstLine(line), 200)}${code}`;
    }),
  );
  const told = refused.map(
    ({ stage, error: { code, message } }) =>
      `${stage} refused: ${printable(message, 300)} (${code})`,
  );
  const off = zones.filter(isUnprotected).map(({ name }) => printable(name, 60));
  const without = off.length === 0 ? [] : [`without a WAF: ${off.join(', ')} (ZONE_UNPROTECTED)`];
  const again = [...new Set(toResume(zones))].map((command) => `  cf-waf-migrate ${command}`);
  const resume = again.length === 0 ? [] : ['', 'If no run is active, run again:', ...again];
  const below = [...open, ...told, ...without, ...stageCounts(all), ...resume];
  const lines = [...alignColumns([head, ...rows]), '', describeProgress(all), ...below];
  // stages and codes also come from a file
  return lines.map((line) => printable(line));
}
