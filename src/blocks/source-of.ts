import { type Node } from 'web-tree-sitter';

/** What a file says at the place of a node: `text` of a node is of what the grammar was given (parse-hcl.ts). */
export function sourceOf({ startIndex, endIndex }: Node, text: string): string {
  return text.slice(startIndex, endIndex);
}
