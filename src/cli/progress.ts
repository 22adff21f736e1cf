import { type StepEvent } from '../apply/apply-context';
import { counted, firstLine, printable, printableJson } from '../core/printable';
import { type ZoneOutcome } from '../fleet/run-fleet';
import { type CliContext, type CommonOptions, isSilent } from './context';

/** Takes away what stands on the line of a terminal. */
export const CLEAR_LINE = '\r\u001b[K';

/** Whether a line may be drawn anew: a person looks at it, and at more than lines (not so in CI). */
export function canRedraw({
  terminals,
  environment,
}: Pick<CliContext, 'terminals' | 'environment'>): boolean {
  return terminals.stderr && !isDumb(environment) && !environment['CI'];
}

/** Whether the terminals are of the kind that knows no escape sequences: an editor's, a log's. */
export function isDumb({ TERM }: CliContext['environment']): boolean {
  return TERM === 'dumb';
}

/**
 * Writes to a terminal so that every notice has lines of its own: what stands on the last line without
 * an end, as a progress bar does, gives way to it.
 */
export function lineByLine(write: (text: string) => void): (text: string) => void {
  let isLineOpen = false;
  return (text) => {
    if (text === '') return;
    write(isLineOpen && !text.startsWith('\r') ? CLEAR_LINE + text : text);
    isLineOpen = text !== CLEAR_LINE && !text.endsWith('\n');
  };
}

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

/** Tells how far a run over many zones is, on standard error. */
export interface Progress {
  readonly tell: (outcome: ZoneOutcome) => void;
  /** Takes away what stands on a terminal. */
  readonly end: () => void;
}

const WIDTH = 30;

/**
 * A bar where a person looks at a terminal, one line a zone where nobody does (CI), nothing with
 * `--quiet` and `--json`.
 * @param now milliseconds, from a clock that is not set
 */
export function createProgress(
  options: CommonOptions,
  context: Pick<CliContext, 'stderr' | 'terminals' | 'environment'>,
  total: number,
  now: () => number = () => performance.now(),
): Progress {
  const { stderr } = context;
  const nothing = (): void => undefined;
  if (isSilent(options) || total === 0) return { tell: nothing, end: nothing };
  const start = now();
  let count = 0;
  let earlierCount = 0;
  let failed = 0;
  if (!canRedraw(context)) {
    const digits = String(total).length;
    const tell = ({ name, zone, outcome, line, earlier }: ZoneOutcome): void => {
      count += 1;
      const word = earlier ? `${outcome} earlier` : outcome;
      const place = String(count).padStart(digits);
      stderr(`[${place}/${total}] ${printable(name, 100)} (${zone}): ${word}: ${oneLine(line)}\n`);
    };
    return { tell, end: nothing };
  }
  const draw = (): void => {
    const bar = '█'.repeat(Math.floor((count / total) * WIDTH)).padEnd(WIDTH, '░');
    const done = count - earlierCount;
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    const left = ((now() - start) / done) * (total - count);
    const time = done === 0 || count === total ? '' : ` ${duration(left)} left`;
    stderr(`${CLEAR_LINE}${bar} ${count}/${counted(total, 'zone')}${failures}${time}`);
  };
  draw();
  return {
    tell: ({ outcome, earlier }) => {
      count += 1;
      // those of an earlier run took no time, and say nothing of what is left
      if (earlier) earlierCount += 1;
      if (outcome === 'failed') failed += 1;
      draw();
    },
    end: () => {
      stderr(CLEAR_LINE);
    },
  };
}

function oneLine(text: string): string {
  return printable(firstLine(text), 200);
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
