/** The value of a line of JSON; undefined when it is none, as when a write was cut. */
export function parseJsonLine(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return value;
  } catch {
    return undefined;
  }
}
