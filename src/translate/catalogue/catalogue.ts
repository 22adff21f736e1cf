/**
 * How sure a new id is. `stated-full`: a source prints all 32 digits; `stated-suffix`: it prints the
 * last eight; `suffix-resolved`: the one known id that ends with those eight; `user`: stated in the
 * file of `--catalogue`.
 */
export type Basis = 'stated-full' | 'stated-suffix' | 'suffix-resolved' | 'user';

/** A rule of a new managed ruleset that a source states for an old rule. */
export interface Successor {
  readonly basis: Basis;
  /** Undefined where no source says in which ruleset it is. */
  readonly rulesetId: string | undefined;
  /** Undefined where only its last eight digits are known. */
  readonly id: string | undefined;
  /** Its last eight digits. */
  readonly ending: string;
  readonly title: string;
}

/** A rule of an old package. */
export interface LegacyRule {
  readonly id: string;
  readonly packageId: string | undefined;
  /** The groups that sources name, as {@link groupKey}; several where they disagree. */
  readonly groups: readonly string[];
  /** As last announced; a word of the change log (`Block`, `Disable`). */
  readonly defaultAction: string;
  readonly defaultDate: string;
  readonly title: string;
  readonly successors: readonly Successor[];
  /** The user says that these are all of them: none means that the rule is gone. */
  readonly settled: boolean;
}

/** A rule of a new managed ruleset, with its defaults as last announced. */
export interface ManagedRule {
  readonly rulesetId: string | undefined;
  readonly id: string | undefined;
  readonly ending: string;
  readonly defaultAction: string;
  readonly defaultEnabled: boolean | undefined;
  readonly title: string;
}

/** A group of an old package. */
export interface LegacyGroup {
  readonly packageId: string;
  /** Undefined where only the name is known. */
  readonly id: string | undefined;
  /** Undefined where only the id is known. */
  readonly name: string | undefined;
}

/** What is known of old and new managed rules. Immutable; {@link extendCatalogue} makes another. */
export interface Catalogue {
  readonly attribution: string;
  readonly legacyRules: ReadonlyMap<string, LegacyRule>;
  readonly managedRules: readonly ManagedRule[];
  /** By id; those without one are in no setting. */
  readonly groups: ReadonlyMap<string, LegacyGroup>;
}

/**
 * The name of an old group in the form in which names compare: the change log writes one group as
 * `Cloudflare WordPress`, `WordPress` and `Wordpress`.
 */
export function groupKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^cloudflare /, '');
}

const byLowerCase = new WeakMap<Catalogue, ReadonlyMap<string, LegacyRule>>();

/** An old rule by its id, in whatever case it is written: no two ids differ in case alone. */
export function findLegacyRule(catalogue: Catalogue, id: string): LegacyRule | undefined {
  let index = byLowerCase.get(catalogue);
  if (index === undefined) {
    const rules = [...catalogue.legacyRules.values()];
    index = new Map(rules.map((rule) => [rule.id.toLowerCase(), rule]));
    byLowerCase.set(catalogue, index);
  }
  return index.get(id.toLowerCase());
}

const byName = new WeakMap<Catalogue, Map<string, string[]>>();

/** The ids of the legacy rules of which every source names this group, and no other. */
export function groupMembers(catalogue: Catalogue, name: string): readonly string[] {
  let index = byName.get(catalogue);
  if (index === undefined) {
    index = new Map();
    for (const { id, groups } of catalogue.legacyRules.values()) {
      const [only, ...others] = groups;
      if (only === undefined || others.length > 0) continue;
      const members = index.get(only);
      if (members === undefined) index.set(only, [id]);
      else members.push(id);
    }
    byName.set(catalogue, index);
  }
  return index.get(groupKey(name)) ?? [];
}

const byNewId = new WeakMap<Catalogue, ReadonlyMap<string, readonly string[]>>();

/** New rule id → the old rules that became this one, by those sources that state a single new id. */
export function predecessors(catalogue: Catalogue): ReadonlyMap<string, readonly string[]> {
  const cached = byNewId.get(catalogue);
  if (cached !== undefined) return cached;
  const index = new Map<string, string[]>();
  for (const { id: legacyId, successors, settled } of catalogue.legacyRules.values()) {
    if (successors.length > 1 && !settled) continue;
    for (const { id, ending } of successors) {
      const old = index.get(id ?? ending);
      if (old === undefined) index.set(id ?? ending, [legacyId]);
      else old.push(legacyId);
    }
  }
  byNewId.set(catalogue, index);
  return index;
}

const defaultStates = new WeakMap<Catalogue, ReadonlyMap<string, boolean | undefined>>();

/** Whether a new rule is on where no override speaks of it, as last announced; undefined: not known. */
export function isOnByDefault(catalogue: Catalogue, id: string): boolean | undefined {
  const states = defaultStates.get(catalogue) ?? readStates(catalogue);
  defaultStates.set(catalogue, states);
  return states.get(id) ?? states.get(id.slice(-8));
}

/** By whole id; by ending where no source prints more. */
function readStates({ managedRules }: Catalogue): ReadonlyMap<string, boolean | undefined> {
  return new Map(
    managedRules.map(({ id, ending, defaultEnabled }) => [id ?? ending, defaultEnabled]),
  );
}
