/** A new managed rule that a source states for a legacy rule. */
export interface Successor {
  /**
   * The evidence for its id. `stated-full`: a source prints all 32 digits. `stated-suffix`: a source prints the
   * last eight. `suffix-resolved`: only one known id has these last eight.
   */
  readonly basis: string;
  /** Undefined if no source names its ruleset. */
  readonly rulesetId?: string | undefined;
  /** Undefined if only its last eight digits are known. */
  readonly id?: string | undefined;
  /** Its last eight digits. */
  readonly ending: string;
  readonly title: string;
}

/** A rule of a legacy package. */
export interface LegacyRule {
  readonly id: string;
  readonly packageId?: string | undefined;
  /** The groups that sources name, as {@link groupKey}; several if the sources disagree. */
  readonly groups: readonly string[];
  readonly title: string;
  readonly successors: readonly Successor[];
}

/** A rule of a new managed ruleset, with its defaults as last announced. */
export interface ManagedRule {
  readonly rulesetId?: string | undefined;
  readonly id?: string | undefined;
  readonly ending: string;
  readonly defaultAction: string;
  readonly defaultEnabled?: boolean | undefined;
  readonly title: string;
}

/** A group of a legacy package. */
export interface LegacyGroup {
  readonly packageId: string;
  readonly id: string;
  /** Undefined if only the id is known. */
  readonly name?: string | undefined;
}

/** The known legacy and new managed rules. */
export interface Catalogue {
  readonly attribution: string;
  /** By id in lower case. */
  readonly legacyRules: ReadonlyMap<string, LegacyRule>;
  readonly managedRules: readonly ManagedRule[];
  /** By id; no setting uses a group without an id. */
  readonly groups: ReadonlyMap<string, LegacyGroup>;
}

/**
 * Normalises the name of a legacy group for comparison: the change log writes one group as
 * `Cloudflare WordPress`, `WordPress` and `Wordpress`.
 */
export function groupKey(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^cloudflare /, '');
}

/** Finds a legacy rule by its id, ignoring case: no two ids differ only in case. */
export function findLegacyRule({ legacyRules }: Catalogue, id: string): LegacyRule | undefined {
  return legacyRules.get(id.toLowerCase());
}

/** The legacy rules for which every source names only this group. */
export function groupMembers({ legacyRules }: Catalogue, name: string): LegacyRule[] {
  const key = groupKey(name);
  return [...legacyRules.values()].filter(
    ({ groups: [only, ...others] }) => only === key && others.length === 0,
  );
}

/** The ids of the legacy rules that became only this new rule, according to sources. */
export function predecessors({ legacyRules }: Catalogue, newId: string): string[] {
  return [...legacyRules.values()].flatMap(({ id, successors: [only, ...others] }) =>
    only !== undefined && others.length === 0 && newId.endsWith(only.id ?? only.ending) ? id : [],
  );
}
