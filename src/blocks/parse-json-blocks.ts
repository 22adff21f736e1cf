import { blockAddress } from './block-address';
import { configFault } from './config-fault';
import { type ConfigBlock } from './config-file';
import { type JsonMember, type JsonNode, type JsonObjectNode } from './json-tree';
import { type LineIndex } from './line-index';

/** How many labels the blocks of a type have; those not named here have none. */
const labelCounts: ReadonlyMap<string, number> = new Map([
  ['resource', 2],
  ['data', 2],
  ['ephemeral', 2],
  ['action', 2],
  ['list', 2],
  ['module', 1],
  ['variable', 1],
  ['output', 1],
  ['provider', 1],
  ['check', 1],
]);

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * The blocks of a `.tf.json` file with their bodies, in its order. At every level an object may be an array of
 * objects; `null` and an empty array declare nothing (1.11.4, measured).
 *
 * @throws MigrationError `CONFIG_INVALID` when a level is neither object nor array of objects
 */
export function parseJsonBlocks(
  path: string,
  lines: LineIndex,
  root: JsonNode,
): Map<ConfigBlock, JsonObjectNode> {
  const bodies = new Map<ConfigBlock, JsonObjectNode>();

  /** Calls back for every member of an object, or of the objects of an array. */
  function eachMember(node: JsonNode, visit: (member: JsonMember) => void): void {
    if (node.kind === 'object') node.members.forEach(visit);
    else if (node.kind === 'array') {
      for (const item of node.items) eachMember(item, visit);
    } else throw configFault(path, lines, node.start, 'expected an object');
  }

  function descend(node: JsonNode, place: Place, type: string, labels: readonly string[]): void {
    if (labels.length < (labelCounts.get(type) ?? 0)) {
      eachMember(node, (member) => {
        descend(member.value, member, type, [...labels, member.name]);
      });
    } else if (node.kind === 'array') {
      for (const item of node.items) descend(item, item, type, labels);
    } else if (node.kind === 'object') {
      const { start, end } = place;
      const range = { start, end, startLine: lines.line(start), endLine: lines.line(end - 1) };
      const address = blockAddress(type, labels);
      bodies.set({ file: path, type, labels, address, range }, node);
    } else if (node.kind === 'string' || node.value !== null) {
      throw configFault(path, lines, node.start, 'expected the body of a block');
    }
  }

  eachMember(root, (member) => {
    if (member.name !== '//') descend(member.value, member, member.name, []);
  });
  return bodies;
}
