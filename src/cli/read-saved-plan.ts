import { readJsonFile } from '../actions/read-json-file';
import { parsePlan } from '../plan/parse-plan';
import { type Plan } from '../plan/plan';

const NOT_JSON =
  'pass the plan as JSON, as `cf-waf-migrate plan --format json --out plan.json` writes it, and all of it';

/**
 * Reads the plan that the user named.
 * @param beforeCheck told of the document before it is checked: what checks it takes a while to load
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function readSavedPlan(
  path: string,
  beforeCheck?: (document: unknown) => Promise<void>,
): Promise<Plan> {
  const document = await readJsonFile(path, NOT_JSON);
  await beforeCheck?.(document);
  return parsePlan(document);
}
