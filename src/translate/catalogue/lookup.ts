import {
  type Basis,
  type Catalogue,
  findLegacyRule,
  groupMembers,
  type LegacyRule,
  type ManagedRule,
} from './catalogue';

/** One match for an id: a legacy group, a legacy rule, a new rule, or both rules with their basis. */
export interface CatalogueMatch {
  /** The legacy group, if the id is one. */
  readonly groupId?: string;
  readonly legacyId?: string;
  readonly packageId?: string;
  /** The legacy groups that sources name. */
  readonly groups?: readonly string[];
  readonly rulesetId?: string;
  /** All 32 digits of the new rule, if known. */
  readonly newId?: string;
  /** Its last eight digits. */
  readonly ending?: string;
  readonly basis?: Basis;
  /** The number of new ids of the legacy rule: more than one is a decision. */
  readonly of?: number;
  readonly title: string;
  /** The defaults of the new rule, as last announced. */
  readonly defaultAction?: string;
  readonly defaultEnabled?: boolean;
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
    ...members.flatMap((id) => {
      const rule = findLegacyRule(catalogue, id);
      return rule === undefined ? [] : matchesOfLegacy(catalogue, rule);
    }),
  ];
}

function matchesOfLegacy(catalogue: Catalogue, rule: LegacyRule): CatalogueMatch[] {
  if (rule.successors.length === 0) return [describeLegacy(rule)];
  return rule.successors.map((successor) => ({
    ...describeLegacy(rule),
    ...describeManaged(
      catalogue.managedRules.find(({ ending }) => ending === successor.ending) ?? {
        ...successor,
        defaultAction: '',
        defaultEnabled: undefined,
      },
    ),
    ...(successor.id === undefined ? {} : { newId: successor.id }),
    basis: successor.basis,
    of: rule.successors.length,
    title: successor.title || rule.title,
  }));
}

function matchesOfNew(catalogue: Catalogue, digits: string): CatalogueMatch[] {
  const isMeant = (rule: { readonly id: string | undefined; readonly ending: string }): boolean =>
    digits.length === 8 ? rule.ending === digits : rule.id === digits;
  const old = [...catalogue.legacyRules.values()].filter(({ successors }) =>
    successors.some(isMeant),
  );
  if (old.length > 0) {
    return old.flatMap((rule) =>
      matchesOfLegacy(catalogue, { ...rule, successors: rule.successors.filter(isMeant) }).map(
        (match) => ({ ...match, of: rule.successors.length }),
      ),
    );
  }
  return catalogue.managedRules.filter(isMeant).map(describeManaged);
}

function describeLegacy({ id, packageId, groups, title }: LegacyRule): CatalogueMatch {
  return { legacyId: id, ...(packageId === undefined ? {} : { packageId }), groups, title };
}

function describeManaged(rule: ManagedRule): CatalogueMatch {
  const { rulesetId, id, ending, defaultAction, defaultEnabled, title } = rule;
  return {
    ...(rulesetId === undefined ? {} : { rulesetId }),
    ...(id === undefined ? {} : { newId: id }),
    ending,
    title,
    ...(defaultAction === '' ? {} : { defaultAction }),
    ...(defaultEnabled === undefined ? {} : { defaultEnabled }),
  };
}
