import { type Finding } from '../core/finding';
import { type LegacySettings } from './legacy-settings';
import { type Ruleset } from '../core/ruleset';
import { buildRuleset } from './build-ruleset';
import { compareSettings } from './compare/compare-settings';
import { type Parity } from './compare/parity';
import { type TranslateOptions } from './reading/read-context';
import { readZone } from './reading/read-zone';

/** The new ruleset of a zone, and what became of each old setting. */
export interface Translation {
  readonly zoneId: string;
  /** As the configuration endpoint would propose it: no ids. */
  readonly ruleset: Ruleset;
  readonly parity: Parity;
  readonly findings: readonly Finding[];
}

/**
 * Translates the old WAF settings of a zone into an entry point ruleset (spec: "OWASP settings
 * mapping", docs/translation.md). What cannot be named or expressed is never guessed: it is a row of
 * the parity with its reason, and a finding where a person can decide. Pure; the order of the input
 * changes nothing.
 *
 * @example translateZone(settings, { catalogue: builtInCatalogue() }).ruleset.rules
 */
export function translateZone(old: LegacySettings, options: TranslateOptions): Translation {
  const reading = readZone(old, options);
  const ruleset = buildRuleset(reading.draft);
  const { parity, findings } = compareSettings(
    old.zoneId,
    reading.entries,
    ruleset,
    options.catalogue,
  );
  return { zoneId: old.zoneId, ruleset, parity, findings: [...reading.findings, ...findings] };
}

/** Old settings held against a ruleset that exists: what the service proposes, or what is live. */
export interface ZoneComparison {
  readonly zoneId: string;
  readonly parity: Parity;
  readonly findings: readonly Finding[];
}

/**
 * Holds the old WAF settings of a zone against any entry point ruleset. Pure.
 *
 * @example compareZone(settings, parseRuleset(answer).ruleset, { catalogue: builtInCatalogue() })
 */
export function compareZone(
  old: LegacySettings,
  ruleset: Ruleset,
  options: TranslateOptions,
): ZoneComparison {
  const reading = readZone(old, options);
  const { parity, findings } = compareSettings(
    old.zoneId,
    reading.entries,
    ruleset,
    options.catalogue,
  );
  return { zoneId: old.zoneId, parity, findings: [...reading.findings, ...findings] };
}
