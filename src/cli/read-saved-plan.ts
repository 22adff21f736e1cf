import { readJsonFile } from '../files/read-json-file';
import { parsePlan } from '../plan/parse-plan';
import { type Plan } from '../plan/plan';

const NOT_JSON =
  'pass the plan as JSON, as `cf-waf-migrate plan --format json --out plan.json` writes it, and all of it';

/**
 * Reads the plan that the user named.
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function readSavedPlan(path: string): Promise<Plan> {
  return parsePlan(await readJsonFile(path, NOT_JSON));
}
