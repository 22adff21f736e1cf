import { withoutKeys } from '../core/resource-address';
import { renderHclBlocks, type StateBlocks, startsOf } from '../tfconfig/state-blocks';
import { type ConfigBlock } from '../tfconfig/config';
import { type Configuration } from '../project/read-configuration';
import { type TerraformVersion } from '../core/provider-majors';
import { printable } from '../core/printable';
import { type FileEdit, planEdit, planNewFile } from '../tfconfig/plan-edit';
import { type Facts, type StepFacts } from './facts';
import { knowsLegacyWaf, majorOf } from './provider-versions';
import { inFolder } from './paths';

/**
 * The edit that writes the missing `import` and `removed` blocks to a separate file: the first of its name without
 * blocks.
 * @returns undefined if the configuration has all of them
 */
export function stateBlocksEdit(
  dir: string,
  { project }: Configuration,
  blocks: StateBlocks,
): FileEdit[] | undefined {
  const { files, stateBlocks } = project.rootModule;
  const whole = renderHclBlocks(blocks);
  const made = files.find(({ text }) => text === whole);
  // an earlier plan wrote this file, so `apply` finds the edit done
  if (made !== undefined) return [planNewFile(made.path, whole)];
  const forgotten = new Set(startsOf(project, 'removed'));
  const imported = new Set(stateBlocks.filter(({ kind }) => kind === 'import').map(({ to }) => to));
  const text = renderHclBlocks({
    imports: blocks.imports.filter(({ to }) => !imported.has(to)),
    removed: blocks.removed.filter((address) => !forgotten.has(withoutKeys(address))),
  });
  if (text === '') return undefined;
  for (let number = 1; ; number += 1) {
    const path = inFolder(dir, `cf-waf-migrate${number === 1 ? '' : `-${number}`}.tf`);
    const file = files.find((one) => one.path === path);
    if (file === undefined) return [planNewFile(path, text)];
    if (file.blocks.length === 0) return [planEdit(file, [], text) ?? []].flat();
  }
}

/** Why method blocks does not work for a state. Returns undefined if it works. */
export function obstacleToBlocks(facts: Facts): string | undefined {
  const { state, from, to, orphans } = facts;
  if (state.installed === undefined) return 'the installed provider is unknown: pass --from';
  if (!knowsLegacyWaf(from) || !knowsLegacyWaf(to))
    return `provider ${majorOf(to)} does not know the legacy types`;
  const binary = binaryObstacle(state.binary);
  if (binary !== undefined) return binary;
  if (state.configuration === undefined)
    return 'its configuration is unknown: pass --dir with a folder of .tf or .tf.json files';
  return orphans.size === 0
    ? undefined
    : `the configuration of ${firstOrphan(facts)} is gone, which its resources use`;
}

/** Terraform supports `removed` since 1.7. OpenTofu 1.12.6 reads a resource before it forgets it (measured). */
export function binaryObstacle(binary: TerraformVersion | undefined): string | undefined {
  if (binary === undefined) return undefined;
  const { product, major, minor, text } = binary;
  if (product === 'OpenTofu')
    return `${product} ${text} reads a resource before \`removed\` forgets it, and the legacy API does not answer after the migration`;
  return major > 1 || (major === 1 && minor >= 7)
    ? undefined
    : `${product} ${text} does not support \`removed\` blocks (1.7 or later does)`;
}

/**
 * Returns the `import` block that imports another object at the address of a ruleset. Skips expressions, because they
 * may be the right id. Provider 3 treats `zones/` as `zone/` (3.35, measured).
 */
export function foreignImport({ imports, configuration }: StepFacts): ConfigBlock | undefined {
  return configuration?.project.rootModule.stateBlocks.find(({ to, id }) =>
    imports.some(
      ({ address, importId }) =>
        address === to &&
        /^\w+\/\w+\/\w+$/.test(String(id)) &&
        String(id).replace('zones/', 'zone/') !== importId,
    ),
  )?.block;
}

/** The first missing provider configuration that legacy resources use. */
export function firstOrphan({ orphans }: Facts): string {
  return printable([...orphans.keys()][0] ?? '', 200);
}
