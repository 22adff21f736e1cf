import { type ConfigBlock } from '../blocks/config-file';
import { type ConfigModule, type StateBlock } from '../blocks/config-module';
import { type FileEdit } from '../blocks/file-edit';
import { planEdit } from '../blocks/plan-edit';
import { withoutKeys } from '../blocks/resource-address';
import { isOldWafAddress } from '../state/is-old-waf-address';
import { type PlannedState } from './planned-state';

/**
 * The edits that take `import` and `removed` blocks out again which have done their work: the
 * ruleset is in the state, and nothing old is. Only in files that are HCL or JSON of this folder
 * and its modules.
 */
export function leftOverBlocks(state: PlannedState): FileEdit[] {
  if (state.configuration === undefined || state.oldResources.length > 0) return [];
  const owned = new Set(state.rulesets.map(({ address }) => address));
  const isDone = ({ kind, from, to }: StateBlock): boolean =>
    kind === 'import'
      ? to !== undefined && owned.has(to)
      : kind === 'removed' && from !== undefined && isOldWafAddress(withoutKeys(from));
  return [...state.configuration.project.modules.values()].flatMap((module) =>
    editsOf(
      module,
      module.stateBlocks.filter(isDone).map(({ block }) => block),
    ),
  );
}

function editsOf({ files }: ConfigModule, done: readonly ConfigBlock[]): FileEdit[] {
  return files.flatMap((file) => {
    const own = file.blocks.filter((block) => done.includes(block));
    return own.length === 0 ? [] : (planEdit(file, own) ?? []);
  });
}
