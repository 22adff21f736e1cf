import { type Reply, type Route, type ZoneCall } from '../call';
import { convertZone } from '../converter/convert-zone';
import {
  blockersOf,
  countStatusRead,
  exceededLimits,
  newWafEnabled,
  oldWafEnabled,
  phaseOf,
  settleMigration,
} from '../migration';
import { refusal } from '../refusal';
import { zoneRoute } from '../zone-route';

/** Compatibility, new configuration and status of a zone: spec, part "Endpoints". */
export const migrationRoutes: readonly Route[] = [
  zoneRoute('/waf_migration/check', { GET: check }),
  zoneRoute('/waf_migration/config', { GET: config }),
  zoneRoute('/waf_migration/status', { GET: status }),
];

function check({ zone, query }: ZoneCall): Reply {
  const compatible = blockersOf(zone, phaseOf(query)).length === 0;
  return { result: { compatible, migration_state: zone.migration.state } };
}

function config({ zone, query }: ZoneCall): Reply {
  if (zone.migration.state === 'complete') {
    throw refusal(400, undefined, 'the zone has already migrated to the new WAF');
  }
  const [blocker] = blockersOf(zone, phaseOf(query));
  if (blocker !== undefined) throw refusal(400, undefined, `zone is not compatible: ${blocker}`);
  const [limit] = exceededLimits(zone);
  if (limit !== undefined) throw refusal(400, undefined, limit);
  return { result: convertZone(zone) };
}

/** The fields were seen in other people's clients; the specification names none. */
function status({ zone, world }: ZoneCall): Reply {
  countStatusRead(zone);
  settleMigration(zone, world);
  const word = (enabled: boolean): string => (enabled ? 'enabled' : 'disabled');
  return {
    result: {
      created: zone.migration.since,
      migration_state: zone.migration.state,
      new_waf_status: word(newWafEnabled(zone)),
      old_waf_status: word(oldWafEnabled(zone)),
      source: zone.migration.source,
    },
  };
}
