/**
 * A number and what it counts, in English: `1 zone`, `3 zones`.
 * @param what in the singular, of which the plural has an s
 */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
