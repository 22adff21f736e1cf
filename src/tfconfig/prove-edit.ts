import { isDeepStrictEqual } from 'node:util';
import { type Tree } from 'web-tree-sitter';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type ConfigBlock, type ConfigFile } from './config';
import { type ConfigSyntax } from './config-source';
import { type JsonNode } from './json-tree';

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

/**
 * What a configuration says, without places: by HashiCorp's parser for HCL, loaded when it is first
 * needed (7 MB of WebAssembly), by `JSON.parse` for JSON. Throws what these throw.
 */
export async function readPlain(
  syntax: ConfigSyntax,
  path: string,
  text: string,
): Promise<JsonValue> {
  if (syntax === 'json') return checkJson(JSON.parse(text));
  const { parse } = await import('@cdktf/hcl2json');
  return checkJson(await parse(path, text));
}

function checkJson(value: unknown): JsonValue {
  if (!isJson(value)) throw new TypeError('the parser gave no JSON value');
  return value;
}

/** Parsers of JSON give nothing else inside of these. */
function isJson(value: unknown): value is JsonValue {
  return ['object', 'string', 'number', 'boolean'].includes(typeof value);
}

/** Whether an object has two properties with one name: Terraform reads both, `JSON.parse` one. */
export function hasTwins(node: JsonNode): boolean {
  if (node.kind === 'array') return node.items.some(hasTwins);
  if (node.kind !== 'object') return false;
  const names = new Set(node.members.map(({ name }) => name));
  return names.size < node.members.length || node.members.some(({ value }) => hasTwins(value));
}

/** How deep the nodes of a tree are nested; walks it without recursion. */
export function treeDepth(tree: Tree): number {
  const cursor = tree.walk();
  let depth = 0;
  let deepest = 0;
  for (;;) {
    if (cursor.gotoFirstChild()) {
      depth += 1;
      deepest = Math.max(deepest, depth);
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        cursor.delete();
        return deepest;
      }
      depth -= 1;
    }
  }
}

/**
 * A parsed configuration less some of its blocks, found by type and labels and never by place: what
 * an edit has to lead to. The configuration is Terraform JSON, or what `@cdktf/hcl2json` makes of
 * HCL: both nest type, labels and body, each an object or an array of objects.
 *
 * @param blocks all blocks of the file, in its order
 */
export function withoutBlocks(
  config: JsonValue,
  blocks: readonly ConfigBlock[],
  gone: ReadonlySet<ConfigBlock>,
): JsonValue {
  const root = newLevel();
  for (const block of blocks) {
    let level = root;
    for (const word of [block.type, ...block.labels]) {
      const next = level.next.get(word) ?? newLevel();
      level.next.set(word, next);
      level = next;
    }
    level.isGone.push(gone.has(block));
  }
  return prune(config, root) ?? (isJsonArray(config) ? [] : {});
}

/** What stands below a type, and below each of its labels. */
interface Level {
  readonly next: Map<string, Level>;
  /** Of the blocks that have no more labels, in order: whether each goes. */
  readonly isGone: boolean[];
  /** Whose body comes next. */
  turn: number;
}

function newLevel(): Level {
  return { next: new Map(), isGone: [], turn: 0 };
}

/** Undefined when nothing is left of a value of which something was taken. */
function prune(value: JsonValue, level: Level): JsonValue | undefined {
  if (isJsonArray(value)) {
    const kept = value.map((item) => prune(item, level)).filter((item) => item !== undefined);
    return kept.length === 0 && value.length > 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value;
  if (level.next.size > 0) return pruneMembers(value, level);
  return level.isGone[level.turn++] === true ? undefined : value;
}

function pruneMembers(object: JsonObject, { next }: Level): JsonObject | undefined {
  const entries = Object.entries(object);
  const kept = entries.flatMap(([name, value]): [string, JsonValue][] => {
    const level = next.get(name);
    const left = level === undefined ? value : prune(value, level);
    return left === undefined ? [] : [[name, left]];
  });
  // from entries: an assignment to a name such as __proto__ would be lost
  return kept.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(kept);
}
