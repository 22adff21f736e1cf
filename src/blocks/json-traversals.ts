import { configFault } from './config-fault';
import { type ConfigBlock, type JsonFile } from './config-file';
import { type HclGrammar } from './hcl-grammar';
import { type JsonNode } from './json-tree';
import { LineIndex } from './line-index';
import { templateNames } from './template-names';
import { quotedNames, type Traversal } from './traversal';

type Named = Pick<Traversal, 'names' | 'text' | 'orders'>;

/** Arguments that hold bare references where others hold templates. */
const referring = new Set(['depends_on', 'provider', 'providers', 'replace_triggered_by']);
const stateBlocks = new Set(['import', 'moved', 'removed']);

/**
 * Every reference of a `.tf.json` file whose first name is one of the roots.
 *
 * @throws MigrationError `CONFIG_INVALID` where a string is no template
 */
export function jsonTraversals(
  file: JsonFile,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): Traversal[] {
  const templates = new Map<string, readonly Named[]>();

  function namesIn(template: string, offset: number): readonly Named[] {
    const names = templates.get(template) ?? templateNames(template, grammar, roots);
    if (names === undefined) {
      throw configFault(file.path, new LineIndex(file.text), offset, 'syntax error in a template');
    }
    templates.set(template, names);
    return names;
  }

  function visit(node: JsonNode, refers: boolean, block: ConfigBlock): Traversal[] {
    if (node.kind === 'scalar') return [];
    if (node.kind === 'array') return node.items.flatMap((item) => visit(item, refers, block));
    if (node.kind === 'object') {
      return node.members.flatMap(({ name, value }) =>
        name === '//' ? [] : visit(value, refers || isReferring(name, block), block),
      );
    }
    const { value, start } = node;
    // an address may hold a key with `$${` in it, and is no template
    const isTemplate = /[$%]\{/.test(value) && !(refers && stateBlocks.has(block.type));
    const quoted = refers ? [{ names: quotedNames(value), text: value, orders: true }] : [];
    const found = isTemplate ? namesIn(value, start) : quoted;
    return found
      .filter(({ names }) => names.length > 1 && roots.has(names[0] ?? ''))
      .map(({ names, text, orders }) => ({ file, block, names, text, orders, offset: start }));
  }

  return [...file.bodies].flatMap(([block, body]) => visit(body, false, block));
}

function isReferring(name: string, { type }: ConfigBlock): boolean {
  return referring.has(name) || (stateBlocks.has(type) && (name === 'from' || name === 'to'));
}
