import { type Finding } from '../model/finding';
import { type OldSettings } from '../model/old-settings';
import { type Ruleset } from '../model/ruleset';
import { buildRuleset } from './build-ruleset';
import { compareSettings } from './parity/compare-settings';
import { type Parity } from './parity/parity';
import { type TranslateOptions } from './reading/read-context';
import { readZone, type ZoneReading } from './reading/read-zone';

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
export function translateZone(old: OldSettings, options: TranslateOptions): Translation {
  const reading = readZone(old, options);
  const ruleset = buildRuleset(reading.draft);
  const parity = compareSettings(old.zoneId, reading.entries, ruleset, options.catalogue);
  return { zoneId: old.zoneId, ruleset, parity, findings: findingsOf(reading, parity) };
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
  old: OldSettings,
  ruleset: Ruleset,
  options: TranslateOptions,
): ZoneComparison {
  const reading = readZone(old, options);
  const parity = compareSettings(old.zoneId, reading.entries, ruleset, options.catalogue);
  return { zoneId: old.zoneId, parity, findings: findingsOf(reading, parity) };
}

function findingsOf({ findings }: ZoneReading, { zoneId, settings, summary }: Parity): Finding[] {
  const partial = settings.filter((row) => row.partial).length;
  const found: Finding[] = [];
  if (partial > 0) {
    found.push({
      code: 'SETTINGS_PARTIAL',
      severity: 'decision',
      subject: zoneId,
      message: `${partial} of ${summary.settings} old settings hold for some requests only, or nothing shows that they hold for all`,
      remedy:
        '`cf-waf-migrate report` names the expressions: compare them with what the zone needs',
    });
  }
  for (const { from } of settings.filter((row) => row.weaker)) {
    found.push({
      code: 'OWASP_WEAKER',
      severity: 'decision',
      subject: from,
      message:
        'the OWASP ruleset stops less than the table of the migration asks for, or nothing shows that it does not',
      remedy:
        '`cf-waf-migrate report` names the levels and the threshold: set those of the table, or make sure that this is meant',
    });
  }
  if (summary.lost > 0) {
    found.push({
      code: 'SETTINGS_LOST',
      severity: 'decision',
      subject: zoneId,
      message: `${summary.lost} of ${summary.settings} old settings have no counterpart in the ruleset`,
      remedy: '`cf-waf-migrate report` lists each of them with its reason',
    });
  }
  return [...findings, ...found];
}
