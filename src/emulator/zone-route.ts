import { type Method, type Route, type ZoneHandler } from './call';
import { IDENTIFIER } from './identifiers';
import { settleMigration } from './migration';
import { noRoute, refusal } from './refusal';

/** A route below `/zones/:zone`: finds the zone first, and lets time pass for its migration. */
export function zoneRoute(path: string, methods: Partial<Record<Method, ZoneHandler>>): Route {
  return {
    path: `/zones/:zone${path}`,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, handler]): [string, Route['methods'][Method]] => [
        method,
        (call) => {
          const id = call.params['zone'] ?? '';
          if (!IDENTIFIER.test(id)) throw noRoute(call.path);
          const zone = call.world.zones.get(id);
          if (zone === undefined) {
            throw refusal(403, 9109, 'Unauthorized to access requested resource');
          }
          settleMigration(zone, call.world);
          return handler({ ...call, zone });
        },
      ]),
    ),
  };
}
