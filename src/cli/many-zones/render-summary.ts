import { hintLines } from '../../core/finding';
import { counted, firstLine, printable } from '../../core/printable';
import { type RefusedEntry } from '../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../fleet/run-fleet';
import { describeRefused } from '../../fleet/standings';
import { type CommandResult } from '../context';

/**
 * The result of a run over many zones: an entry and a line for each zone, a summary, and the exit code: 1 if a
 * zone failed or was refused, otherwise 2 if one needs attention.
 * @param run its ledger, and the effect of a second run of its command
 */
export function renderFleet(
  outcomes: readonly ZoneOutcome[],
  refused: readonly RefusedEntry[],
  { ledger, again }: { readonly ledger: string; readonly again: string },
): CommandResult {
  const count = (wanted: ZoneOutcome['outcome']): number =>
    outcomes.filter(({ outcome }) => outcome === wanted).length;
  const summary = {
    zones: outcomes.length + refused.length,
    done: count('done'),
    attention: count('attention'),
    failed: count('failed'),
    // not started, because another zone stopped the waves or the run was interrupted
    waiting: count('waiting'),
    // entries of the list that are not a zone of this run
    refused: refused.length,
    skipped: count('skipped'),
    // zones among the others that an earlier run completed
    earlier: outcomes.filter(({ earlier }) => earlier).length,
  };
  const failed = summary.failed + summary.refused + summary.waiting > 0;
  return {
    json: { zones: outcomes, refused: refused.map(describeRefused), summary, ledger },
    text: [
      ...[...outcomes].sort(byOutcome).flatMap(renderZone),
      // the zones of one plan share an error
      ...[...new Set(refused.map(({ error }) => error))].flatMap(({ message, code, hint }) => [
        `refused    ${printable(message, 300)} (${code})`,
        renderHint(hint),
      ]),
      renderSummary(summary) + (summary.waiting === 0 ? '' : `; ${again}`),
      `Ledger: ${printable(ledger)}`,
    ].join('\n'),
    exitCode: failed ? 1 : summary.attention > 0 ? 2 : 0,
  };
}

/** Zones that need the user come last, beside the summary. */
const ORDER = ['skipped', 'done', 'attention', 'waiting', 'failed'];
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

type Count = ZoneOutcome['outcome'] | 'zones' | 'refused' | 'earlier';

function renderSummary(counts: Readonly<Record<Count, number>>): string {
  const { zones, done, attention, failed, waiting, refused, skipped, earlier } = counts;
  const others = [
    [attention, attention === 1 ? 'needs attention' : 'need attention'],
    [failed, 'failed'],
    [waiting, 'not started'],
    [refused, 'refused'],
    [skipped, 'skipped'],
  ] as const;
  const parts = others.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  const before = earlier === 0 ? '' : `; ${earlier} by an earlier run`;
  return `${counted(zones, 'zone')}: ${[`${done} done`, ...parts].join(', ')}${before}`;
}
