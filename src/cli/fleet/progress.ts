import { type ZoneOutcome } from '../../fleet/run-fleet';
import { counted, firstLine, printable } from '../../core/printable';
import { type CommonOptions } from '../command';
import { type CliContext } from '../context';
import { canRedraw, CLEAR_LINE } from '../line-by-line';
import { isSilent } from '../notify';

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
