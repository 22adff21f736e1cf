import { type ConfigBlock, type ConfigFile } from './config-file';
import { type ConfigModule } from './config-module';
import { type ConfigProject } from './config-project';
import { type HclGrammar } from './hcl-grammar';
import { hclTraversals } from './hcl-traversals';
import { jsonTraversals } from './json-traversals';
import { localNames } from './local-names';
import { type Traversal } from './traversal';

/** A reference, and who makes it. */
export interface Use extends Traversal {
  readonly dir: string;
  /** The address of the block; `local.<name>` inside of `locals`. */
  readonly owner: string;
}

/** Every reference in a configuration whose first name is one of the roots. */
export function findUses(
  project: ConfigProject,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): Use[] {
  return [...project.modules.values()].flatMap((module) =>
    module.files.flatMap((file) => fileUses(module, file, grammar, roots)),
  );
}

function fileUses(
  { dir }: ConfigModule,
  file: ConfigFile,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): Use[] {
  const traversals =
    file.syntax === 'hcl'
      ? hclTraversals(file, grammar, roots)
      : jsonTraversals(file, grammar, roots);
  const locals = new Map<ConfigBlock, (offset: number) => string>();
  return traversals.map((traversal) => {
    const { block, offset } = traversal;
    if (block.type !== 'locals') return { ...traversal, dir, owner: block.address };
    const nameAt = locals.get(block) ?? localNames(file, block);
    locals.set(block, nameAt);
    return { ...traversal, dir, owner: `local.${nameAt(offset)}` };
  });
}
