import { type Client } from '../cloudflare/client';
import { isRefusal, notChecked } from '../cloudflare/refusals';
import { positionOf, readMigrationStatus } from '../cloudflare/waf-migration';
import { type NamedZone, readKnownZones } from '../cloudflare/zones';
import { addFindings, type Finding, isBlocker } from '../core/finding';
import { listed } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { settingsBackupFile } from '../files/backups';
import { readSource, type RulesetSource } from '../generate/read-source';
import { type LegacySettings } from '../translate/source/legacy-settings';
import { readTranslateOptions } from '../translate/source/settings-from-api';
import { compareZone, translateZone } from '../translate/translate-zone';
import { type Report, type ZoneReport } from './report';

/**
 * Compares legacy settings with the live ruleset, the migration configuration, or with `ours`: their translation.
 * @param client undefined without a request: then `source` is `ours`
 * @param known name and plan of the zone; without them the API is called
 */
export async function reportAgainst(
  client: Client | undefined,
  settings: LegacySettings,
  source: RulesetSource | 'ours',
  known: Partial<NamedZone> = {},
): Promise<ZoneReport> {
  const { zoneId } = settings;
  const options = await readTranslateOptions(client, zoneId);
  if (source === 'ours' || client === undefined) {
    const { parity, findings } = translateZone(settings, options);
    const against = 'the ruleset translated from its legacy settings';
    const hasOverrides = parity.settings.some(
      ({ kind, rules }) => kind === 'override' && rules.length > 0,
    );
    const all = hasOverrides ? [...findings, overridesByHand(zoneId)] : findings;
    return { zoneId, name: known.name, against, parity, findings: all };
  }
  // a token for rulesets may not read the zone
  const zones = known.name === undefined ? await readKnownZones(client, [zoneId]) : undefined;
  const { name, plan } = zones?.get(zoneId) ?? known;
  const read = await readSource(client, zoneId, source).catch((error: unknown) => {
    throw withTranslation(error, zoneId);
  });
  const { ruleset, origin, findings, isValidating = false } = read;
  const against = origin === 'live' ? 'the live entry point' : 'the migration configuration';
  const comparison = compareZone(settings, ruleset, options);
  const isToMigrate = source === 'auto' ? origin === 'config' : undefined;
  // the plan of a zone that cannot be read may have validation mode
  const canValidate = (plan ?? 'enterprise') === 'enterprise' && origin === 'config';
  const validation = isValidating ? 'on' : canValidate ? 'possible' : undefined;
  const all = addFindings(findings, comparison.findings);
  return { ...comparison, against, name, validation, isToMigrate, findings: all };
}

/** The migration configuration has no exceptions for URI overrides, because only a zone without any can migrate. */
const overridesByHand = (subject: string): Finding => ({
  code: 'OVERRIDES_BY_HAND',
  severity: 'info',
  subject,
  message: 'the exceptions for the URLs of overrides are in the translation only',
  remedy: 'add them to the ruleset after the migration, if you still need them',
});

/** Compares settings that were read from files: a migrated zone with its live ruleset, another with the translation. */
export async function reportByStatus(
  client: Client,
  settings: LegacySettings,
): Promise<ZoneReport> {
  const { zoneId } = settings;
  try {
    const isMigrated = positionOf(await readMigrationStatus(client, zoneId)) === 'moved';
    const report = await reportAgainst(client, settings, isMigrated ? 'auto' : 'ours');
    return { ...report, isToMigrate: !isMigrated };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const ours = await reportAgainst(undefined, settings, 'ours');
    const remedy = 'check the credentials; if the zone has migrated, pass --against live';
    const unread = { ...notChecked('live ruleset', zoneId, error), remedy };
    return { ...ours, findings: [unread, ...ours.findings] };
  }
}

/** A zone that cannot migrate has no migration configuration, but it can be compared without it. */
function withTranslation(error: unknown, zoneId: string): unknown {
  if (!(error instanceof MigrationError) || error.code !== 'API_REFUSED') return error;
  return error.withHint(
    [
      'check what blocks the zone, or compare with the translation of this tool:',
      `cf-waf-migrate check --zone ${zoneId}`,
      `cf-waf-migrate report --zone ${zoneId} --against ours`,
    ].join('\n'),
  );
}

/** What blocks a translation does not block a report, nor `finish`. */
const asDecision = (finding: Finding): Finding =>
  isBlocker(finding) ? { ...finding, severity: 'decision' } : finding;

/** Findings that belong to no zone are listed with the first one. */
export function withFindings(zones: readonly ZoneReport[], findings: readonly Finding[]): Report {
  const [first, ...others] = zones;
  if (first === undefined) return { zones };
  const all = [{ ...first, findings: [...findings, ...first.findings] }, ...others];
  return { zones: all.map((zone) => ({ ...zone, findings: zone.findings.map(asDecision) })) };
}

/** The legacy settings of the wanted zones; of all zones if none is wanted. */
export function pickZones(
  zones: readonly LegacySettings[],
  wanted: readonly string[],
): readonly LegacySettings[] {
  if (wanted.length > 0) return wanted.map((zoneId) => pickZone(zones, zoneId));
  if (zones.length > 0) return zones;
  throw new MigrationError('OLD_SETTINGS_MISSING', 'the state has no settings of the legacy WAF', {
    hint: `name a zone that has not migrated, read the settings that \`finish\` saved, or see what is left to do:\ncf-waf-migrate report --zone <id or name>\ncf-waf-migrate report --backup ${settingsBackupFile('<zone id>')}\ncf-waf-migrate status`,
  });
}

export function pickZone(zones: readonly LegacySettings[], zoneId: string): LegacySettings {
  const found = zones.find((zone) => zone.zoneId === zoneId);
  if (found !== undefined) return found;
  const ids = listed(zones.map((zone) => zone.zoneId));
  const others = zones.length === 0 ? '' : `, only for ${ids}`;
  const message = `the state has no settings of the legacy WAF for zone ${zoneId}${others}`;
  throw new MigrationError('OLD_SETTINGS_MISSING', message);
}
