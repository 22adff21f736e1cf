import { type Node } from 'web-tree-sitter';
import { unquoteHcl } from '../core/terraform-syntax';
import { type FileReference } from './config';
import { type HclGrammar, parseTemplate } from './hcl-grammar';

/** A reference, without the block that it is in. */
export type FoundReference = Pick<FileReference, 'names' | 'offset' | 'text' | 'orders'>;

/**
 * Finds every reference below a node whose first name is one of the roots, in the order of the text. A
 * loop variable (`for data in …`) counts too: this keeps a block that could be removed, which is safe.
 */
export function hclReferences(
  node: Node,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): FoundReference[] {
  const variables = grammar.variables.captures(node).filter((one) => roots.has(one.node.text));
  // most files have none, and the query reads every argument
  const orderings = node.text.includes('depends_on') ? grammar.orderings.captures(node) : [];
  return [
    ...variables.map((one) => variableReference(one.node)),
    ...orderings.flatMap((one) => quotedReferences(one.node)),
  ]
    .filter(({ names }) => names.length > 1 && roots.has(names[0] ?? ''))
    .sort((one, other) => one.offset - other.offset);
}

/** Finds the references of a template in a JSON string; undefined if it is not a valid template. */
export function templateReferences(
  template: string,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): readonly FoundReference[] | undefined {
  const tree = parseTemplate(template, grammar);
  const references = tree && hclReferences(tree.rootNode, grammar, roots);
  tree?.delete();
  return references;
}

/** A reference that begins with a variable; indexes and splats are not names. */
function variableReference(variable: Node): FoundReference {
  const { text: root, startIndex: offset } = variable;
  const names = [root];
  let end = variable.endIndex;
  for (let next = variable.nextNamedSibling; next !== null; next = next.nextNamedSibling) {
    if (next.type === 'comment') continue;
    if (!['get_attr', 'splat', 'index'].includes(next.type)) break;
    names.push(...attributeNames(next));
    end = next.endIndex;
  }
  const expression = variable.parent ?? variable;
  const start = offset - expression.startIndex;
  const text = expression.text.slice(start, start + end - offset);
  // only a reference to a whole module looks the same when it reads and when it orders
  const orders = root === 'module' && names.length === 2 && isOrdering(variable);
  return { names, offset, text, orders };
}

/** The attributes in a part of a reference; an index has none: its expression is read separately. */
function attributeNames(part: Node): string[] {
  if (part.type === 'index') return [];
  // a comment may be between the dot and the name
  return part.namedChildren.flatMap((child) =>
    child.type === 'identifier' ? [child.text] : attributeNames(child),
  );
}

/** Whether the argument around the node is `depends_on`. */
function isOrdering(node: Node): boolean {
  let outer: Node | null = node;
  while (outer !== null && outer.type !== 'attribute') outer = outer.parent;
  return outer?.firstNamedChild?.text === 'depends_on';
}

/** Terraform still accepts quoted references in `depends_on`, as versions before 0.12 required. */
function quotedReferences(argumentName: Node): FoundReference[] {
  const strings = argumentName.parent?.descendantsOfType('string_lit') ?? [];
  return strings.map((node) => {
    const text = unquoteHcl(node.text) ?? '';
    return { names: quotedNames(text), offset: node.startIndex, text, orders: true };
  });
}

/** Keys and indexes in a quoted reference. */
const keys = /\[(?:\*|\d+|"(?:[^"\\]|\\.)*")\]|\.\*/gsu;

/** The names of a reference in quotes: `depends_on` in JSON, and in HCL before Terraform 0.12. */
export function quotedNames(text: string): readonly string[] {
  return text.replace(keys, '').split('.');
}
