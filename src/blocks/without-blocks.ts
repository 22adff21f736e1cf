import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/json';
import { type ConfigBlock } from './config-file';

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
