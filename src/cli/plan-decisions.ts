import { type Finding, renderFindings } from '../core/finding';
import { openDecisions } from '../plan/findings';
import { type Plan } from '../plan/plan';

/** No step is known to be done. */
export const NOTHING_DONE: ReadonlySet<string> = new Set();

/** A result with what its plan left to a person to decide, and the steps that are `done` do not answer. */
export function withDecisions<Result extends { readonly findings?: readonly Finding[] }>(
  result: Result,
  plan: Plan,
  done: ReadonlySet<string>,
): Result {
  const decisions = openDecisions(plan, done);
  if (decisions.length === 0) return result;
  return { ...result, findings: [...(result.findings ?? []), ...decisions] };
}

/** The same as lines for a person. */
export function renderDecisions(plan: Plan, done: ReadonlySet<string>): readonly string[] {
  const decisions = openDecisions(plan, done);
  return decisions.length === 0
    ? []
    : ['The plan left to you, and no step does:', ...renderFindings(decisions)];
}
