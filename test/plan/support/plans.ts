import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProviderVersions, readStateBytes } from '../../../src/plan/facts/read-facts';
import { type Plan } from '../../../src/plan/plan-schema';
import { planMigration } from '../../../src/plan/plan-migration';
import { type PlannedZone } from '../../../src/plan/facts/facts';

export const statesFolder = join(__dirname, '../../fixtures/terraform/states');
export const ZONE = '0123456789abcdef0123456789abcdef';
export const RULESET = 'a'.repeat(32);
export const zone: PlannedZone = {
  zoneId: ZONE,
  rulesetId: RULESET,
  address: 'cloudflare_ruleset.managed_rules',
};

/** The plan for one of the states of the fixtures. */
export function planOf(
  file: string,
  versions: ProviderVersions = {},
  zones: readonly PlannedZone[] = [zone],
): Plan {
  const bytes = readFileSync(join(statesFolder, file));
  return planMigration(zones, [readStateBytes(bytes, 'default', versions)]);
}

/** A plan with other steps, numbered. */
export function withSteps(plan: Plan, steps: readonly Omit<Plan['steps'][number], 'id'>[]): Plan {
  return { ...plan, steps: steps.map((step, index) => ({ ...step, id: String(index + 1) })) };
}
