/** Names that hold in one module each: sets of addresses by folder. */
export class ModuleNames {
  readonly #names = new Map<string, Set<string>>();

  has(dir: string, address: string): boolean {
    return this.#names.get(dir)?.has(address) ?? false;
  }

  /** Says whether it is new. */
  add(dir: string, address: string): boolean {
    const names = this.#names.get(dir) ?? new Set<string>();
    this.#names.set(dir, names);
    const isNew = !names.has(address);
    names.add(address);
    return isNew;
  }
}

/**
 * What the names of a reference stand for, as an address inside of the module: `variable.x` for
 * `var.x`, `a.b` for `resource.a.b`.
 */
export function addressOf([root = '', first = '', second = '']: readonly string[]): string {
  if (root === 'data') return `data.${first}.${second}`;
  if (root === 'resource') return `${first}.${second}`;
  return `${root === 'var' ? 'variable' : root}.${first}`;
}
