import {
  type Catalogue,
  findLegacyRule,
  groupMembers,
  type LegacyRule,
  type ManagedRule,
} from './catalogue';

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
    .filter(({ successors }) => successors.some(({ ending }) => digits.endsWith(ending)))
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
