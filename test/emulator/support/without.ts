/** A copy of an object that lacks some of its fields. */
export function without(object: Readonly<Record<string, any>>, ...fields: string[]): any {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
