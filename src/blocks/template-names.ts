import { type HclGrammar } from './hcl-grammar';
import { parseTemplate } from './parse-hcl';
import { type NamesAt, treeNames } from './tree-names';

/**
 * What a template refers to that stands in a JSON string, which is one without any escapes of its
 * own; undefined when it is none.
 */
export function templateNames(
  template: string,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): readonly NamesAt[] | undefined {
  const parsed = parseTemplate(template, grammar);
  if (parsed === undefined) return undefined;
  const names = treeNames(parsed.tree, parsed.text, grammar, roots);
  parsed.tree.delete();
  return names;
}
