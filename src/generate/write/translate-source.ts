import { type RulesetOrigin } from '../../ruleset/parse-ruleset';
import { MigrationError } from '../../core/migration-error';
import { type LegacySettings } from '../../translate/legacy-settings';
import { type TranslateOptions } from '../../translate/reading/read-context';
import { translateZone } from '../../translate/translate-zone';
import { type SourceRuleset } from './read-source';

/**
 * The ruleset that takes the place of a zone's old settings, as a source of `generate`.
 * @throws MigrationError `RULESET_EMPTY` when there is nothing to deploy: declared, an empty entry
 *   point would switch off what is live
 */
export function translateSource(
  settings: LegacySettings,
  origin: Extract<RulesetOrigin, 'state' | 'old'>,
  options: TranslateOptions,
): SourceRuleset {
  const { ruleset, findings } = translateZone(settings, options);
  if (ruleset.rules.length > 0) return { origin, ruleset, findings };
  const blocker = findings.find(({ severity }) => severity === 'blocker');
  throw new MigrationError(
    'RULESET_EMPTY',
    blocker?.message ?? `the old settings of zone ${settings.zoneId} deploy nothing`,
    blocker === undefined ? {} : { hint: blocker.remedy },
  );
}
