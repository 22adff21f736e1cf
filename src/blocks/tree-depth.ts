import { type Tree } from 'web-tree-sitter';

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
