import { type ConfigProject } from './config';
import { modulePaths } from './find-blocks';
import { partsBefore, withoutKeys } from '../core/resource-address';

/** A move that Terraform has not carried out yet. */
export interface PendingMove {
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly line: number;
}

/** Whether a configuration has `moved` blocks at all: most have none, and their state need not be looked at. */
export function hasMoves({ modules }: ConfigProject): boolean {
  return [...modules.values()].some(({ stateBlocks }) =>
    stateBlocks.some(({ kind }) => kind === 'moved'),
  );
}

/**
 * The `moved` blocks whose old address the state still has.
 * @param addresses of the resources of the state
 */
export function pendingMoves(
  project: ConfigProject,
  addresses: readonly string[],
): readonly PendingMove[] {
  const held = new Set(addresses.flatMap(partsBefore));
  const heldByBlock = new Set([...new Set(addresses.map(withoutKeys))].flatMap(partsBefore));
  return [...project.modules.values()].flatMap((module) => {
    const moves = module.stateBlocks.filter(({ kind }) => kind === 'moved');
    const paths = modulePaths(project, module);
    return moves.flatMap(({ from, to, block }) => {
      if (from === undefined || to === undefined) return [];
      // without a key it stands for all instances, but where it is the key alone that changes
      const isOfAll = from === withoutKeys(from) && from !== withoutKeys(to);
      const isPending = paths.some((path) =>
        (isOfAll ? heldByBlock : held).has(path === '' ? from : `${path}.${from}`),
      );
      return isPending ? [{ from, to, file: block.file, line: block.range.startLine }] : [];
    });
  });
}
