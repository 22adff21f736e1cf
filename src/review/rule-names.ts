import { SCORING_RULE } from '../core/ruleset';
import { rulesetName } from '../ruleset/known-rulesets';
import { type Catalogue, findLegacyRule } from '../translate/catalogue/catalogue';
import { OLD_SCORE_RULE } from './events';

/** A rule of a managed ruleset of the zone, as the service lists it. */
export interface ZoneRule {
  readonly id: string;
  readonly rulesetId: string;
  readonly description: string;
  /** What it does where nothing is overridden; empty where it is not said. */
  readonly action: string;
  readonly categories: readonly string[];
  readonly enabled?: boolean;
}

/** What is known of a rule for a reader. */
export interface RuleName {
  readonly name: string;
  readonly ruleset?: string;
}

/**
 * Makes a namer of rules: the zone's own managed rulesets where they were read, else the catalogue,
 * which knows no more than was public (docs/catalogue.md).
 */
export function ruleNamer(
  catalogue: Catalogue,
  zoneRules: readonly ZoneRule[] = [],
): (side: 'old' | 'new', id: string) => RuleName {
  const own = new Map(zoneRules.map((rule) => [rule.id, rule]));
  const managed = new Map(
    catalogue.managedRules.flatMap((rule) =>
      rule.id === undefined ? [] : [[rule.id, rule] as const],
    ),
  );
  return (side, id) => {
    if (side === 'old') {
      if (id === OLD_SCORE_RULE) return { name: 'OWASP: inbound anomaly score exceeded' };
      return { name: findLegacyRule(catalogue, id)?.title ?? '' };
    }
    const known = own.get(id);
    const listed = managed.get(id);
    const rulesetId = known?.rulesetId ?? listed?.rulesetId;
    const name = known?.description ?? listed?.title ?? '';
    const score = id === SCORING_RULE ? 'OWASP: inbound anomaly score exceeded' : '';
    return {
      name: name === '' ? score : name,
      ...(rulesetId === undefined ? {} : { ruleset: rulesetName(rulesetId) }),
    };
  };
}
