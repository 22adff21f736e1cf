import { MigrationError } from '../core/migration-error';
import { type Plan } from './plan';
import { digestOf } from './plan-digest';
import { planSchema } from './plan-schema';
import { requirePlannedSteps } from './require-planned-steps';

/**
 * Reads a saved plan, as `plan --json` prints it, from its parsed JSON.
 * @throws MigrationError `PLAN_INVALID` when it is no plan, of another version, or not as it was
 *   written: what was planned by facts is not to be changed by hand; nor is what this tool never plans
 */
export function parsePlan(document: unknown): Plan {
  // to compile a parser takes longer than to read one plan with it
  const parsed = planSchema.safeParse(document, { jitless: true });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where =
      issue === undefined
        ? ''
        : `: ${issue.path.join('.') || 'document'}: ${issue.message.toLowerCase()}`;
    throw new MigrationError('PLAN_INVALID', `not a plan of this version${where}`);
  }
  if (digestOf(parsed.data) !== parsed.data.digest) {
    throw new MigrationError(
      'PLAN_INVALID',
      'the plan is not as it was written: its digest differs',
    );
  }
  requirePlannedSteps(parsed.data);
  return parsed.data;
}
