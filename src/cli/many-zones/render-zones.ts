import { isDeepStrictEqual } from 'node:util';
import { objectOf, objectsOf } from '../../core/json';
import { firstLine, counted, printable } from '../../core/printable';
import { type RefusedEntry } from '../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../fleet/run-fleet';
import { describeRefused } from '../../fleet/standings';
import { type CommandResult } from '../context';
import { renderHint } from '../output';

/** The result of a run: an entry and a line for each zone, a summary, and the exit code of the worst zone. */
export function renderFleet(
  outcomes: readonly ZoneOutcome[],
  refused: readonly RefusedEntry[],
  ledger: string,
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
    unknown: count('unknown'),
    // entries of the list that are not a zone of this run
    refused: refused.length,
    skipped: count('skipped'),
    // zones among the others that an earlier run completed
    earlier: outcomes.filter(({ earlier }) => earlier).length,
  };
  const left = summary.waiting + summary.unknown;
  return {
    json: { zones: outcomes, refused: refused.map(describeRefused), summary, ledger },
    text: [
      ...outcomes.toSorted(byUrgency).flatMap(renderZone),
      // the zones of one plan share an error
      ...[...new Set(refused.map(({ error }) => error))].flatMap(({ message, code, hint }) => [
        `refused    ${printable(message, 300)} (${code})`,
        renderHint(hint),
      ]),
      renderSummary(summary),
      `Ledger: ${printable(ledger)}`,
    ].join('\n'),
    exitCode: left + summary.failed + summary.refused > 0 ? 1 : summary.attention > 0 ? 2 : 0,
  };
}

/** Zones that need the user come last, beside the summary. */
const ORDER = ['skipped', 'done', 'attention', 'waiting', 'unknown', 'failed'];

function byUrgency(one: ZoneOutcome, other: ZoneOutcome): number {
  const isBlocked = ({ result }: ZoneOutcome): number =>
    objectsOf(objectOf(result)['findings']).some(({ severity }) => severity === 'blocker') ? 1 : 0;
  return (
    ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome) || isBlocked(one) - isBlocked(other)
  );
}

function renderZone(
  { zone, name, outcome, line, error, earlier }: ZoneOutcome,
  at: number,
  all: readonly ZoneOutcome[],
): string[] {
  const mark = earlier ? ' (earlier)' : '';
  const head = `${outcome.padEnd(10)} ${printable(name, 100)} (${zone})${mark}: `;
  if (error === undefined) return [`${head}${printable(firstLine(line), 300)}`];
  // the zones of one plan share an error
  const before = all[at - 1];
  if (before?.line === line && isDeepStrictEqual(before.error, error))
    return [`${head}the same error (${error.code})`];
  return [
    `${head}${printable(firstLine(line), 300)} (${error.code})`,
    ...error.causes.map((cause) => `  cause: ${printable(firstLine(cause), 300)}`),
    renderHint(error.hint),
  ];
}

type Count = ZoneOutcome['outcome'] | 'zones' | 'refused' | 'earlier';

function renderSummary(counts: Readonly<Record<Count, number>>): string {
  const { attention } = counts;
  const others = [
    [attention, attention === 1 ? 'needs attention' : 'need attention'],
    [counts.failed, 'failed'],
    [counts.unknown, 'interrupted'],
    [counts.waiting, 'not started'],
    [counts.refused, 'refused'],
    [counts.skipped, 'skipped'],
  ] as const;
  const parts = others.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  const before = counts.earlier === 0 ? '' : `; ${counts.earlier} by an earlier run`;
  return `${counted(counts.zones, 'zone')}: ${[`${counts.done} done`, ...parts].join(', ')}${before}`;
}
