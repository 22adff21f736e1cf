import { type Plan } from '../plan/plan';

/**
 * Reads the plan that the user named.
 * @param beforeCheck told of the document before it is checked: what checks it takes a while to load
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function readSavedPlan(
  path: string,
  beforeCheck?: (document: unknown) => void,
): Promise<Plan> {
  const { readJsonFile } = await import('../actions/read-json-file');
  const document = await readJsonFile(path);
  if (beforeCheck !== undefined) {
    beforeCheck(document);
    // what was asked goes out before anything else is loaded: one turn to connect, one to write
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  const { parsePlan } = await import('../plan/parse-plan');
  return parsePlan(document);
}
