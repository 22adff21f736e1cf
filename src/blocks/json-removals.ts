import { type ConfigBlock, type JsonFile } from './config-file';
import { type JsonNode } from './json-tree';
import { type Splice } from './splice';

/** A member of an object, or an item of an array. */
interface Child {
  readonly start: number;
  readonly end: number;
  readonly value: JsonNode;
}

/**
 * What leaves a `.tf.json` file with some of its blocks: the property or the item with one comma,
 * and every object and array that nothing is left in (Terraform refuses `"resource": {}`: it asks
 * for "at least one object property", 1.11.4). The outermost stays, empty.
 */
export function jsonRemovals(
  { root }: JsonFile,
  gone: ReadonlySet<ConfigBlock>,
): readonly Splice[] {
  const places = new Set([...gone].map(({ range }) => placeOf(range)));
  const splices: Splice[] = [];

  /** Collects what leaves a value; says whether that is all of it. */
  function empties(node: JsonNode): boolean {
    const children = childrenOf(node);
    const before = splices.length;
    const dead = children.map((child) => places.has(placeOf(child)) || empties(child.value));
    if (children.length > 0 && dead.every(Boolean)) {
      splices.length = before;
      return true;
    }
    splices.push(...cutRuns(children, dead));
    return false;
  }

  if (empties(root)) splices.push({ start: root.start + 1, end: root.end - 1, text: '' });
  return splices.sort((one, other) => one.start - other.start);
}

function placeOf({ start, end }: { readonly start: number; readonly end: number }): string {
  return `${start}-${end}`;
}

function childrenOf(node: JsonNode): readonly Child[] {
  if (node.kind === 'object') return node.members;
  if (node.kind !== 'array') return [];
  return node.items.map((value) => ({ start: value.start, end: value.end, value }));
}

/** Up to the next that stays, so that it stands where the first that goes stood; else back to the last. */
function cutRuns(children: readonly Child[], dead: readonly boolean[]): Splice[] {
  return children.flatMap((child, index) => {
    if (dead[index] !== true || dead[index - 1] === true) return [];
    const next = children[dead.indexOf(false, index)];
    const previous = children[index - 1];
    return next === undefined
      ? [{ start: previous?.end ?? child.start, end: children.at(-1)?.end ?? child.end, text: '' }]
      : [{ start: child.start, end: next.start, text: '' }];
  });
}
