import { type Ruleset } from '../core/ruleset';
import { buildRuleset } from './build-ruleset';
import { compareSettings } from './compare/compare-settings';
import { type ZoneComparison } from './compare/parity';
import { type LegacySettings } from './legacy-settings';
import { type TranslateOptions } from './reading/legacy-zone';
import { readZone } from './reading/read-zone';

/** The new ruleset of a zone, and what happens to each legacy setting. */
export interface Translation extends ZoneComparison {
  /** As the migration configuration would propose it, without ids. */
  readonly ruleset: Ruleset;
}

/**
 * Translates the legacy WAF settings of a zone into an entry point ruleset (spec: "OWASP settings mapping",
 * docs/report.md). Nothing is guessed: a setting without a translation is a row of the parity with its
 * reason, and a finding if the user can decide. Pure; the order of the input does not matter.
 *
 * @example translateZone(settings, { catalogue: builtInCatalogue() }).ruleset.rules
 */
export function translateZone(legacy: LegacySettings, options: TranslateOptions): Translation {
  const reading = readZone(legacy, options);
  const ruleset = buildRuleset(reading.draft);
  return { ...compareSettings(legacy.zoneId, reading, ruleset), ruleset };
}

/**
 * Compares the legacy WAF settings of a zone with any entry point ruleset. Pure.
 *
 * @example compareZone(settings, parseRuleset(answer).ruleset, { catalogue: builtInCatalogue() })
 */
export function compareZone(
  legacy: LegacySettings,
  ruleset: Ruleset,
  options: TranslateOptions,
): ZoneComparison {
  return compareSettings(legacy.zoneId, readZone(legacy, options), ruleset);
}
