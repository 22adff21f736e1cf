import { type Reply, type Route, type ZoneCall } from '../call';
import { IDENTIFIER } from '../identifiers';
import { type ManagedRuleset, managedRulesets } from '../managed-rulesets';
import { noRoute, refusal } from '../refusal';
import { entryPointOf, type Ruleset } from '../ruleset';
import { parseNewRuleset, parseRuleset } from '../ruleset-body';
import { writeRuleset } from '../ruleset-write';
import { zoneRoute } from '../zone-route';
import { refuseEarlyStart } from './entry-point';

/** The Rulesets interface of a zone, without its entry point path. */
export const rulesetRoutes: readonly Route[] = [
  zoneRoute('/rulesets', { GET: list, POST: create }),
  zoneRoute('/rulesets/:ruleset', { GET: read, PUT: update, DELETE: remove }),
];

/** The list has no rules, and has the managed rulesets too. */
function list({ zone }: ZoneCall): Reply {
  return {
    result: [...managedRulesets, ...zone.rulesets].map((ruleset) =>
      Object.fromEntries(Object.entries(ruleset).filter(([field]) => field !== 'rules')),
    ),
  };
}

function read(call: ZoneCall): Reply {
  return { result: find(call) };
}

function create(call: ZoneCall): Reply {
  const { zone, world } = call;
  const body = parseNewRuleset(call.body(), world.settings);
  if (entryPointOf(zone.rulesets, body.phase) !== undefined) {
    const message = `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${body.phase}`;
    throw refusal(400, 20217, message, '/kind');
  }
  const next = writeRuleset(undefined, body, world);
  refuseEarlyStart(call, next);
  zone.rulesets = [...zone.rulesets, next];
  return { result: next };
}

function update(call: ZoneCall): Reply {
  const { zone, world } = call;
  const current = ownRuleset(call);
  const body = parseRuleset(call.body(), current, current, world.settings);
  const { kind, phase } = current;
  const next = writeRuleset(
    current,
    { ...body, kind, phase, name: body.name ?? current.name },
    world,
  );
  refuseEarlyStart(call, next);
  zone.rulesets = zone.rulesets.map((ruleset) => (ruleset === current ? next : ruleset));
  return { result: next };
}

function remove(call: ZoneCall): Reply {
  const { zone } = call;
  const current = ownRuleset(call);
  zone.rulesets = zone.rulesets.filter((ruleset) => ruleset !== current);
  return { result: undefined };
}

function find({ zone, params, path }: ZoneCall): Ruleset | ManagedRuleset {
  const id = params['ruleset'] ?? '';
  if (!IDENTIFIER.test(id)) throw noRoute(path);
  const found = [...zone.rulesets, ...managedRulesets].find((ruleset) => ruleset.id === id);
  if (found !== undefined) return found;
  // Provider 3.35 tells "gone" by the words "could not find ruleset" alone.
  throw refusal(404, 10003, `could not find ruleset "${id}"`);
}

/** A ruleset that the zone owns. A managed one belongs to the service and cannot be written. */
export function ownRuleset(call: ZoneCall): Ruleset {
  const { id } = find(call);
  const mine = call.zone.rulesets.find((ruleset) => ruleset.id === id);
  if (mine !== undefined) return mine;
  throw refusal(403, undefined, 'request is not authorized');
}
