/** The order of two texts by their UTF-16 units, for `sort`: the same on every machine. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
