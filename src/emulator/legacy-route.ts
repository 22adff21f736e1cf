import { noRoute, Refusal, refusal, wrongCredentials } from './refusal';
import { type Route, type ZoneCall, type ZoneMethods, zoneRoute } from './route';

/**
 * A route of the legacy WAF. It stops working when the zone has migrated (spec, "States and
 * transitions", rule 2).
 */
export function legacyRoute(path: string, methods: ZoneMethods): Route {
  return zoneRoute(`/firewall/waf${path}`, methods, (call) => {
    if (call.zone.migration.state === 'complete') throw gone(call);
    if (call.world.settings.legacyApiRefusesTokens && !call.hasKey) throw wrongCredentials();
  });
}

/** The answer for a migrated zone. That of the API is not known, so the scenario selects it. */
function gone({ world, path }: ZoneCall): Refusal {
  const message = 'the previous version of WAF managed rules is gone';
  switch (world.settings.gone) {
    case '403/10000':
      return wrongCredentials();
    case '404':
      return noRoute(path);
    case '400/1002':
      return refusal(400, 1002, message);
    case '410':
      return refusal(410, undefined, message);
    case 'html':
      return new Refusal(403, [{ message }], {}, 'Access denied');
  }
}
