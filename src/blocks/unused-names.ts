import { type ConfigBlock } from './config-file';
import { groupBy } from './group-by';
import { addressOf } from './module-names';
import { type Use } from './uses';

/**
 * The names of a module that only blocks which go refer to, be it by way of local values and
 * variables that go unused with them.
 */
export function unusedNames(
  uses: readonly Use[],
  gone: ReadonlySet<ConfigBlock>,
): ReadonlySet<string> {
  const passing = groupBy(
    uses.filter(({ block }) => !gone.has(block) && passesOn(block)),
    ({ owner }) => owner,
  );
  const reach = (from: readonly Use[]): Set<string> => {
    const reached = new Set(from.map(({ names }) => addressOf(names)));
    // a set hands out what is added while it is walked
    for (const name of reached) {
      for (const { names } of passing.get(name) ?? []) reached.add(addressOf(names));
    }
    return reached;
  };
  const used = reach(uses.filter(({ block }) => !gone.has(block) && !passesOn(block)));
  const served = reach(uses.filter(({ block }) => gone.has(block)));
  return new Set([...served].filter((name) => !used.has(name)));
}

/** What refers to something only on behalf of those who refer to it. */
function passesOn({ type }: ConfigBlock): boolean {
  return type === 'locals' || type === 'variable';
}
