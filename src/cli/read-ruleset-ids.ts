import { parseRulesetId, parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';

/**
 * Reads `--ruleset-id`: the id alone where there is one zone, else `<zone>=<id>` for each.
 * @returns ruleset ids by zone
 * @throws MigrationError `USAGE`, `ZONE_ID_INVALID`, `RULESET_ID_INVALID`
 */
export function readRulesetIds(
  given: readonly string[],
  zones: readonly string[],
): Map<string, string> {
  const ids = new Map<string, string>();
  for (const text of given) {
    const equals = text.indexOf('=');
    const zone = equals === -1 ? onlyZone(given, zones) : parseZoneId(text.slice(0, equals));
    if (!zones.includes(zone)) {
      throw new MigrationError('USAGE', `--ruleset-id names zone ${zone}, and --zone does not`);
    }
    const id = parseRulesetId(text.slice(equals + 1));
    if ((ids.get(zone) ?? id) !== id) {
      throw new MigrationError('USAGE', `--ruleset-id gives zone ${zone} two ids: which counts?`);
    }
    ids.set(zone, id);
  }
  return ids;
}

function onlyZone(given: readonly string[], zones: readonly string[]): string {
  const [zone, ...others] = zones;
  if (zone !== undefined && others.length === 0 && given.length === 1) return zone;
  throw new MigrationError('USAGE', 'with several zones, --ruleset-id takes <zone>=<id>');
}
