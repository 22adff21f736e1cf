const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The addresses of a step as a set, made once: a large removal has hundreds of commands. */
export function addressSet(addresses: readonly string[]): ReadonlySet<string> {
  const known = sets.get(addresses);
  if (known !== undefined) return known;
  const made = new Set(addresses);
  sets.set(addresses, made);
  return made;
}
