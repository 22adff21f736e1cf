import { type Finding } from '../../model/finding';
import { type ProviderMajor } from '../../model/provider-majors';
import { type DeclaredRuleset } from '../../model/ruleset';
import { overridePartsOf } from './override-parts';
import { refused } from './refused';

/** What the validators of all majors take (provider source, `sensitivity_level`). */
const LEVELS = new Set(['default', 'medium', 'low', 'eoff']);

/**
 * Overrides whose sensitivity a major refuses. Provider 3 and 4 look at that of a whole ruleset alone;
 * case counts for 3 alone.
 */
export function findRefusedSensitivities(
  ruleset: DeclaredRuleset,
  major: ProviderMajor,
): Finding[] {
  return overridePartsOf(ruleset).flatMap(({ list, fields, path }) => {
    const level = fields['sensitivity_level'];
    if (typeof level !== 'string' || (major !== 5 && list !== undefined)) return [];
    if (LEVELS.has(major === 3 ? level : level.toLowerCase())) return [];
    return [refused(`${path}.sensitivity_level`, 'an unknown sensitivity', major)];
  });
}
