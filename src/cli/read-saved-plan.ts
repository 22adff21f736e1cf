import { type Plan } from '../plan/plan';

/**
 * Reads the plan that the user named.
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function readSavedPlan(path: string): Promise<Plan> {
  const { readJsonFile } = await import('../actions/read-json-file');
  const { parsePlan } = await import('../plan/parse-plan');
  return parsePlan(await readJsonFile(path));
}
