import { providerMajors } from '../model/provider-majors';
import { planRemoval, type PlannedRemoval } from './edit-configuration';
import { type PlannedState } from './planned-state';
import { majorOf } from './provider-version';
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
}

interface Removal {
  /** Undefined where the files are not known. */
  readonly removal: PlannedRemoval | undefined;
  /** Those of the absent ones that stay, because a reference to one of them would stop the whole edit. */
  readonly left: readonly string[];
}

/** How the blocks of what leaves the state leave its files. */
export function removalOf(
  { configuration }: PlannedState,
  { to, all }: Extent,
  { leaving, absent }: Going,
  kept: ReadonlySet<string>,
  used: ReadonlySet<string>,
): Removal {
  if (configuration === undefined) return { removal: undefined, left: [] };
  const planned = (addresses: readonly string[]): PlannedRemoval =>
    planRemoval(configuration, {
      leaving: addresses,
      kept,
      used,
      all,
      knowsOldWaf: providerMajors[majorOf(to)].knowsOldWaf,
      retired: retiredTypes(to),
    });
  const whole = planned([...leaving, ...absent]);
  const less = whole.breaks && absent.length > 0 ? planned(leaving) : whole;
  // what breaks in any case is named with all of it
  return less.breaks || less === whole
    ? { removal: withoutForgotten(configuration, whole), left: [] }
    : { removal: withoutForgotten(configuration, less), left: absent };
}
