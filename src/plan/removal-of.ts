import { planRemoval, type PlannedRemoval } from './edit-configuration';
import { type PlannedState } from './planned-state';
import { retiredTypes } from './retired-types';
import { withoutForgotten } from './without-forgotten';

/** Addresses of old resources whose blocks are to go. */
interface Going {
  /** What leaves the state. */
  readonly leaving: readonly string[];
  /** What the files declare beside it, without keys. */
  readonly absent: readonly string[];
}

interface Extent {
  /** Version of the provider that the files are for then. */
  readonly to: string;
  /** Whether blocks of old types go although the state has nothing of them. */
  readonly all: boolean;
  /** Whether the plan has no other state. */
  readonly isAlone: boolean;
}

/** How the blocks of what leaves the state leave its files; undefined where the files are not known. */
export function removalOf(
  { configuration }: PlannedState,
  { to, all, isAlone }: Extent,
  { leaving, absent }: Going,
  kept: ReadonlySet<string>,
): PlannedRemoval | undefined {
  if (configuration === undefined) return undefined;
  const planned = planRemoval(configuration, {
    leaving: [...leaving, ...absent],
    kept,
    all,
    isAlone,
    retired: retiredTypes(to),
  });
  return withoutForgotten(configuration, planned);
}
