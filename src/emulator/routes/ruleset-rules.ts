import { type Reply, type Route, type ZoneCall } from '../call';
import { refusal } from '../refusal';
import { parseRule } from '../ruleset-body';
import { nextVersion, writeRule } from '../ruleset-write';
import { type Rule, type Ruleset } from '../ruleset';
import { zoneRoute } from '../zone-route';
import { refuseEarlyStart } from './entry-point';
import { ownRuleset } from './rulesets';

/** Single rules of a ruleset; each write answers the whole ruleset (public documentation). */
export const rulesetRuleRoutes: readonly Route[] = [
  zoneRoute('/rulesets/:ruleset/rules', { POST: add }),
  zoneRoute('/rulesets/:ruleset/rules/:rule', { PATCH: change, DELETE: remove }),
];

function add(call: ZoneCall): Reply {
  const current = ownRuleset(call);
  const draft = parseRule(call.body(), call.world.settings);
  const rule = writeRule(draft, [], call.world);
  return save(call, current, [...current.rules, rule]);
}

function change(call: ZoneCall): Reply {
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

function remove(call: ZoneCall): Reply {
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
