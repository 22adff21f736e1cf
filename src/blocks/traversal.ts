import { type ConfigBlock, type ConfigFile } from './config-file';

/** A name that an expression refers to: `module.zones["a"].ids[0]` is `module`, `zones`, `ids`. */
export interface Traversal {
  readonly file: ConfigFile;
  /** The block in which it stands. */
  readonly block: ConfigBlock;
  /** The names, without keys and indexes; at least two. */
  readonly names: readonly string[];
  /** Where it stands in the file; in JSON the string that holds it. */
  readonly offset: number;
  /** Whether it stands in `depends_on`, which reads nothing. */
  readonly orders: boolean;
  /** The reference itself, as it is written. */
  readonly text: string;
}

/** Words and their keys, as in a reference that stands in quotes. */
const keys = /\[(?:\*|\d+|"(?:[^"\\]|\\.)*")\]|\.\*/gsu;

/** The names of a reference in quotes: `depends_on` in JSON, and in HCL before Terraform 0.12. */
export function quotedNames(text: string): readonly string[] {
  return text.replace(keys, '').split('.');
}
