import { type FileEdit, planEdit, planNewFile } from '../../blocks/plan-edit';
import { forgottenAddresses } from '../../blocks/find-blocks';
import { renderHclBlocks, type StateBlocks } from '../../blocks/render-blocks';
import { withoutKeys } from '../../blocks/resource-address';
import { type Configuration } from '../configuration';

/**
 * The edit that writes the `import` and `removed` blocks, but those that stand somewhere already, to a
 * file of their own: the first of its name that holds nothing else. Undefined where all stand.
 */
export function stateBlocksEdit(
  dir: string,
  { project }: Configuration,
  blocks: StateBlocks,
): FileEdit | undefined {
  const { files, stateBlocks } = project.rootModule;
  const whole = renderHclBlocks(blocks);
  const made = files.find(({ text }) => text === whole);
  // the edit of a plan before: known as done
  if (made !== undefined) return planNewFile(made.path, whole);
  const forgotten = new Set(forgottenAddresses(project));
  const imported = new Set(stateBlocks.filter(({ kind }) => kind === 'import').map(({ to }) => to));
  const missing = {
    imports: blocks.imports.filter(({ to }) => !imported.has(to)),
    removed: blocks.removed.filter((address) => !forgotten.has(withoutKeys(address))),
  };
  const text = renderHclBlocks(missing);
  if (text === '') return undefined;
  for (let number = 1; ; number += 1) {
    const name = `cf-waf-migrate${number === 1 ? '' : `-${number}`}.tf`;
    const path = dir === '.' ? name : `${dir}/${name}`;
    const file = files.find((one) => one.path === path);
    if (file === undefined) return planNewFile(path, text);
    if (file.blocks.length === 0) return planEdit(file, [], text);
  }
}
