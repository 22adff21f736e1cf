import { hintLines } from '../../core/finding';
import { counted, firstLine, printable } from '../../core/printable';
import { type FleetZone, type RefusedEntry } from '../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../fleet/run-fleet';
import { describeRefused } from '../../fleet/standings';
import { type CommandResult } from '../context';

/**
 * The result of a run over many zones: an entry and a line for each zone, a summary, and the exit code: 1 if a
 * zone failed or was refused, otherwise 2 if one needs attention.
 * @param run its ledger, and the effect of a second run of its command
 */
export function renderFleet(
  zones: RunZones,
  { ledger, again }: { readonly ledger: string; readonly again: string },
): CommandResult {
  const { outcomes, refused, skipped } = zones;
  const summary = countZones(zones);
  const failed = summary.failed + summary.refused + summary.waiting > 0;
  return {
    json: {
      zones: outcomes,
      refused: refused.map(describeRefused),
      skipped: skipped.map(({ id, name }) => ({ zone: id, name })),
      ...{ summary, ledger },
    },
    text: [
      ...skipped.map(({ id, name }) => `skipped    ${printable(name, 100)} (${id}): ${NO_FOLDER}`),
      ...[...outcomes].sort(byOutcome).flatMap(renderZone),
      ...refused.flatMap(({ error }) => [
        `refused    ${printable(error.message, 300)} (${error.code})`,
        renderHint(error.hint),
      ]),
      renderSummary(summary) + (summary.waiting === 0 ? '' : `; ${again}`),
      `Ledger: ${printable(ledger)}`,
    ].join('\n'),
    exitCode: failed ? 1 : summary.attention > 0 ? 2 : 0,
  };
}

/** The zones of a run. */
interface RunZones {
  readonly outcomes: readonly ZoneOutcome[];
  readonly refused: readonly RefusedEntry[];
  readonly skipped: readonly FleetZone[];
}

function countZones({ outcomes, refused, skipped }: RunZones) {
  const count = (wanted: ZoneOutcome['outcome']): number =>
    outcomes.filter(({ outcome }) => outcome === wanted).length;
  return {
    zones: outcomes.length + refused.length + skipped.length,
    done: count('done'),
    attention: count('attention'),
    failed: count('failed'),
    // not started, because another zone stopped the waves or the run was interrupted
    waiting: count('waiting'),
    // entries of the list that are not a zone of this run
    refused: refused.length,
    skipped: skipped.length,
    // zones among the others that an earlier run completed
    earlier: outcomes.filter(({ earlier }) => earlier).length,
  };
}

const NO_FOLDER = 'no Terraform folder in the list: generate its stack';

/** Zones that need the user come last, beside the summary. */
const ORDER = ['done', 'attention', 'waiting', 'failed'];
const byOutcome = (one: ZoneOutcome, other: ZoneOutcome): number =>
  ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome);

function renderZone({ zone, name, outcome, line, error, earlier }: ZoneOutcome): string[] {
  const mark = earlier ? ' (earlier)' : '';
  const code = error === undefined ? '' : ` (${error.code})`;
  const head = `${outcome.padEnd(10)} ${printable(name, 100)} (${zone})${mark}: `;
  return [
    `${head}${printable(firstLine(line), 300)}${code}`,
    ...(error?.causes ?? []).map((cause) => `  cause: ${printable(firstLine(cause), 300)}`),
    ...(error === undefined ? [] : [renderHint(error.hint)]),
  ];
}

function renderHint(hint: string): string {
  const lines = hintLines(hint).map((line) => printable(line));
  return `  hint: ${lines.join('\n    ')}`;
}

function renderSummary(counts: ReturnType<typeof countZones>): string {
  const { zones, done, attention, failed, waiting, refused, skipped, earlier } = counts;
  const others = [
    [attention, attention === 1 ? 'needs attention' : 'need attention'],
    [failed, 'failed'],
    [waiting, 'not started'],
    [refused, 'refused'],
    [skipped, 'without a Terraform folder'],
    [earlier, 'of them by an earlier run'],
  ] as const;
  const parts = others.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  return `${counted(zones, 'zone')}: ${[`${done} done`, ...parts].join(', ')}`;
}
