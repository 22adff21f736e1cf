import * as z from 'zod';
import { type Client } from '../cloudflare/client';
import { listRulesets, readRuleset } from '../cloudflare/rulesets';
import { readMigrationConfig } from '../cloudflare/waf-migration';
import { objectsOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { MANAGED_PHASE, type Ruleset, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import { OWASP_RULESET, rulesetName } from '../ruleset/known-rulesets';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { type ExecuteView, overridden, type RuleState, viewRuleset } from '../ruleset/view-ruleset';
import { builtInCatalogue, findLegacyRule, findSuccessor } from '../translate/catalogue/catalogue';
import { type RuleName } from './comparison';
import { type Intended } from './query/comparison-query';
import { LEGACY_SCORE_RULE, type Rank, RANKS, type WafSide } from './query/events';

const zoneRuleSchema = z.object({
  id: z.string(),
  description: z.string().catch(''),
  /** What it does without an override; empty if unknown. */
  action: z.string().catch(''),
  categories: z.array(z.string()).catch([]),
});

/** A rule of a managed ruleset of the zone, as the Cloudflare API lists it. */
export type ZoneRule = z.infer<typeof zoneRuleSchema> & { readonly rulesetId: string };

export async function readZoneRules(client: Client, zoneId: string): Promise<ZoneRule[]> {
  const found: ZoneRule[] = [];
  for (const { id: rulesetId, kind, phase } of await listRulesets(client, zoneId)) {
    if (kind !== 'managed' || phase !== MANAGED_PHASE) continue;
    const { rules } = await readRuleset(client, zoneId, rulesetId);
    for (const rule of objectsOf(rules)) {
      const parsed = zoneRuleSchema.safeParse(rule);
      if (parsed.success) found.push({ ...parsed.data, rulesetId });
    }
  }
  return found;
}

/** Reads the migration configuration of a zone. The API has none for a migrated zone. */
export async function readZoneConfig(client: Client, zoneId: string): Promise<Ruleset | undefined> {
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

const SCORE_TITLE = 'OWASP: inbound anomaly score exceeded';

export function ruleNamer(zoneRules: readonly ZoneRule[]): (side: WafSide, id: string) => RuleName {
  const catalogue = builtInCatalogue();
  const own = new Map(zoneRules.map((rule) => [rule.id, rule]));
  const managed = new Map(catalogue.managedRules.map((rule) => [rule.id, rule]));
  return (side, id) => {
    if (side === 'legacy') {
      const title = findLegacyRule(catalogue, id)?.title ?? '';
      return { name: id === LEGACY_SCORE_RULE ? SCORE_TITLE : title };
    }
    const [known, listed] = [own.get(id), managed.get(id)];
    const rulesetId = known?.rulesetId ?? listed?.rulesetId;
    const name = known?.description ?? listed?.title ?? '';
    return {
      name: name === '' && id === SCORING_RULE ? SCORE_TITLE : name,
      ...(rulesetId === undefined ? {} : { ruleset: rulesetName(rulesetId) }),
    };
  };
}

/**
 * What each managed rule does under a configuration. If it runs several times, the strongest action counts.
 * An unknown rule counts as blocking, as most rules do.
 * @returns also the overridden tags whose rules are unknown
 */
export function intendedActions(
  rules: readonly RulesetRule[],
  zoneRules: readonly ZoneRule[],
): { readonly intended: Intended; readonly unresolvedTags: readonly string[] } {
  const executes = viewRuleset({ rules }).executes.filter(({ enabled }) => enabled);
  const ranks = new Map<string, Rank>();
  for (const [id, rank] of executes.flatMap((execute) => ranksOf(execute, zoneRules))) {
    if (rank > (ranks.get(id) ?? -1)) ranks.set(id, rank);
  }
  // the action of a whole ruleset applies to unknown rules too
  const fallback = executes
    .map(({ all }) => rankOf('block', all))
    .reduce<Rank>((one, other) => (other > one ? other : one), RANKS.none);
  return {
    intended: { fallback, rules: new Map([...ranks].filter(([, rank]) => rank !== fallback)) },
    unresolvedTags: [
      ...new Set(executes.flatMap((execute) => unresolvedTagsOf(execute, zoneRules))),
    ],
  };
}

/** What each rule of a managed ruleset does: the rules of the zone, or otherwise of the catalogue. */
function ranksOf(execute: ExecuteView, zoneRules: readonly ZoneRule[]): [string, Rank][] {
  const own = rulesOf(execute, zoneRules);
  const listed = builtInCatalogue().managedRules.flatMap(
    ({ id, rulesetId, defaultAction: action }) =>
      id !== undefined && rulesetId === execute.ruleset ? [{ id, action, categories: [] }] : [],
  );
  const known = new Map((own.length > 0 ? own : listed).map((rule) => [rule.id, rule]));
  const scoring = execute.ruleset === OWASP_RULESET ? [SCORING_RULE] : [];
  const ids = new Set([...known.keys(), ...execute.rules.keys(), ...scoring]);
  return [...ids].map((id) => {
    const { action = 'block', categories = [] } = known.get(id) ?? {};
    return [id, rankOf(action, overridden(id, execute, categories))];
  });
}

/** The tags whose override changes an action, if the rules that have them are unknown. */
function unresolvedTagsOf(execute: ExecuteView, zoneRules: readonly ZoneRule[]): string[] {
  if (rulesOf(execute, zoneRules).length > 0) return [];
  return [...execute.categories].flatMap(([name, { action, enabled }]) => {
    const switchesOn = enabled === true && execute.all.enabled === false;
    return action !== undefined || switchesOn ? name : [];
  });
}

const rulesOf = ({ ruleset }: ExecuteView, zoneRules: readonly ZoneRule[]): ZoneRule[] =>
  zoneRules.filter((rule) => rule.rulesetId === ruleset);

/** @param byDefault what the rule does if no override sets an action */
function rankOf(byDefault: string, { action = byDefault, enabled }: RuleState): Rank {
  if (enabled === false) return RANKS.none;
  if (/challenge/i.test(action)) return RANKS.challenge;
  // the change log says `Disabled` of rules that are off by default: once switched on, they block
  return /^(?:log|simulate)$/i.test(action) ? RANKS.log : RANKS.block;
}

export interface ManagedRuleId {
  readonly rulesetId: string;
  readonly ruleId: string;
}

/**
 * Finds the deployed managed ruleset of a rule: by the zone's list, the catalogue, or an override of
 * the configuration. Undefined if none of them has the rule.
 */
export function findDeployedRule(
  ruleId: string,
  rules: readonly RulesetRule[],
  zoneRules: readonly ZoneRule[],
): ManagedRuleId | undefined {
  const { executes } = viewRuleset({ rules });
  const rulesetId =
    zoneRules.find(({ id }) => id === ruleId)?.rulesetId ??
    builtInCatalogue().managedRules.find(({ id }) => id === ruleId)?.rulesetId ??
    (ruleId === SCORING_RULE ? OWASP_RULESET : undefined) ??
    executes.find((execute) => execute.rules.has(ruleId))?.ruleset;
  const isDeployed = executes.some(({ enabled, ruleset }) => enabled && ruleset === rulesetId);
  return rulesetId !== undefined && isDeployed ? { rulesetId, ruleId } : undefined;
}

/** The new rule that replaces a legacy one, if the configuration deploys it. */
export function findDeployedSuccessor(
  legacyId: string,
  rules: readonly RulesetRule[],
  zoneRules: readonly ZoneRule[],
): ManagedRuleId | undefined {
  const ids = zoneRules.length === 0 ? undefined : new Set(zoneRules.map(({ id }) => id));
  const successor = findSuccessor(builtInCatalogue(), legacyId, ids);
  return successor.kind === 'known' ? findDeployedRule(successor.id, rules, zoneRules) : undefined;
}
