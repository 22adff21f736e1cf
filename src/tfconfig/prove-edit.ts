import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../core/lists';
import { isJsonArray, isJsonObject, type JsonValue, objectOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type ConfigBlock, type ConfigFile } from './config';

/**
 * Proves an edit with another parser than the one that planned it: HashiCorp's (`@cdktf/hcl2json`) for
 * HCL, `JSON.parse` for JSON. It must read the new text as the old one without the removed blocks.
 *
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function proveEdit(
  file: ConfigFile,
  removed: readonly ConfigBlock[],
  after: string,
): Promise<void> {
  let isAsPlanned: boolean;
  try {
    const expected = await readBodies(file, file.text);
    removeBodies(expected, file.blocks, new Set(removed));
    isAsPlanned = isDeepStrictEqual(await readBodies(file, after), expected);
  } catch (cause) {
    throw refusal(file, 'another parser of Terraform configuration cannot read the file', cause);
  }
  if (!isAsPlanned) throw refusal(file, 'more than the blocks would change');
}

function refusal({ path }: ConfigFile, why: string, cause?: unknown): MigrationError {
  return new MigrationError(
    'CONFIG_EDIT_REFUSED',
    `the edit of ${printable(path)} cannot be proven: ${why}`,
    { cause },
  );
}

/** The bodies of the blocks of a configuration, by type and labels, in order. */
type Bodies = Map<string, Body[]>;
type Body = readonly [key: string, body: JsonValue];

/** Reads a text by HashiCorp's parser, or by `JSON.parse`; throws what these throw. */
async function readBodies({ syntax, path, blocks }: ConfigFile, text: string): Promise<Bodies> {
  // hcl2json has 7 MB of WebAssembly: loaded when it is first needed
  const config: unknown =
    syntax === 'json'
      ? JSON.parse(text)
      : await (await import('@cdktf/hcl2json')).parse(path, text);
  if (!isJsonArray(config) && !isJsonObject(config)) throw new TypeError('no configuration');
  const labels = new Map(blocks.map((block) => [block.type, block.labels.length]));
  const bodiesIn = (value: JsonValue, words: readonly string[]): Body[] => {
    const [type = ''] = words;
    const inner = isJsonArray(value)
      ? value.map((item) => [words, item] as const)
      : Object.entries(objectOf(value)).map(([word, item]) => [[...words, word], item] as const);
    const isBody = !isJsonArray(value) && words.length > (labels.get(type) ?? 0);
    // an empty rest counts: Terraform refuses `"resource": {}`
    return isBody || (words.length > 0 && inner.length === 0)
      ? [[keyOf(words), value]]
      : inner.flatMap(([below, item]) => bodiesIn(item, below));
  };
  return groupBy(bodiesIn(config, []), ([key]) => key);
}

/** Blocks with the same type and labels are distinguished by their order. */
function removeBodies(
  bodies: Bodies,
  blocks: readonly ConfigBlock[],
  removed: ReadonlySet<ConfigBlock>,
): void {
  for (const [key, same] of groupBy(blocks, ({ type, labels }) => keyOf([type, ...labels]))) {
    const left = bodies.get(key)?.filter((_, at) => {
      const block = same[at];
      return block === undefined || !removed.has(block);
    });
    if (left === undefined || left.length === 0) bodies.delete(key);
    else bodies.set(key, left);
  }
}

const keyOf = (words: readonly string[]): string => JSON.stringify(words);
