import { type Client } from '../cloudflare/client';
import { listRulesets, readRuleset } from '../cloudflare/rulesets';
import { readMigrationConfig } from '../cloudflare/waf-migration';
import { readZone } from '../cloudflare/zones';
import { type Finding } from '../core/finding';
import { isJsonObject, textOf, textsOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { MANAGED_PHASE, type Ruleset, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import { OLD_SCORE_RULE, type Rank, RANKS } from './query/events';
import { OWASP_RULESET, rulesetName } from '../ruleset/known-rulesets';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { overridden, type RuleState, viewRuleset } from '../ruleset/view-ruleset';
import { type Catalogue, findLegacyRule } from '../translate/catalogue/catalogue';

/** A rule of a managed ruleset of the zone, as the service lists it. */
export interface ZoneRule {
  readonly id: string;
  readonly rulesetId: string;
  readonly description: string;
  /** What it does where nothing is overridden; empty where it is not said. */
  readonly action: string;
  readonly categories: readonly string[];
  readonly enabled?: boolean;
}

/** What is known of a rule for a reader. */
export interface RuleName {
  readonly name: string;
  readonly ruleset?: string;
}

/**
 * Makes a namer of rules: the zone's own managed rulesets where they were read, else the catalogue,
 * which knows no more than was public (docs/catalogue.md).
 */
export function ruleNamer(
  catalogue: Catalogue,
  zoneRules: readonly ZoneRule[] = [],
): (side: 'old' | 'new', id: string) => RuleName {
  const own = new Map(zoneRules.map((rule) => [rule.id, rule]));
  const managed = new Map(
    catalogue.managedRules.flatMap((rule) =>
      rule.id === undefined ? [] : [[rule.id, rule] as const],
    ),
  );
  return (side, id) => {
    if (side === 'old') {
      if (id === OLD_SCORE_RULE) return { name: 'OWASP: inbound anomaly score exceeded' };
      return { name: findLegacyRule(catalogue, id)?.title ?? '' };
    }
    const known = own.get(id);
    const listed = managed.get(id);
    const rulesetId = known?.rulesetId ?? listed?.rulesetId;
    const name = known?.description ?? listed?.title ?? '';
    const score = id === SCORING_RULE ? 'OWASP: inbound anomaly score exceeded' : '';
    return {
      name: name === '' ? score : name,
      ...(rulesetId === undefined ? {} : { ruleset: rulesetName(rulesetId) }),
    };
  };
}

/** What a configuration means for the rules, and what could not be worked out. */
interface IntendedActions {
  readonly intended: Intended;
  /** Tags that are overridden, of which it is not known which rules have them. */
  readonly unresolvedTags: readonly string[];
}

interface KnownRule {
  readonly id: string;
  readonly action: string;
  readonly categories: readonly string[];
}

/**
 * What each managed rule does under a configuration: where it runs several times, the strongest
 * counts. A rule of which nothing is known is taken to block: most do.
 *
 * @param zoneRules the rules of the zone's managed rulesets, with their tags, where they were read
 */
export function intendedActions(
  rules: readonly RulesetRule[],
  catalogue: Catalogue,
  zoneRules: readonly ZoneRule[] = [],
): IntendedActions {
  const ranks = new Map<string, Rank>();
  const unresolved = new Set<string>();
  const whole: Rank[] = [];
  for (const execute of viewRuleset({ rules }).executes) {
    if (!execute.enabled) continue;
    const known = knownRules(execute.ruleset, catalogue, zoneRules);
    if (zoneRules.length === 0) {
      for (const [name, { action }] of execute.categories) {
        if (action !== undefined) unresolved.add(name);
      }
    }
    const scoring = execute.ruleset === OWASP_RULESET ? [SCORING_RULE] : [];
    for (const id of new Set([
      ...known.map((one) => one.id),
      ...execute.rules.keys(),
      ...scoring,
    ])) {
      const rule = known.find((one) => one.id === id);
      const rank = rankOf(rule?.action ?? 'block', overridden(id, execute, rule?.categories ?? []));
      const before = ranks.get(id);
      if (before === undefined || rank > before) ranks.set(id, rank);
    }
    whole.push(rankOf('block', execute.all));
  }
  // the action of a whole ruleset holds for rules that nobody knows as well
  const fallback = whole.reduce<Rank>((most, one) => (one > most ? one : most), RANKS.none);
  return {
    intended: { fallback, rules: new Map([...ranks].filter(([, rank]) => rank !== fallback)) },
    unresolvedTags: [...unresolved],
  };
}

/** @param byDefault what the rule does where no override sets an action */
function rankOf(byDefault: string, { action = byDefault, enabled }: RuleState): Rank {
  if (enabled === false) return RANKS.none;
  if (/challenge/i.test(action)) return RANKS.challenge;
  // the change log says Disabled of rules that are off until somebody switches them on
  return /^(?:log|simulate)$/i.test(action) ? RANKS.log : RANKS.block;
}

function knownRules(
  rulesetId: string,
  catalogue: Catalogue,
  zoneRules: readonly ZoneRule[],
): readonly KnownRule[] {
  const own = zoneRules.filter((rule) => rule.rulesetId === rulesetId);
  if (own.length > 0) return own;
  return catalogue.managedRules.flatMap(({ id, rulesetId: of, defaultAction }) =>
    id !== undefined && of === rulesetId ? [{ id, action: defaultAction, categories: [] }] : [],
  );
}

/**
 * What the rules of the new WAF are meant to do after validation. While every new rule only logs
 * (`start-validation --log-only`), a log of a rule counts as this.
 */
export interface Intended {
  /** For rules that are not named. */
  readonly fallback: Rank;
  readonly rules: ReadonlyMap<string, Rank>;
}

/** A log is a log. */
export const AS_LOGGED: Intended = { fallback: RANKS.log, rules: new Map() };

/** What is known beside the events. */
export interface ReviewKnowledge {
  readonly nameOf: (side: 'old' | 'new', id: string) => RuleName;
  /** What the new rules are meant to do; undefined: a log is a log. */
  readonly intended?: Intended;
  readonly findings: readonly Finding[];
}

/**
 * Names from the catalogue and the zone's managed rulesets, meanings from the configuration.
 * @param config what the zone shall have after validation
 */
export function knowledgeOf(
  catalogue: Catalogue,
  config?: Ruleset,
  zoneRules: readonly ZoneRule[] = [],
): ReviewKnowledge {
  const nameOf = ruleNamer(catalogue, zoneRules);
  if (config === undefined) return { nameOf, findings: [] };
  const { intended, unresolvedTags } = intendedActions(config.rules, catalogue, zoneRules);
  return {
    nameOf,
    intended,
    findings: unresolvedTags.map((tag): Finding => ({
      code: 'TAG_UNRESOLVED',
      severity: 'decision',
      subject: tag,
      message: 'the configuration overrides this tag, and which rules have it is not known here',
      remedy: 'pass --zone: its managed rulesets name the tags of each rule',
    })),
  };
}

/** What the service says of a zone, for a review. */
interface ZoneKnowledge {
  readonly name: string;
  readonly zoneRules: readonly ZoneRule[];
  /** What its migration makes of the old settings; undefined where the service does not say it. */
  readonly config: Ruleset | undefined;
}

/**
 * Asks for the name of a zone, the rules of its managed rulesets with their tags, and the
 * configuration that its migration proposes.
 * @throws MigrationError those of the client
 */
export async function readZoneKnowledge(client: Client, zoneId: string): Promise<ZoneKnowledge> {
  const [{ name }, zoneRules, config] = await Promise.all([
    readZone(client, zoneId),
    readZoneRules(client, zoneId),
    readConfig(client, zoneId),
  ]);
  return { name, zoneRules, config };
}

async function readZoneRules(client: Client, zoneId: string): Promise<ZoneRule[]> {
  const found: ZoneRule[] = [];
  for await (const { id, kind, phase } of listRulesets(client, zoneId)) {
    if (kind !== 'managed' || phase !== MANAGED_PHASE) continue;
    const { rules } = await readRuleset(client, zoneId, id);
    for (const rule of Array.isArray(rules) ? rules : []) {
      const parsed = zoneRuleOf(rule, id);
      if (parsed !== undefined) found.push(parsed);
    }
  }
  return found;
}

function zoneRuleOf(rule: unknown, rulesetId: string): ZoneRule | undefined {
  if (!isJsonObject(rule) || typeof rule['id'] !== 'string') return undefined;
  const { id, description, action, categories, enabled } = rule;
  return {
    id,
    rulesetId,
    description: textOf(description),
    action: textOf(action),
    categories: textsOf(categories),
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
  };
}

/** A zone that has moved has no configuration any more: the review goes on without. */
async function readConfig(client: Client, zoneId: string): Promise<Ruleset | undefined> {
  try {
    const { result } = await readMigrationConfig(client, zoneId);
    return parseRuleset(result).ruleset;
  } catch (error) {
    const isAnswer =
      error instanceof MigrationError &&
      ['API_REFUSED', 'API_NOT_FOUND', 'RULESET_INVALID', 'RULESET_EMPTY'].includes(error.code);
    if (isAnswer) return undefined;
    throw error;
  }
}
