import { type Finding } from '../core/finding';
import { type Ruleset } from '../core/ruleset';
import { buildRuleset } from './build-ruleset';
import { compareSettings } from './compare/compare-settings';
import { type Parity } from './compare/parity';
import { type LegacySettings } from './legacy-settings';
import { type TranslateOptions } from './reading/read-context';
import { readZone, type ZoneReading } from './reading/read-zone';

/** The legacy settings of a zone compared with a ruleset: a proposed, a live, or a translated one. */
export interface ZoneComparison {
  readonly zoneId: string;
  readonly parity: Parity;
  readonly findings: readonly Finding[];
}

/** The new ruleset of a zone, and what became of each legacy setting. */
export interface Translation extends ZoneComparison {
  /** As the configuration endpoint would propose it: no ids. */
  readonly ruleset: Ruleset;
}

/**
 * Translates the legacy WAF settings of a zone into an entry point ruleset (spec: "OWASP settings
 * mapping", docs/report.md). What cannot be named or expressed is never guessed: it is a row of
 * the parity with its reason, and a finding where the user can decide. Pure; the order of the input
 * changes nothing.
 *
 * @example translateZone(settings, { catalogue: builtInCatalogue() }).ruleset.rules
 */
export function translateZone(legacy: LegacySettings, options: TranslateOptions): Translation {
  const reading = readZone(legacy, options);
  const ruleset = buildRuleset(reading.draft);
  return { ...compareReading(legacy, reading, ruleset, options), ruleset };
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
  return compareReading(legacy, readZone(legacy, options), ruleset, options);
}

function compareReading(
  { zoneId }: LegacySettings,
  { entries, findings }: ZoneReading,
  ruleset: Ruleset,
  { catalogue }: TranslateOptions,
): ZoneComparison {
  const compared = compareSettings(zoneId, entries, ruleset, catalogue);
  return { zoneId, parity: compared.parity, findings: [...findings, ...compared.findings] };
}
