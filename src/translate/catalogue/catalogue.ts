import { listed } from '../../core/lists';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { type Unknown, unknown } from '../reading/setting';
import data from './catalogue.json';

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
export interface ManagedRule extends Omit<Successor, 'basis'> {
  readonly defaultAction: string;
  readonly defaultEnabled?: boolean | undefined;
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

let loaded: Catalogue | undefined;

/**
 * The catalogue that the project ships (docs/catalogue.md): Cloudflare's change log, CC BY 4.0. Read on the
 * first call and cached.
 */
export function builtInCatalogue(): Catalogue {
  loaded ??= {
    attribution: data.attribution,
    legacyRules: new Map(data.legacyRules.map((rule) => [rule.id.toLowerCase(), rule])),
    managedRules: data.managedRules,
    groups: new Map(data.groups.map((group) => [group.id, group])),
  };
  return loaded;
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

/** The new rule of a legacy rule, or why it is unknown. */
export type SuccessorAnswer = { readonly kind: 'known'; readonly id: string } | Unknown;

const BY_HAND = 'override the new rule by hand';
const CHECK_IT = `check whether the rule was replaced, and ${BY_HAND}`;
const LOOK_IN_ZONE = `read the settings from the API, which also reads the managed ruleset of the zone, or ${BY_HAND}`;

/**
 * Finds the new rule of a legacy rule, and never guesses.
 *
 * @param managedIds the rules of the zone's own Cloudflare Managed Ruleset, if known: they complete ids, and
 *   a rule that is not among them cannot be overridden
 */
export function findSuccessor(
  catalogue: Catalogue,
  legacyId: string,
  managedIds: ReadonlySet<string> | undefined,
): SuccessorAnswer {
  const { successors } = findLegacyRule(catalogue, legacyId) ?? {};
  if (successors === undefined) {
    const remedy = `check the id; if it is correct, ${BY_HAND}`;
    return unknown('the catalogue does not have this rule', remedy);
  }
  const [first, ...rest] = successors;
  if (first === undefined) {
    const remedy = `look for a new rule with the same purpose, and ${BY_HAND}`;
    return unknown('no known replacement for this rule', remedy);
  }
  if (rest.length > 0) {
    const ids = successors.map(({ id, ending }) => id ?? `…${ending}`);
    return unknown(`several new rules are known for this rule: ${listed(ids)}`, CHECK_IT);
  }
  const { id, ending, rulesetId } = first;
  if (managedIds === undefined) {
    if (id === undefined) {
      return unknown('only the last eight digits of its new rule are known', LOOK_IN_ZONE);
    }
    if (rulesetId === CLOUDFLARE_RULESET) return { kind: 'known', id };
    return unknown('the managed ruleset of its new rule is unknown', LOOK_IN_ZONE);
  }
  // the change log of 2021 prints only the last eight digits
  const [match, ...others] = [...managedIds].filter((one) => one.endsWith(id ?? ending));
  if (match !== undefined && others.length === 0) return { kind: 'known', id: match };
  return unknown('no rule of the managed ruleset of the zone is surely its new rule', CHECK_IT);
}
