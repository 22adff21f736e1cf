import { type ZoneOutcome } from '../../fleet/run-fleet';
import { printable } from '../../model/printable';
import { type CommonOptions } from '../command';
import { type CliContext } from '../context';

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
  { quiet = false, json = false }: CommonOptions,
  { stderr, terminals }: Pick<CliContext, 'stderr' | 'terminals'>,
  total: number,
  now: () => number = () => performance.now(),
): Progress {
  const nothing = (): void => undefined;
  if (quiet || json || total === 0) return { tell: nothing, end: nothing };
  let count = 0;
  if (!terminals.stderr) {
    const digits = String(total).length;
    const tell = ({ name, zone, outcome, line, earlier }: ZoneOutcome): void => {
      count += 1;
      const word = earlier ? `${outcome} earlier` : outcome;
      const place = String(count).padStart(digits);
      stderr(`[${place}/${total}] ${printable(name, 100)} (${zone}): ${word}: ${oneLine(line)}\n`);
    };
    return { tell, end: nothing };
  }
  const start = now();
  let earlierCount = 0;
  let failed = 0;
  const tell = ({ outcome, earlier }: ZoneOutcome): void => {
    count += 1;
    if (earlier) earlierCount += 1;
    if (outcome === 'failed') failed += 1;
    const bar = '█'.repeat(Math.floor((count / total) * WIDTH)).padEnd(WIDTH, '░');
    // those of an earlier run took no time, and say nothing of what is left
    const own = count - earlierCount;
    const left = own === 0 ? '' : ` ${duration(((now() - start) / own) * (total - count))} left`;
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    stderr(`\r\u001b[K${bar} ${count}/${total} zones${failures}${count === total ? '' : left}`);
  };
  return {
    tell,
    end: () => {
      stderr('\r\u001b[K');
    },
  };
}

function oneLine(text: string): string {
  return printable(text.split('\n', 1)[0] ?? '', 200);
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
