import { sha256 } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

/** A configuration file, unchanged. */
export interface ConfigSource {
  /** Relative to the folder of the plan, its parts joined by `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The two languages of Terraform's configuration. */
export type ConfigSyntax = 'hcl' | 'json';

/**
 * Returns the language of a file by its name, or undefined if Terraform does not load it (1.11.4,
 * `configs.Parser.dirFiles` and `IsIgnoredFile`: hidden files and backups of editors).
 */
export function configSyntax(path: string): ConfigSyntax | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // backups of editors, `x.tf~` and `#x.tf#`, have another extension
  if (name.startsWith('.')) return undefined;
  if (name.endsWith('.tf')) return 'hcl';
  return name.endsWith('.tf.json') ? 'json' : undefined;
}

/** Far deeper than any configuration, and within the call stack of the parsers. */
export const MOST_NESTED = 500;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a file with its byte order mark, so that encoding the text returns the same bytes.
 * @throws MigrationError `CONFIG_INVALID`
 */
export function decodeConfig({ path, bytes }: ConfigSource): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new MigrationError('CONFIG_INVALID', `${printable(path)} is not UTF-8 text`, { cause });
  }
}

/** Returns the {@link sha256} of a file, or null if there is no file. */
export function fileDigest(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : sha256(bytes);
}

export class LineIndex {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  /** The line of an offset, counted from 1. */
  line(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns an error with the place and the reason, without text of the file, which may contain a secret. */
export function configFault(
  path: string,
  text: string,
  offset: number,
  what: string,
): MigrationError {
  const lines = text.slice(0, offset).split('\n');
  const place = `${printable(path)}:${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
  return new MigrationError('CONFIG_INVALID', `${place}: ${what}`);
}
