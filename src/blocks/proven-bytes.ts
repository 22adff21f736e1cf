// alone: all of the package takes as long to load as all of this program
import { applyPatch } from 'diff/lib/patch/apply.js';
import { type ConfigSource } from './config-source';
import { decodeConfig, sha256 } from './decode-config';
import { type FileEdit } from './file-edit';
import { isLeftBy } from './plan-edit';

/**
 * The bytes of a file after an edit, without a parser: a new file is its text, and another one is made by
 * the diff, of the very bytes that the edit was proven for, if they come to the very bytes that it was
 * proven to leave. To compute them anew from `remove` would give the same, and takes a compiler of
 * WebAssembly.
 *
 * @param source the file as it is now; undefined when there is none
 * @returns undefined where that cannot be: the edit has no proof, the file is another one, the diff gives
 *   anything else
 */
export function provenBytes(
  source: ConfigSource | undefined,
  edit: FileEdit,
): Uint8Array | undefined {
  const text = source === undefined ? newText(edit) : patchedText(source, edit);
  const bytes = text === undefined ? undefined : new TextEncoder().encode(text);
  return bytes !== undefined && isLeftBy(edit, bytes) ? bytes : undefined;
}

function newText(edit: FileEdit): string | undefined {
  return edit.sha256 === null ? edit.insert : undefined;
}

function patchedText(source: ConfigSource, edit: FileEdit): string | undefined {
  if (edit.proven !== true || sha256(source.bytes) !== edit.sha256) return undefined;
  try {
    const after = applyPatch(decodeConfig(source), edit.diff, { autoConvertLineEndings: false });
    return after === false ? undefined : after;
  } catch {
    // no diff at all: what is wrong with the edit says who computes it
    return undefined;
  }
}
