import { noRoute, refusal, type Refusal } from '../refusal';
import { type Reply, type Route, type ZoneCall, zoneRoute } from '../route';
import {
  entryPointOf,
  IDENTIFIER,
  isJsonObject,
  type JsonObject,
  MANAGED_PHASE,
  type Rule,
  type Ruleset,
  type World,
} from '../world';
import {
  INVALID,
  type ManagedRuleset,
  managedRulesets,
  parseNewRuleset,
  parseRuleset,
  phaseSchema,
  type RuleDraft,
  type RulesetDraft,
} from './ruleset-body';
import { enterMode, type MigrationMode, refuseMigration, settleMigration } from './waf-migration';

export const rulesetRoutes: readonly Route[] = [
  zoneRoute('/rulesets/phases/:phase/entrypoint', { GET: readEntryPoint, PUT: putEntryPoint }),
  zoneRoute('/rulesets', { GET: list, POST: create }),
  zoneRoute('/rulesets/:ruleset', {
    GET: (call) => ({ result: find(call) }),
    PUT: update,
    DELETE: remove,
  }),
];

function list({ zone }: ZoneCall): Reply {
  return {
    result: [...managedRulesets, ...zone.rulesets].map((ruleset) =>
      Object.fromEntries(Object.entries(ruleset).filter(([field]) => field !== 'rules')),
    ),
  };
}

function create(call: ZoneCall): Reply {
  const draft = parseNewRuleset(call.body());
  if (entryPointOf(call.zone, draft.phase) !== undefined) {
    const message = `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${draft.phase}`;
    throw refusal(400, 20217, message, '/kind');
  }
  return write(call, undefined, draft);
}

function update(call: ZoneCall): Reply {
  const current = ownRuleset(call);
  return write(call, current, parseRuleset(call.body(), current));
}

function remove(call: ZoneCall): Reply {
  const current = ownRuleset(call);
  call.zone.rulesets = call.zone.rulesets.filter((ruleset) => ruleset !== current);
  return { result: undefined };
}

/** Saves the next version of a ruleset, with a migration mode if the request has one. */
function write(
  call: ZoneCall,
  current: Ruleset | undefined,
  draft: RulesetDraft,
  mode?: MigrationMode,
): Reply {
  const { zone, world } = call;
  const next = nextRuleset(current, draft, world);
  if (mode === undefined) refuseEarlyStart(call, next);
  zone.rulesets =
    current === undefined
      ? [...zone.rulesets, next]
      : zone.rulesets.map((ruleset) => (ruleset === current ? next : ruleset));
  if (mode === undefined) settleMigration(zone, world);
  else enterMode(zone, mode, world);
  return { result: next };
}

function find({ zone, params, path }: ZoneCall): Ruleset | ManagedRuleset {
  const id = params['ruleset'] ?? '';
  if (!IDENTIFIER.test(id)) throw noRoute(path);
  const found = [...zone.rulesets, ...managedRulesets].find((ruleset) => ruleset.id === id);
  if (found !== undefined) return found;
  // Provider 3.35 detects a deleted ruleset only by the words "could not find ruleset".
  throw refusal(404, 10003, `could not find ruleset "${id}"`);
}

function ownRuleset(call: ZoneCall): Ruleset {
  const { id } = find(call);
  const own = call.zone.rulesets.find((ruleset) => ruleset.id === id);
  if (own !== undefined) return own;
  throw refusal(403, undefined, 'request is not authorized');
}

function readEntryPoint({ zone, params }: ZoneCall): Reply {
  const phase = params['phase'] ?? '';
  const found = entryPointOf(zone, phase);
  if (found !== undefined) return { result: found };
  throw refusal(404, 10003, `could not find entrypoint ruleset in the ${phase} phase`);
}

function putEntryPoint(call: ZoneCall): Reply {
  const phase = call.params['phase'] ?? '';
  if (!phaseSchema.safeParse(phase).success) throw refused(`there is no phase "${phase}"`);
  const mode = phase === MANAGED_PHASE ? migrationMode(call) : undefined;
  const current = entryPointOf(call.zone, phase);
  const replaced = current ?? { name: 'default', kind: 'zone', phase, rules: [] };
  return write(call, current, parseRuleset(call.body(), replaced), mode);
}

const modes: ReadonlyMap<string, MigrationMode> = new Map([
  ['pending', 'pending'],
  ['1', 'pending'],
  ['validation', 'validation'],
  ['2', 'validation'],
]);

function migrationMode(call: ZoneCall): MigrationMode | undefined {
  const { zone, query } = call;
  const asked = query.get('waf_migration');
  if (asked === null) return undefined;
  const mode = modes.get(asked);
  if (mode === undefined) throw refused(`waf_migration "${asked}" is not a known mode`);
  refuseMigration(call);
  if (mode === 'validation' && zone.plan !== 'enterprise') {
    throw refused('validation mode is available to Enterprise zones only');
  }
  if (mode === 'validation' && zone.migration.state === 'pending') {
    throw refused('the migration is being finished and cannot go back to validation mode');
  }
  return mode;
}

/**
 * Before the migration, every rule of an entry point must be disabled (public documentation for Pro
 * and Business; assumed for Enterprise).
 */
function refuseEarlyStart({ zone }: ZoneCall, next: Ruleset): void {
  if (next.phase !== MANAGED_PHASE || zone.migration.state !== 'start') return;
  if (!next.rules.some((rule) => rule.enabled)) return;
  throw refused('before the migration every rule of the new WAF must be disabled');
}

/** The codes of these refusals are not known, so they have none (docs/emulator.md). */
const refused = (message: string): Refusal => refusal(400, undefined, message);

/**
 * The next version of a ruleset, with the full new list of rules. A rule keeps its identifier if
 * the request contains that or its `ref`; other rules get a new identifier.
 */
function nextRuleset(current: Ruleset | undefined, draft: RulesetDraft, world: World): Ruleset {
  const before = current?.rules ?? [];
  const rules = draft.rules?.map((rule) => nextRule(rule, before, world)) ?? before;
  refuseDuplicates(rules);
  return {
    id: current?.id ?? world.mint.next(),
    name: draft.name,
    description: draft.description ?? current?.description ?? '',
    kind: draft.kind,
    version: String(Number(current?.version ?? 0) + 1),
    last_updated: world.now(),
    phase: draft.phase,
    rules,
  };
}

/** A rule to store; an unchanged rule stays the same object. */
function nextRule(draft: RuleDraft, known: readonly Rule[], world: World): Rule {
  const kept =
    draft.id === undefined
      ? known.find((rule) => draft.ref !== undefined && rule.ref === draft.ref)
      : known.find((rule) => rule.id === draft.id);
  const id = kept?.id ?? world.mint.next();
  const content = {
    enabled: draft.enabled ?? true,
    id,
    action: draft.action,
    ...parametersOf(draft),
    expression: draft.expression,
    description: draft.description ?? '',
    // A skip rule logs by default (provider issue 2418).
    ...(draft.action === 'skip' && { logging: { enabled: draft.logging?.enabled ?? true } }),
    ref: draft.ref ?? kept?.ref ?? id,
  };
  const stamp = { version: '', last_updated: '' };
  const before = { description: '', ...kept, ...stamp };
  if (kept !== undefined && canonical(before) === canonical({ ...content, ...stamp })) return kept;
  const version = String(Number(kept?.version ?? 0) + 1);
  return { version, last_updated: world.now(), ...content };
}

/** The API adds `version: "latest"` to the parameters of a rule that executes a ruleset. */
function parametersOf({ action, action_parameters: given }: RuleDraft): JsonObject {
  if (!given) return {};
  if (action !== 'execute') return { action_parameters: given };
  const { version, ...rest } = given;
  return { action_parameters: { ...rest, version: version || 'latest' } };
}

/** The order of keys does not count. */
function canonical(value: JsonObject): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** A request can name the same rule by id and by `ref`, which would duplicate it. */
function refuseDuplicates(rules: readonly Rule[]): void {
  for (const name of ['id', 'ref'] as const) {
    const seen = new Set<string>();
    rules.forEach(({ [name]: value }, index) => {
      if (seen.has(value)) {
        throw refusal(400, INVALID, `${name} "${value}" is not unique`, `/rules/${index}/${name}`);
      }
      seen.add(value);
    });
  }
}
