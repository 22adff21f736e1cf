import { listed } from '../../core/lists';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { type Unknown, unknown } from '../reading/setting';
import { type Catalogue, findLegacyRule } from './catalogue';

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
    const ids = successors.map(({ id, ending }) => id ?? ending);
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
