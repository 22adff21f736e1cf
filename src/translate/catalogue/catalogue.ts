import { groupBy } from '../../core/lists';

/**
 * How sure a new id is. `stated-full`: a source prints all 32 digits; `stated-suffix`: it prints the
 * last eight; `suffix-resolved`: the one known id that ends with those eight; `user`: stated in the
 * file of `--catalogue`.
 */
export type Basis = 'stated-full' | 'stated-suffix' | 'suffix-resolved' | 'user';

/** A rule of a new managed ruleset that a source states for a legacy rule. */
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

/** A rule of a legacy package. */
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

/** A group of a legacy package. */
export interface LegacyGroup {
  readonly packageId: string;
  /** Undefined where only the name is known. */
  readonly id: string | undefined;
  /** Undefined where only the id is known. */
  readonly name: string | undefined;
}

/** What is known of legacy and new managed rules. Immutable; {@link extendCatalogue} makes another. */
export interface Catalogue {
  readonly attribution: string;
  readonly legacyRules: ReadonlyMap<string, LegacyRule>;
  readonly managedRules: readonly ManagedRule[];
  /** By id; those without one are in no setting. */
  readonly groups: ReadonlyMap<string, LegacyGroup>;
}

/**
 * The name of a legacy group in the form in which names compare: the change log writes one group as
 * `Cloudflare WordPress`, `WordPress` and `Wordpress`.
 */
export function groupKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^cloudflare /, '');
}

/** What is looked up in a catalogue, made once for each. */
interface CatalogueIndex {
  readonly legacyRules: ReadonlyMap<string, LegacyRule>;
  readonly groupMembers: ReadonlyMap<string, readonly string[]>;
  readonly predecessors: ReadonlyMap<string, readonly string[]>;
  readonly defaultStates: ReadonlyMap<string, boolean | undefined>;
}

const indexes = new WeakMap<Catalogue, CatalogueIndex>();

function indexOf(catalogue: Catalogue): CatalogueIndex {
  const known = indexes.get(catalogue);
  if (known !== undefined) return known;
  const rules = [...catalogue.legacyRules.values()];
  const index = {
    legacyRules: new Map(rules.map((rule) => [rule.id.toLowerCase(), rule])),
    groupMembers: idsBy(
      rules.flatMap(({ id, groups: [only, ...others] }) =>
        only === undefined || others.length > 0 ? [] : [[only, id]],
      ),
    ),
    predecessors: idsBy(
      rules.flatMap(({ id, successors, settled }) =>
        successors.length > 1 && !settled
          ? []
          : successors.map((one): [string, string] => [one.id ?? one.ending, id]),
      ),
    ),
    defaultStates: new Map(
      catalogue.managedRules.map(({ id, ending, defaultEnabled }) => [
        id ?? ending,
        defaultEnabled,
      ]),
    ),
  };
  indexes.set(catalogue, index);
  return index;
}

function idsBy(pairs: readonly (readonly [key: string, id: string])[]): Map<string, string[]> {
  const groups = groupBy(pairs, ([key]) => key);
  return new Map([...groups].map(([key, all]) => [key, all.map(([, id]) => id)]));
}

/** A legacy rule by its id, in whatever case it is written: no two ids differ in case alone. */
export function findLegacyRule(catalogue: Catalogue, id: string): LegacyRule | undefined {
  return indexOf(catalogue).legacyRules.get(id.toLowerCase());
}

/** The ids of the legacy rules of which every source names this group, and no other. */
export function groupMembers(catalogue: Catalogue, name: string): readonly string[] {
  return indexOf(catalogue).groupMembers.get(groupKey(name)) ?? [];
}

/**
 * New rule id → the legacy rules that became it, by those sources that state a single new id. By its
 * last eight digits where no source prints more.
 */
export function predecessors(catalogue: Catalogue): ReadonlyMap<string, readonly string[]> {
  return indexOf(catalogue).predecessors;
}

/** Whether a new rule is on where no override changes it, as last announced; undefined: not known. */
export function isOnByDefault(catalogue: Catalogue, id: string): boolean | undefined {
  const { defaultStates } = indexOf(catalogue);
  return defaultStates.get(id) ?? defaultStates.get(id.slice(-8));
}
