import { isDeepStrictEqual } from 'node:util';
import { type JsonValue } from '../model/json';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type ConfigBlock, type ConfigFile } from './config-file';
import { hasTwins, readPlain } from './read-plain';
import { treeDepth } from './tree-depth';
import { withoutBlocks } from './without-blocks';

/** Deeper, and the second parser could end without an answer (measured: at some 5,000 brackets). */
const DEEPEST = 1_500;

/**
 * Proves an edit by another parser than the one that found the places: what it reads in the new
 * text is what it reads in the old one, less the blocks that left, plus those that came. For HCL
 * that is HashiCorp's own parser (`@cdktf/hcl2json`), for JSON `JSON.parse`.
 *
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function proveEdit(
  file: ConfigFile,
  removed: readonly ConfigBlock[],
  inserted: string | undefined,
  after: string,
): Promise<void> {
  try {
    const expected = withoutBlocks(await readBefore(file, inserted), file.blocks, new Set(removed));
    if (isDeepStrictEqual(await readPlain(file.syntax, file.path, after), expected)) return;
  } catch (cause) {
    if (cause instanceof MigrationError) throw cause;
    throw refusal(file, 'another parser of Terraform configuration does not read the file', cause);
  }
  throw refusal(file, 'something else than the blocks would change');
}

async function readBefore(file: ConfigFile, inserted: string | undefined): Promise<JsonValue> {
  if (file.syntax === 'hcl' && treeDepth(file.tree) > DEEPEST) {
    throw refusal(file, 'its expressions are nested too deeply');
  }
  if (file.syntax === 'json' && hasTwins(file.root)) {
    throw refusal(file, 'it has two properties with one name in an object');
  }
  const text = inserted === undefined ? file.text : `${file.text}\n${inserted}`;
  return readPlain(file.syntax, file.path, text);
}

function refusal({ path }: ConfigFile, why: string, cause?: unknown): MigrationError {
  return new MigrationError(
    'CONFIG_EDIT_REFUSED',
    `the edit of ${printable(path)} cannot be proven: ${why}`,
    { cause },
  );
}
