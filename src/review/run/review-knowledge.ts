import { type Client } from '../../cloudflare/client';
import { listRulesets, readRuleset } from '../../cloudflare/rulesets';
import { readMigrationConfig } from '../../cloudflare/waf-migration';
import { readZone } from '../../cloudflare/zones';
import { parseRuleset } from '../../ruleset/parse-ruleset';
import { type Finding } from '../../core/finding';
import { isJsonObject, textOf, textsOf } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { MANAGED_PHASE, type Ruleset } from '../../core/ruleset';
import { type Intended, intendedActions } from '../intended-actions';
import { type RuleName, ruleNamer, type ZoneRule } from '../rule-names';
import { type Catalogue } from '../../translate/catalogue/catalogue';

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
