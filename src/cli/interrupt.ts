import { printable } from '../core/printable';
import { type ProcessContext } from './context';

/** Maximum wait in milliseconds for work that is held: longer than Terraform may take to stop. */
const LONGEST = 45_000;
/** Maximum wait in milliseconds if Terraform is killed. */
const LONGEST_AT_ONCE = 5_000;

/** Terraform runs, and folders that contain a state, with their names. */
type Held = Map<Promise<string | undefined>, string | undefined>;

interface Ports {
  readonly tell: (message: string) => void;
  /** Ends the line of a progress bar. */
  readonly leaveBar: () => void;
  readonly exit: (code: number) => never;
}

type OfContext = 'interrupted' | 'hurry' | 'hold' | 'ifStopped' | 'untilInterrupted';

/**
 * Ends the process at a signal, after locks are released and folders removed. Signals arrive only between steps,
 * because files are written synchronously (files/write-files.ts).
 */
export function createInterruption({
  tell,
  leaveBar,
  exit,
}: Ports): Pick<ProcessContext, OfContext> & { readonly onSignal: (code: number) => void } {
  const interruption = new AbortController();
  const hurry = new AbortController();
  const held: Held = new Map();
  /** Notices to print if this process is interrupted. */
  const unfinished = new Set<{ readonly lines: readonly string[] }>();
  /** Ends a command that runs until it is interrupted. */
  let endUntilInterrupted: (() => void) | undefined;
  const onSignal = (code: number): void => {
    if (endUntilInterrupted) {
      endUntilInterrupted();
      endUntilInterrupted = undefined;
      return;
    }
    const end = (): never => {
      if (unfinished.size > 0) leaveBar();
      for (const { lines } of unfinished) tell(lines.map((line) => printable(line)).join('\n  '));
      return exit(code);
    };
    const isAgain = interruption.signal.aborted;
    interruption.abort();
    if (held.size === 0) end();
    // a second signal does not wait, but ends all Terraform runs, so that none writes the state later
    if (isAgain) hurry.abort();
    // an import or a push that itself waits for a lock hears no signal
    const now = isAgain
      ? 'ending Terraform now'
      : 'waiting up to 30 seconds for Terraform to stop; press Ctrl-C again to end it now';
    tell(now + running(held));
    void untilReleased(held, isAgain ? LONGEST_AT_ONCE : LONGEST).then(end);
  };
  return {
    onSignal,
    interrupted: interruption.signal,
    hurry: hurry.signal,
    hold: (ended, what) => {
      held.set(ended, what);
      void ended.then((note) => {
        held.delete(ended);
        if (note !== undefined && interruption.signal.aborted) tell(note);
      });
    },
    ifStopped: (...lines) => {
      const told = { lines };
      unfinished.add(told);
      return () => unfinished.delete(told);
    },
    untilInterrupted: () =>
      new Promise((resolve) => {
        endUntilInterrupted = resolve;
      }),
  };
}

/** The Terraform runs; empty if only a folder is waited for. */
function running(held: Held): string {
  const runs = [...held.values()].filter((what) => what !== undefined);
  return runs.length === 0 ? '' : `: ${runs.join(', ')}`;
}

/** @param longest in milliseconds */
async function untilReleased(held: Held, longest: number): Promise<void> {
  const end = performance.now() + longest;
  do {
    const late = new Promise((resolve) => setTimeout(resolve, end - performance.now()));
    await Promise.race([Promise.allSettled(held.keys()), late]);
    // lets the code that awaited it clean up
    await new Promise((resolve) => setImmediate(resolve));
  } while (held.size > 0 && performance.now() < end);
}
