import { type Plan } from '../plan/plan';

/**
 * Reads the plan that the user named.
 * @param beforeCheck told of the document before it is checked: what checks it takes a while to load
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function readSavedPlan(
  path: string,
  beforeCheck?: (document: unknown) => Promise<void>,
): Promise<Plan> {
  const { readJsonFile } = await import('../actions/read-json-file');
  const document = await readJsonFile(path);
  await beforeCheck?.(document);
  const { parsePlan } = await import('../plan/parse-plan');
  return parsePlan(document);
}
