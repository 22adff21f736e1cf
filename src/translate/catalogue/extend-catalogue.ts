import { CLOUDFLARE_PACKAGE, CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import {
  type Catalogue,
  findLegacyRule,
  groupKey,
  type LegacyGroup,
  type LegacyRule,
} from './catalogue';
import { type UserCatalogue } from './parse-user-catalogue';

/**
 * The catalogue with what a user states. An entry replaces what was known of that old rule: that is
 * how a person decides between several new ids, completes an ending, or says that a rule is gone.
 * New ids are rules of the Cloudflare Managed Ruleset: old OWASP rules have no equivalent (spec:
 * "OWASP settings mapping").
 */
export function extendCatalogue(catalogue: Catalogue, user: UserCatalogue): Catalogue {
  const legacyRules = new Map(catalogue.legacyRules);
  for (const { legacyId, newIds, title, group } of user.rules) {
    const known = findLegacyRule(catalogue, legacyId);
    const rule: LegacyRule = {
      id: known?.id ?? legacyId,
      packageId: known?.packageId ?? CLOUDFLARE_PACKAGE,
      groups: group === undefined ? (known?.groups ?? []) : [groupKey(group)],
      defaultAction: known?.defaultAction ?? '',
      defaultDate: known?.defaultDate ?? '',
      title: title ?? known?.title ?? '',
      successors: [...new Set(newIds)].map((id) => ({
        basis: 'user',
        rulesetId: CLOUDFLARE_RULESET,
        id,
        ending: id.slice(-8),
        title: title ?? '',
      })),
      settled: true,
    };
    legacyRules.set(rule.id, rule);
  }
  const groups = new Map(catalogue.groups);
  for (const { id, name, packageId } of user.groups) {
    const group: LegacyGroup = {
      packageId: packageId ?? groups.get(id)?.packageId ?? CLOUDFLARE_PACKAGE,
      id,
      name,
    };
    groups.set(id, group);
  }
  return { ...catalogue, legacyRules, groups };
}
