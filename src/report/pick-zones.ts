import { MigrationError } from '../core/migration-error';
import { type LegacySettings } from '../translate/legacy-settings';

/**
 * The old settings of the zones that are asked for; of all, where none is named.
 * @throws MigrationError `OLD_SETTINGS_MISSING` when the states hold nothing of a zone, or of any
 */
export function pickZones(
  zones: readonly LegacySettings[],
  wanted: readonly string[],
): readonly LegacySettings[] {
  if (wanted.length > 0) return wanted.map((zoneId) => pickZone(zones, zoneId));
  if (zones.length > 0) return zones;
  throw new MigrationError(
    'OLD_SETTINGS_MISSING',
    'the state holds no settings of the previous WAF',
  );
}

/**
 * The old settings of one zone.
 * @throws MigrationError `OLD_SETTINGS_MISSING`
 */
export function pickZone(zones: readonly LegacySettings[], zoneId: string): LegacySettings {
  const found = zones.find((zone) => zone.zoneId === zoneId);
  if (found !== undefined) return found;
  const held = zones.map((zone) => zone.zoneId);
  const others =
    held.length === 0
      ? ''
      : `, only for ${held.slice(0, 5).join(', ')}${held.length > 5 ? ' and more' : ''}`;
  throw new MigrationError(
    'OLD_SETTINGS_MISSING',
    `the state holds no settings of the previous WAF for zone ${zoneId}${others}`,
  );
}
