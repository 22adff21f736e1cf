/** Takes away what stands on the line of a terminal. */
export const CLEAR_LINE = '\r\u001b[K';

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
