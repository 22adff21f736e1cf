/** A file as it was read: what it holds is judged by the bytes, and told to nobody. */
export interface ConfigSource {
  /** Relative to the folder of the plan, its parts joined by `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The two languages of Terraform's configuration. */
export type ConfigSyntax = 'hcl' | 'json';

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The language of a file by its name; undefined when Terraform does not load it (1.11.4,
 * `configs.Parser.dirFiles` and `IsIgnoredFile`: hidden files and what editors leave behind).
 */
export function configSyntax(path: string): ConfigSyntax | undefined {
  const name = nameOf(path);
  // editors leave `x.tf~` and `#x.tf#` behind, which end otherwise
  if (name.startsWith('.')) return undefined;
  if (name.endsWith('.tf')) return 'hcl';
  return name.endsWith('.tf.json') ? 'json' : undefined;
}

/** Whether the blocks of a file are merged into those of the others instead of standing alone. */
export function isOverrideFile(path: string): boolean {
  return /^(?:.*_)?override\.tf(?:\.json)?$/su.test(nameOf(path));
}
