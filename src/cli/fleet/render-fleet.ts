import { describeRefused } from '../../fleet/fleet-table';
import { type RefusedEntry } from '../../fleet/resolve-zones';
import { type ZoneOutcome } from '../../fleet/run-fleet';
import { counted, firstLine, printable } from '../../core/printable';
import { type Finding, renderFindings } from '../../core/finding';
import { type CommandResult } from '../context';

/** How many zones went which way; they add up to `zones`. */
interface Summary {
  readonly zones: number;
  readonly done: number;
  readonly attention: number;
  readonly failed: number;
  /** Not begun, because another zone raised an alarm or the run was stopped. */
  readonly waiting: number;
  /** Entries of the list that are no zone of this run. */
  readonly refused: number;
  /** Of the others, those that an earlier run did. */
  readonly earlier: number;
}

/**
 * What a run over many zones comes to: one entry a zone, one line a zone, an exact summary, and the
 * exit code: 1 when a zone failed or was refused, else 2 when one needs attention.
 * @param run its ledger, and how what was not begun is done
 */
export function renderFleet(
  outcomes: readonly ZoneOutcome[],
  refused: readonly RefusedEntry[],
  findings: readonly Finding[],
  { ledger, next }: { readonly ledger: string; readonly next: string },
): CommandResult {
  const count = (wanted: ZoneOutcome['outcome']): number =>
    outcomes.filter(({ outcome }) => outcome === wanted).length;
  const summary: Summary = {
    zones: outcomes.length + refused.length,
    done: count('done'),
    attention: count('attention'),
    failed: count('failed'),
    waiting: count('waiting'),
    refused: refused.length,
    earlier: outcomes.filter(({ earlier }) => earlier).length,
  };
  const failed = summary.failed + summary.refused + summary.waiting > 0;
  return {
    json: {
      zones: outcomes,
      refused: refused.map(describeRefused),
      summary,
      findings,
      ledger,
    },
    text: [
      ...outcomes.flatMap(renderZone),
      ...refused.flatMap(({ error }) => [
        `refused    ${printable(error.message, 300)} (${error.code})`,
        `  hint: ${printable(error.hint)}`,
      ]),
      ...renderFindings(findings),
      renderSummary(summary) + (summary.waiting === 0 ? '' : `; ${next}`),
      `Ledger: ${printable(ledger)}`,
    ].join('\n'),
    exitCode: failed ? 1 : summary.attention > 0 ? 2 : 0,
  };
}

function renderZone({ zone, name, outcome, line, error, earlier }: ZoneOutcome): string[] {
  const mark = earlier ? ' (earlier)' : '';
  const code = error === undefined ? '' : ` (${error.code})`;
  const head = `${outcome.padEnd(10)} ${printable(name, 100)} (${zone})${mark}: `;
  return [
    `${head}${printable(firstLine(line), 300)}${code}`,
    ...(error?.causes ?? []).map((cause) => `  cause: ${printable(firstLine(cause), 300)}`),
    ...(error === undefined ? [] : [`  hint: ${printable(error.hint)}`]),
  ];
}

function renderSummary({
  zones,
  done,
  attention,
  failed,
  waiting,
  refused,
  earlier,
}: Summary): string {
  const parts = [
    `${done} done`,
    ...(attention === 0 ? [] : [`${attention} need attention`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(waiting === 0 ? [] : [`${waiting} not begun`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(earlier === 0 ? [] : [`${earlier} of them by an earlier run`]),
  ];
  return `${counted(zones, 'zone')}: ${parts.join(', ')}`;
}
