import { type CliContext } from './context';

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
    write(isLineOpen && !text.startsWith('\r') ? CLEAR_LINE + text : text);
    isLineOpen = text !== CLEAR_LINE && !text.endsWith('\n');
  };
}
