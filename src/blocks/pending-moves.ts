import { type ConfigProject } from './config-project';
import { modulePaths } from './find-blocks';
import { withoutKeys } from './resource-address';

/** A move that Terraform has not carried out yet. */
export interface PendingMove {
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly line: number;
  /** Whether no `moved` block says it, but a `count` that came or went. */
  readonly isImplied?: boolean;
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
  return [...project.modules.values()].flatMap((module) =>
    module.stateBlocks.flatMap(({ kind, from, to, block }) => {
      if (kind !== 'moved' || from === undefined || to === undefined) return [];
      const isPending = modulePaths(project, module).some((path) =>
        addresses.some((one) => isAt(one, path === '' ? from : `${path}.${from}`, from, to)),
      );
      return isPending ? [{ from, to, file: block.file, line: block.range.startLine }] : [];
    }),
  );
}

/** Without a key an address stands for all instances, but where it is the key alone that changes. */
function isAt(address: string, place: string, from: string, to: string): boolean {
  if (withoutKeys(from) === withoutKeys(to)) {
    return address === place || address.startsWith(`${place}.`);
  }
  const one = from === withoutKeys(from) ? withoutKeys(address) : address;
  return one === place || one.startsWith(`${place}.`);
}
