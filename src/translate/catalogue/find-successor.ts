import { listed } from '../../core/lists';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { type Unknown, unknown } from '../reading/setting';
import { type Catalogue, findLegacyRule } from './catalogue';

/** The new rule or rules of a legacy rule, or why they are unknown. */
export type SuccessorAnswer =
  /** Several only if the user stated them. */
  { readonly kind: 'known'; readonly ids: readonly string[] } | Unknown;

const STATE_IT = 'add the new rule to a file for --catalogue (docs/catalogue.md)';
const CHECK_IT = `check whether the rule was replaced, and ${STATE_IT}`;
const LOOK_IN_ZONE = `translate with access to the managed ruleset of the zone, or ${STATE_IT}`;

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
  const listedRule = findLegacyRule(catalogue, legacyId);
  if (listedRule === undefined) {
    return unknown(
      `${rule} is not in the catalogue`,
      `check the id; if it is correct, ${STATE_IT}`,
    );
  }
  const { successors, settled } = listedRule;
  const [first, ...rest] = successors;
  if (first === undefined) {
    return settled
      ? unknown(
          `in the file for --catalogue, ${rule} has no new rule`,
          'do nothing, or write a custom rule',
        )
      : unknown(
          `no known replacement for ${rule}`,
          `look for a new rule with the same purpose, and ${STATE_IT}`,
        );
  }
  const ids = successors.map(({ id, ending }) => id ?? ending);
  if (rest.length > 0 && !settled) {
    const why = `several new rules are known for ${rule}: ${listed(ids)}`;
    return unknown(why, STATE_IT);
  }
  if (first.id === undefined) return resolve(rule, first.ending, managedIds);
  if (managedIds === undefined) {
    if (settled || first.rulesetId === CLOUDFLARE_RULESET) return { kind: 'known', ids };
    const why = `the new rule for ${rule} is ${first.id}, but its managed ruleset is unknown`;
    return unknown(why, LOOK_IN_ZONE);
  }
  const missing = ids.find((id) => !managedIds.has(id));
  return missing === undefined ? { kind: 'known', ids } : absent(rule, missing);
}

/** Finds the rule of the zone with these last eight digits, because the change log of 2021 prints no more. */
function resolve(
  rule: string,
  ending: string,
  managedIds: ReadonlySet<string> | undefined,
): SuccessorAnswer {
  if (managedIds === undefined) {
    const why = `only the last eight digits of the new rule for ${rule} are known: ${ending}`;
    return unknown(why, LOOK_IN_ZONE);
  }
  const ids = [...managedIds].filter((id) => id.endsWith(ending));
  if (ids.length === 1) return { kind: 'known', ids };
  const why = `only the last eight digits of the new rule for ${rule} are known, ${ending}, and no single rule of the zone has them`;
  return unknown(why, CHECK_IT);
}

function absent(rule: string, id: string): SuccessorAnswer {
  const why = `the new rule for ${rule}, ${id}, is not in the managed ruleset of the zone`;
  return unknown(why, CHECK_IT);
}
