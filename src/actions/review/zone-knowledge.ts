import { type Client } from '../../cloudflare/client';
import { listRulesets, readRuleset } from '../../cloudflare/rulesets';
import { readMigrationConfig } from '../../cloudflare/waf-migration';
import { readZone } from '../../cloudflare/zones';
import { parseRuleset } from '../../generate/parse-ruleset';
import { isJsonObject, textOf, textsOf } from '../../model/json';
import { MigrationError } from '../../model/migration-error';
import { MANAGED_PHASE, type Ruleset } from '../../model/ruleset';
import { type ZoneRule } from '../../review/rule-names';

/** What the service says of a zone, for a review. */
export interface ZoneKnowledge {
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
