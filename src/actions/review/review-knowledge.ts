import { type Finding } from '../../model/finding';
import { type Ruleset } from '../../model/ruleset';
import { type Intended } from '../../review/intended';
import { intendedActions } from '../../review/intended-actions';
import { type RuleName, ruleNamer, type ZoneRule } from '../../review/rule-names';
import { type Catalogue } from '../../translate/catalogue/catalogue';

/** What is known beside the events. */
export interface ReviewKnowledge {
  readonly nameOf: (side: 'old' | 'new', id: string) => RuleName;
  /** What the new rules are meant to do; undefined: a log is a log. */
  readonly intended?: Intended;
  readonly findings: readonly Finding[];
}

/**
 * Names from the catalogue and the zone's managed rulesets, meanings from the configuration.
 * @param config what the zone shall have after validation
 */
export function knowledgeOf(
  catalogue: Catalogue,
  config?: Ruleset,
  zoneRules: readonly ZoneRule[] = [],
): ReviewKnowledge {
  const nameOf = ruleNamer(catalogue, zoneRules);
  if (config === undefined) return { nameOf, findings: [] };
  const { intended, unresolvedTags } = intendedActions(config.rules, catalogue, zoneRules);
  return {
    nameOf,
    intended,
    findings: unresolvedTags.map((tag): Finding => ({
      code: 'TAG_UNRESOLVED',
      severity: 'decision',
      subject: tag,
      message: 'the configuration overrides this tag, and which rules have it is not known here',
      remedy: 'pass --zone: its managed rulesets name the tags of each rule',
    })),
  };
}
