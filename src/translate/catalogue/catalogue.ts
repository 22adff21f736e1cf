import { listed } from '../../core/lists';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { unknown, type Unknown } from '../reading/setting';
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
const LOOK_IN_ZONE = `pass credentials that can read the managed ruleset of the zone, or ${BY_HAND}`;

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
  return unknown(
    'cannot tell which rule of the managed ruleset of the zone is its new rule',
    CHECK_IT,
  );
}

/** One match for an id: a legacy group, a legacy rule, a new rule, or both rules with their basis. */
export interface CatalogueMatch {
  /** The legacy group, if the id is one. */
  readonly groupId?: string | undefined;
  readonly legacyId?: string | undefined;
  readonly packageId?: string | undefined;
  /** The legacy groups that sources name. */
  readonly groups?: readonly string[] | undefined;
  readonly rulesetId?: string | undefined;
  /** All 32 digits of the new rule, if known. */
  readonly newId?: string | undefined;
  /** Its last eight digits. */
  readonly ending?: string | undefined;
  readonly basis?: string | undefined;
  /** The number of new ids of the legacy rule: more than one is a decision. */
  readonly of?: number | undefined;
  readonly title: string;
  /** The defaults of the new rule, as last announced. */
  readonly defaultAction?: string | undefined;
  readonly defaultEnabled?: boolean | undefined;
}

/**
 * Looks up an id in both directions: a legacy rule id (`100005`, any case), a new rule id (32 digits, or the
 * last eight), or a legacy group id, which returns its rules too. Empty if nothing is known.
 *
 * @example lookup(builtInCatalogue(), '100532')[0]?.newId // '0242110ae62e44028a13bf4834780914'
 */
export function lookup(catalogue: Catalogue, id: string): readonly CatalogueMatch[] {
  const wanted = id.trim();
  const legacy = findLegacyRule(catalogue, wanted);
  return [
    ...(legacy === undefined ? [] : matchesOfLegacy(catalogue, legacy)),
    ...matchesOfNew(catalogue, wanted.toLowerCase()),
    ...matchesOfGroup(catalogue, wanted.toLowerCase()),
  ];
}

function matchesOfGroup(catalogue: Catalogue, groupId: string): CatalogueMatch[] {
  const group = catalogue.groups.get(groupId);
  if (group === undefined) return [];
  const { packageId, name = '' } = group;
  const members = name === '' ? [] : groupMembers(catalogue, name);
  return [
    { groupId, packageId, title: name },
    ...members.flatMap((rule) => matchesOfLegacy(catalogue, rule)),
  ];
}

function matchesOfLegacy(catalogue: Catalogue, rule: LegacyRule): CatalogueMatch[] {
  const { id: legacyId, packageId, groups, title, successors } = rule;
  const legacy = { legacyId, packageId, groups, title };
  if (successors.length === 0) return [legacy];
  return successors.map((successor) => {
    const { id, ending, basis } = successor;
    const known = catalogue.managedRules.find((one) => one.ending === ending);
    const managed = describeManaged(known ?? { ...successor, defaultAction: '' });
    return {
      ...legacy,
      ...managed,
      newId: id ?? managed.newId,
      basis,
      of: successors.length,
      title: successor.title || title,
    };
  });
}

function matchesOfNew(catalogue: Catalogue, digits: string): CatalogueMatch[] {
  const isMeant = ({ newId, ending }: CatalogueMatch): boolean =>
    digits === (digits.length === 8 ? ending : newId);
  const legacy = [...catalogue.legacyRules.values()]
    .flatMap((rule) => matchesOfLegacy(catalogue, rule))
    .filter(isMeant);
  return legacy.length > 0 ? legacy : catalogue.managedRules.map(describeManaged).filter(isMeant);
}

function describeManaged(rule: ManagedRule): CatalogueMatch {
  const { rulesetId, id: newId, ending, title, defaultAction, defaultEnabled } = rule;
  return {
    rulesetId,
    newId,
    ending,
    title,
    defaultAction: defaultAction || undefined,
    defaultEnabled,
  };
}
