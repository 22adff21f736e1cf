import { type ConfigBlock } from '../tfconfig/config-file';
import { type ConfigModule, type StateBlock } from '../tfconfig/config-module';
import { type FileEdit, planEdit } from '../tfconfig/plan-edit';
import { isSynthesised } from '../tfconfig/generated-blocks';
import { partsBehind, withoutKeys } from '../tfconfig/resource-address';
import { isOldWafAddress } from '../tfstate/old-waf-types';
import { takeBlocksOut, takeOverridesOut } from './orders/steps';
import { type StepDraft } from './plan';
import { type PlannedState } from './planned-state';

/** `import` and `removed` blocks that have done their work leave the files, or the program. */
export function leftOverSteps(state: PlannedState): StepDraft[] {
  const edits = leftOverBlocks(state);
  const overrides = leftOverOverrides(state);
  return [
    ...(edits.length === 0 ? [] : [takeBlocksOut(edits)]),
    ...(overrides.length === 0 ? [] : [takeOverridesOut(overrides)]),
  ];
}

/** What has done its work in a CDKTF stack, as `import <address>`: a person takes the override out. */
function leftOverOverrides(state: PlannedState): string[] {
  const { configuration } = state;
  if (configuration === undefined || !isSynthesised(configuration.project)) return [];
  return [...configuration.project.modules.values()].flatMap(({ stateBlocks }) =>
    stateBlocks.filter(isDoneIn(state)).map(({ kind, from, to }) => `${kind} ${to ?? from ?? ''}`),
  );
}

/**
 * The edits that take `import` and `removed` blocks out again which have done their work: the
 * ruleset is in the state, and nothing old is. A `removed` block stays while another workspace holds
 * what it names. Only in files that are HCL or JSON of this folder and its modules.
 */
function leftOverBlocks(state: PlannedState): FileEdit[] {
  const { configuration } = state;
  if (configuration === undefined || isSynthesised(configuration.project)) return [];
  const isDone = isDoneIn(state);
  return [...configuration.project.modules.values()].flatMap((module) =>
    editsOf(
      module,
      module.stateBlocks.filter(isDone).map(({ block }) => block),
    ),
  );
}

function isDoneIn({
  rulesets,
  oldResources,
  otherWorkspaces = [],
}: PlannedState): (block: StateBlock) => boolean {
  const owned = new Set(rulesets.map(({ address }) => address));
  const addresses = otherWorkspaces.flatMap((one) => one.oldResources.map(withoutKeys));
  // of a block in a module it is the end of the address
  const held = new Set([...new Set(addresses)].flatMap(partsBehind));
  return ({ kind, from, to }) => {
    if (oldResources.length > 0) return false;
    if (kind === 'import') return to !== undefined && owned.has(to);
    if (kind !== 'removed' || from === undefined) return false;
    return isOldWafAddress(withoutKeys(from)) && !held.has(withoutKeys(from));
  };
}

function editsOf({ files }: ConfigModule, done: readonly ConfigBlock[]): FileEdit[] {
  const gone = new Set(done);
  return files.flatMap((file) => {
    const own = file.blocks.filter((block) => gone.has(block));
    return own.length === 0 ? [] : (planEdit(file, own) ?? []);
  });
}
