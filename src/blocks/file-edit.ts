/** A block that an edit removes. */
export interface Removal {
  /** As in `ConfigBlock.address`, or with the path of its module before it. */
  readonly address: string;
  /** Counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
}

/** What changes in one file: a part of the plan, plain JSON (docs/editing.md). */
export interface FileEdit {
  /** Relative to the folder of the plan, its parts joined by `/`. */
  readonly file: string;
  /** Of the bytes that the edit was made for; null where there is no such file yet. */
  readonly sha256: string | null;
  readonly remove: readonly Removal[];
  /** Blocks that are appended, or the text of a new file. */
  readonly insert?: string;
  /** Of the bytes that the edit leaves: by it a finished edit is recognised. Null where it deletes the file. */
  readonly sha256After: string | null;
  /** That a second parser has read what the edit leaves as planned: for these two digests alone. */
  readonly proven?: true;
  /** For a person to read, and for `patch` to apply. */
  readonly diff: string;
}
