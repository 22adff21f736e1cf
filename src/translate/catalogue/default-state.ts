import { type Catalogue } from './catalogue';

const known = new WeakMap<Catalogue, ReadonlyMap<string, boolean | undefined>>();

/** Whether a new rule is on where no override speaks of it, as last announced; undefined: not known. */
export function isOnByDefault(catalogue: Catalogue, id: string): boolean | undefined {
  const states = known.get(catalogue) ?? readStates(catalogue);
  known.set(catalogue, states);
  return states.get(id) ?? states.get(id.slice(-8));
}

/** By whole id; by ending where no source prints more. */
function readStates({ managedRules }: Catalogue): ReadonlyMap<string, boolean | undefined> {
  return new Map(
    managedRules.map(({ id, ending, defaultEnabled }) => [id ?? ending, defaultEnabled]),
  );
}
