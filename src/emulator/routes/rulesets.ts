import { type Reply, type Route, type ZoneCall } from '../call';
import { blockersOf, enterMode, exceededLimits, type MigrationMode, phaseOf } from '../migration';
import { IDENTIFIER } from '../identifiers';
import {
  entryPointOf,
  MANAGED_PHASE,
  type ManagedRuleset,
  managedRulesets,
  phases,
  type Rule,
  type Ruleset,
} from '../ruleset';
import { noRoute, refusal, type Refusal } from '../refusal';
import { parseNewRuleset, parseRule, parseRuleset } from '../ruleset-body';
import { nextVersion, writeRule, writeRuleset } from '../ruleset-write';
import { zoneRoute } from '../zone-route';

/** The Rulesets interface of a zone. Each write of a single rule answers the whole ruleset (public documentation). */
export const rulesetRoutes: readonly Route[] = [
  zoneRoute('/rulesets/phases/:phase/entrypoint', { GET: readEntryPoint, PUT: putEntryPoint }),
  zoneRoute('/rulesets', { GET: list, POST: create }),
  zoneRoute('/rulesets/:ruleset', { GET: read, PUT: update, DELETE: remove }),
  zoneRoute('/rulesets/:ruleset/rules', { POST: addRule }),
  zoneRoute('/rulesets/:ruleset/rules/:rule', { PATCH: changeRule, DELETE: removeRule }),
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
function ownRuleset(call: ZoneCall): Ruleset {
  const { id } = find(call);
  const mine = call.zone.rulesets.find((ruleset) => ruleset.id === id);
  if (mine !== undefined) return mine;
  throw refusal(403, undefined, 'request is not authorized');
}

function readEntryPoint({ zone, params }: ZoneCall): Reply {
  const phase = params['phase'] ?? '';
  const found = entryPointOf(zone.rulesets, phase);
  if (found !== undefined) return { result: found };
  throw refusal(404, 10003, `could not find entrypoint ruleset in the ${phase} phase`);
}

function putEntryPoint(call: ZoneCall): Reply {
  const { zone, world, params } = call;
  const phase = params['phase'] ?? '';
  if (!phases.some((one) => one === phase)) throw refused(`there is no phase "${phase}"`);
  const mode = phase === MANAGED_PHASE ? migrationMode(call) : undefined;
  const current = entryPointOf(zone.rulesets, phase);
  const fixed = { kind: 'zone', phase };
  const body = parseRuleset(call.body(), fixed, current, world.settings);
  const name = body.name ?? current?.name ?? 'default';
  const next = writeRuleset(current, { ...body, ...fixed, name }, world);
  if (mode === undefined) refuseEarlyStart(call, next);
  zone.rulesets = [...zone.rulesets.filter((ruleset) => ruleset !== current), next];
  if (mode !== undefined) enterMode(zone, mode, world);
  return { result: next };
}

const modes: ReadonlyMap<string, MigrationMode> = new Map([
  ['pending', 'pending'],
  ['1', 'pending'],
  ['validation', 'validation'],
  ['2', 'validation'],
]);

/** The mode that is asked for, if any. @throws Refusal when the zone may not enter it */
function migrationMode({ zone, query }: ZoneCall): MigrationMode | undefined {
  const asked = query.get('waf_migration');
  if (asked === null) return undefined;
  const mode = modes.get(asked);
  if (mode === undefined) throw refused(`waf_migration "${asked}" is not a known mode`);
  if (zone.migration.state === 'complete') throw refused('the zone has already migrated');
  const [blocker] = blockersOf(zone, phaseOf(query));
  if (blocker !== undefined) throw refused(`zone is not compatible: ${blocker}`);
  const [limit] = exceededLimits(zone);
  if (limit !== undefined) throw refused(limit);
  if (mode === 'validation' && zone.plan !== 'enterprise') {
    throw refused('validation mode is available to Enterprise zones only');
  }
  if (mode === 'validation' && zone.migration.state === 'pending') {
    throw refused('the migration is being finished and cannot go back to validation mode');
  }
  return mode;
}

/**
 * Before its migration a zone may prepare its entry point with every rule disabled only: public
 * documentation for Pro and Business; assumed for Enterprise.
 */
function refuseEarlyStart({ zone }: ZoneCall, next: Ruleset): void {
  if (next.phase !== MANAGED_PHASE || zone.migration.state !== 'start') return;
  if (!next.rules.some((rule) => rule.enabled)) return;
  throw refused('before the migration every rule of the new WAF must be disabled');
}

/** The codes of these refusals are not known: none is made up (docs/emulator.md). */
const refused = (message: string): Refusal => refusal(400, undefined, message);

function addRule(call: ZoneCall): Reply {
  const current = ownRuleset(call);
  const draft = parseRule(call.body(), call.world.settings);
  const rule = writeRule(draft, [], call.world);
  return save(call, current, [...current.rules, rule]);
}

function changeRule(call: ZoneCall): Reply {
  const current = ownRuleset(call);
  const { id } = ruleOf(call, current);
  const draft = parseRule(call.body(), call.world.settings, id);
  const rule = writeRule(draft, current.rules, call.world);
  return save(
    call,
    current,
    current.rules.map((one) => (one.id === id ? rule : one)),
  );
}

function removeRule(call: ZoneCall): Reply {
  const current = ownRuleset(call);
  const { id } = ruleOf(call, current);
  return save(
    call,
    current,
    current.rules.filter((one) => one.id !== id),
  );
}

function ruleOf({ params }: ZoneCall, current: Ruleset): Rule {
  const found = current.rules.find(({ id }) => id === params['rule']);
  if (found !== undefined) return found;
  throw refusal(404, 10003, `could not find rule "${params['rule'] ?? ''}"`);
}

function save(call: ZoneCall, current: Ruleset, rules: readonly Rule[]): Reply {
  const next = nextVersion(current, rules, call.world);
  refuseEarlyStart(call, next);
  const { zone } = call;
  zone.rulesets = zone.rulesets.map((ruleset) => (ruleset === current ? next : ruleset));
  return { result: next };
}
