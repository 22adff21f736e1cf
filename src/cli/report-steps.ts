import { type StepEvent } from '../apply/apply-context';
import { printable, printableJson } from '../core/printable';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { canRedraw, CLEAR_LINE } from './line-by-line';

/**
 * How the steps of a run are shown on standard error: nothing with `--quiet`, with `--json` an event a
 * line, on a terminal one line a step that says how far it is, else a plain line for each change.
 */
export function stepReporter(
  count: number,
  options: CommonOptions,
  context: CliContext,
): (event: StepEvent) => void {
  const { stderr } = context;
  if (options.quiet) return () => undefined;
  if (options.json) {
    return (event) => {
      stderr(`${printableJson({ event: 'step', ...event })}\n`);
    };
  }
  if (!canRedraw(context) || options.verbose) {
    return ({ step, title, status }) => {
      stderr(`${step}. ${printable(title)}: ${status}\n`);
    };
  }
  return ({ step, title, status }) => {
    const line = `${step}/${count} ${printable(title, 60)}: ${status}`;
    stderr(status === 'started' ? line : `${CLEAR_LINE}${line}\n`);
  };
}
