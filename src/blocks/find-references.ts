import { brokenUses } from './broken-uses';
import { type ConfigBlock } from './config-file';
import { type ConfigModule } from './config-module';
import { type ConfigProject } from './config-project';
import { type FoundPlace, placeReferences } from './found-place';
import { type HclGrammar } from './hcl-grammar';
import { type Reference } from './reference';
import { findUses, type Use } from './uses';

/**
 * Who refers to blocks that are to go, so that Terraform refuses the configuration without them. A reference
 * from a block that goes itself is none. Found by walking the expressions of the syntax tree.
 *
 * @param going blocks of this project, by identity
 * @returns in the order of file and line; empty when the blocks can simply be taken out
 * @example
 * const { old } = findOldBlocks(project, { old: oldWafTypes, retired: [] });
 * const references = findReferences(project, new Set(old.map(({ block }) => block)), grammar);
 */
export function findReferences(
  project: ConfigProject,
  going: ReadonlySet<ConfigBlock>,
  grammar: HclGrammar,
): readonly Reference[] {
  return referencesAmong(project, findUsesOf(project, going, grammar), going);
}

/** Every reference that can concern blocks which go; of what an output refers to, all. */
export function findUsesOf(
  project: ConfigProject,
  going: ReadonlySet<ConfigBlock>,
  grammar: HclGrammar,
): readonly Use[] {
  const modules = [...project.modules.values()];
  return going.size === 0 ? [] : findUses(project, grammar, rootsOf(modules));
}

/** {@link findReferences} where every reference is found already. */
export function referencesAmong(
  project: ConfigProject,
  uses: readonly Use[],
  going: ReadonlySet<ConfigBlock>,
): readonly Reference[] {
  if (going.size === 0) return [];
  const modules = [...project.modules.values()];
  return placeReferences([
    ...modules.flatMap((module) => orphanedOverrides(module, going)),
    ...brokenUses(project, uses, going),
  ]);
}

/** Every name with which a reference to a block can begin. */
function rootsOf(modules: readonly ConfigModule[]): ReadonlySet<string> {
  const types = modules.flatMap(({ resources }) => resources.map(({ type }) => type));
  return new Set([...types, 'data', 'resource', 'module', 'var', 'local']);
}

/** Terraform refuses an override of something that is not there. */
function orphanedOverrides({ files }: ConfigModule, going: ReadonlySet<ConfigBlock>): FoundPlace[] {
  const gone = new Set(
    files
      .filter(({ override }) => !override)
      .flatMap(({ blocks }) => blocks.filter((block) => going.has(block)))
      .map(({ address }) => address),
  );
  return files
    .filter(({ override }) => override)
    .flatMap((file) =>
      file.blocks
        .filter((block) => gone.has(block.address) && !going.has(block))
        .map(({ address, range }): FoundPlace => {
          const text = address;
          return { address, from: address, file, offset: range.start, text };
        }),
    );
}
