/** The first line of a text, for a place that has room for one. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
