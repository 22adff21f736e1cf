import { type StepEvent } from '../apply/apply-context';
import { counted, firstLine, printable, printableJson } from '../core/printable';
import { type FleetZone } from '../fleet/resolve-zones';
import { type CliContext } from './context';

type Terminal = Pick<CliContext, 'terminals' | 'environment'>;

/** Whether the terminal can replace a line; a CI log keeps every line. */
function canRedraw({ terminals, environment }: Terminal): boolean {
  return terminals.stderr && !isDumb(environment) && !environment['CI'];
}

/** Whether the terminal supports no escape sequences, as in an editor. */
export function isDumb({ TERM }: CliContext['environment']): boolean {
  return TERM === 'dumb';
}

/** Writes to a terminal. The next text replaces a text without a line end, even if it has several rows. */
export function replacingOpenLine(
  write: (text: string) => void,
  columns: () => number,
): (text: string) => void {
  let open = '';
  return (text) => {
    const above = Math.ceil(open.length / columns()) - 1;
    const up = above > 0 ? `\u001b[${above}A` : '';
    const erase = open === '' ? '' : `\r${up}\u001b[J`;
    if (erase + text !== '') write(erase + text);
    open = text.endsWith('\n') ? '' : text;
  };
}

const STATUSES: Readonly<Record<StepEvent['status'], string>> = {
  started: 'running',
  done: 'done',
  found: 'skipped, done already',
  waiting: 'manual',
  failed: 'failed',
};

/**
 * Shows the steps of a run on standard error: nothing with `--quiet`, one event per line with `--json`,
 * otherwise one line for each step, which a terminal shows when the step starts.
 */
export function stepReporter(count: number, context: CliContext): (event: StepEvent) => void {
  const { stderr, json, quiet, verbose, interrupted } = context;
  if (quiet) return () => undefined;
  if (json) {
    return ({ step, title, status }) => {
      stderr(`${printableJson({ event: 'step', step, title, status })}\n`);
    };
  }
  const isRedrawn = canRedraw(context) && !verbose;
  return ({ step, title, status }) => {
    if (status === 'started' && !isRedrawn) return;
    const place = isRedrawn ? `${step}/${count}` : `${step}.`;
    const word = status === 'failed' && interrupted.aborted ? 'stopped' : STATUSES[status];
    const end = status === 'started' ? '' : '\n';
    stderr(`${place} ${printable(title)}: ${word}${end}`);
  };
}

const WIDTH = 30;

/**
 * Shows the progress of a run over many zones on standard error: a bar on a terminal, otherwise one line for each zone;
 * nothing with `--quiet` and `--json`.
 * @returns what to call before work that takes long, for each zone, and at the end, which removes the bar
 */
export function createProgress(
  context: Pick<CliContext, 'stderr' | 'isSilent'> & Terminal,
  total: number,
) {
  const { stderr, isSilent } = context;
  const isShown = !isSilent && total > 0;
  const isBar = isShown && canRedraw(context);
  let count = 0;
  let failed = 0;
  const place = (): string => `[${String(count).padStart(String(total).length)}/${total}]`;
  const draw = (started = ''): void => {
    const bar = '█'.repeat(Math.floor((count / total) * WIDTH)).padEnd(WIDTH, '░');
    const failures = failed === 0 ? '' : `, ${failed} failed`;
    stderr(`${bar} ${count}/${counted(total, 'zone')}${failures}${started}`);
  };
  if (isBar) draw();
  return {
    start: (what: string): void => {
      const started = `started ${printable(what, 200)}`;
      if (isBar) draw(`, ${started}`);
      else if (isShown) stderr(`${place()} ${started}\n`);
    },
    tell: ({ name, id }: FleetZone, said: string, isFailed = false): void => {
      count += 1;
      if (isFailed) failed += 1;
      if (isBar) draw();
      if (isBar || !isShown) return;
      const line = printable(firstLine(said), 200);
      stderr(`${place()} ${printable(name, 100)} (${id}): ${line}\n`);
    },
    end: () => {
      if (isBar) stderr('');
    },
  };
}
