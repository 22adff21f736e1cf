import { withoutKeys } from '../core/resource-address';
import { renderHclBlocks, type StateBlocks, startsOf } from '../tfconfig/state-blocks';
import { type ConfigBlock } from '../tfconfig/config';
import { type Configuration } from '../project/read-configuration';
import { type TerraformVersion } from '../core/provider-majors';
import { printable } from '../core/printable';
import { type FileEdit, planEdit, planNewFile } from '../tfconfig/plan-edit';
import { type Facts } from './facts';
import { knowsLegacyWaf, majorOf } from './provider-versions';
import { inFolder } from './paths';
import { type StepFacts } from './step-facts';

/**
 * The edit that writes the `import` and `removed` blocks that are not there yet to a file of their own: the first of
 * its name that holds nothing else. None where all are there.
 */
export function stateBlocksEdit(
  dir: string,
  { project }: Configuration,
  blocks: StateBlocks,
): FileEdit[] | undefined {
  const { files, stateBlocks } = project.rootModule;
  const whole = renderHclBlocks(blocks);
  const made = files.find(({ text }) => text === whole);
  // the edit of a plan before: known as done
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

/** What keeps method blocks from working for a state. */
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

/** Terraform has `removed` since 1.7. OpenTofu reads what it forgets (1.12.6, measured), and the legacy API is gone. */
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
 * The `import` block that takes another object in at the address of a ruleset; one by an expression may be the own,
 * and `zones/` is `zone/` to provider 3 (3.35, measured).
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

/** The provider configuration that legacy resources are bound to, and that is gone. */
export function firstOrphan({ orphans }: Facts): string {
  return printable([...orphans.keys()][0] ?? '', 200);
}
