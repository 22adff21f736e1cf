import { type OldSettings } from '../../model/old-settings';
import { type Catalogue, findLegacyRule } from '../catalogue/catalogue';

/** The id of an old rule as the catalogue writes it; one that it does not list stays as it is. */
export function spellRuleId(catalogue: Catalogue, id: string): string {
  return findLegacyRule(catalogue, id)?.id ?? id;
}

/**
 * The settings with their rules as the catalogue writes them, so that one rule in two cases is one
 * rule everywhere. The keys of overrides stay: they say where a setting was read.
 */
export function spellRuleIds(old: OldSettings, catalogue: Catalogue): OldSettings {
  const spell = (id: string): string => spellRuleId(catalogue, id);
  return {
    ...old,
    rules: old.rules.map((rule) => ({ ...rule, ruleId: spell(rule.ruleId) })),
    known: {
      ...old.known,
      rules: old.known.rules.map((rule) => ({ ...rule, id: spell(rule.id) })),
    },
  };
}
