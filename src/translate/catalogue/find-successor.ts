import { listed } from '../../core/lists';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { type Unknown, unknown } from '../reading/setting';
import { type Catalogue, findLegacyRule } from './catalogue';

/** The new rule of a legacy rule, or why it is unknown. */
export type SuccessorAnswer = { readonly kind: 'known'; readonly id: string } | Unknown;

const BY_HAND = 'override the new rule by hand';
const CHECK_IT = `check whether the rule was replaced, and ${BY_HAND}`;
const LOOK_IN_ZONE = `translate with access to the managed ruleset of the zone, or ${BY_HAND}`;

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
  const rule = `rule ${legacyId}`;
  const { successors } = findLegacyRule(catalogue, legacyId) ?? {};
  if (successors === undefined) {
    const why = `${rule} is not in the catalogue`;
    return unknown(why, `check the id; if it is correct, ${BY_HAND}`);
  }
  const [first, ...rest] = successors;
  if (first === undefined) {
    const why = `no known replacement for ${rule}`;
    return unknown(why, `look for a new rule with the same purpose, and ${BY_HAND}`);
  }
  if (rest.length > 0) {
    const ids = successors.map(({ id, ending }) => id ?? ending);
    return unknown(`several new rules are known for ${rule}: ${listed(ids)}`, CHECK_IT);
  }
  const { id, ending, rulesetId } = first;
  if (id === undefined) return resolve(rule, ending, managedIds);
  if (managedIds === undefined) {
    if (rulesetId === CLOUDFLARE_RULESET) return { kind: 'known', id };
    const why = `the new rule for ${rule} is ${id}, but its managed ruleset is unknown`;
    return unknown(why, LOOK_IN_ZONE);
  }
  if (managedIds.has(id)) return { kind: 'known', id };
  const why = `the new rule for ${rule}, ${id}, is not in the managed ruleset of the zone`;
  return unknown(why, CHECK_IT);
}

/** Finds the rule of the zone with these last eight digits, because the change log of 2021 prints no more. */
function resolve(
  rule: string,
  ending: string,
  managedIds: ReadonlySet<string> | undefined,
): SuccessorAnswer {
  const why = `only the last eight digits of the new rule for ${rule} are known: ${ending}`;
  if (managedIds === undefined) return unknown(why, LOOK_IN_ZONE);
  const [id, ...others] = [...managedIds].filter((one) => one.endsWith(ending));
  if (id !== undefined && others.length === 0) return { kind: 'known', id };
  return unknown(`${why}, and no single rule of the zone has them`, CHECK_IT);
}
