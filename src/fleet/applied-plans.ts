import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { progressOf } from '../apply/journal/progress';
import { isEdited } from '../apply/steps/edit';
import { type Finding, isBlocker, isOpenFinding } from '../core/finding';
import { readSavedPlan } from '../plan/parse-saved-plan';
import { hasOnlyChecks, type Plan } from '../plan/plan-schema';
import { isManual } from '../plan/steps/step-kinds';
import { PLAN_ENDING } from './read-plans';

/** A plan that is applied, here or by a colleague, and what it has led to: the addresses of rulesets, and the versions of states. */
export interface AppliedPlan {
  readonly path: string;
  readonly digest: string;
  readonly results: readonly unknown[];
  /** Whether the clone that applies it may still wait at a manual step. */
  readonly mayWait: boolean;
}

/**
 * Returns a function that finds the applied plan whose result another plan finds: it leads to the journal and the backups.
 * It can be in another file, because folders that shared blocks had one plan. The folder is read once, if it is needed.
 * @param ids the plan of another zone, which has left the list, could not be verified with it
 */
export function appliedPlanFinder(folder: string, ids: ReadonlySet<string>) {
  let applied: Promise<readonly AppliedPlan[]> | undefined;
  return async (plan: Plan): Promise<AppliedPlan | undefined> => {
    if (!hasOnlyChecks(plan) || plan.findings.some(needsPlan)) return undefined;
    applied ??= readAppliedPlans(folder, ids);
    return (await applied).find((earlier) =>
      resultsOf(plan).every((result) =>
        earlier.results.some((other) => isDeepStrictEqual(other, result)),
      ),
    );
  };
}

/** What the files still declare is a fault of the files, and the earlier plan can be one that another clone resumes. */
const needsPlan = (one: Finding): boolean =>
  isOpenFinding(one) && !(isBlocker(one) && one.code === 'LEGACY_BLOCKS_DECLARED');

async function readAppliedPlans(folder: string, ids: ReadonlySet<string>): Promise<AppliedPlan[]> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const applied: AppliedPlan[] = [];
  for (const name of names.filter((one) => one.endsWith(PLAN_ENDING))) {
    const path = join(folder, name);
    const plan = await readSavedPlan(path).catch(() => undefined);
    if (plan?.zones.every(({ zoneId }) => ids.has(zoneId)) !== true) continue;
    const progress = progressOf({ plan, folder });
    // only the clone that applied it has the journal: in others, no command accepts it once its files are edited again
    const isUsable =
      !plan.findings.some(isBlocker) && !hasOnlyChecks(plan) && keepsEdits(plan, folder);
    if (progress === 'applied' || (progress === 'new' && isUsable))
      applied.push({
        path,
        digest: plan.digest,
        results: resultsOf(plan),
        mayWait: progress === 'new' && plan.steps.some(isManual),
      });
  }
  return applied;
}

const keepsEdits = (plan: Plan, folder: string): boolean =>
  plan.steps.every(({ edits = [] }) => edits.length === 0) || isEdited(plan, folder);

const resultsOf = ({ zones, states }: Plan): unknown[] => [
  ...zones.map(({ zoneId, ruleset }) => [zoneId, ruleset.address]),
  ...states.map(({ dir, workspace, lineage, provider }) => [dir, workspace, lineage, provider.to]),
];
