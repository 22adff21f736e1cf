import { type Finding } from '../model/finding';
import { renderFindings } from '../model/render-findings';
import { type Plan } from '../plan/plan';

const decisionsOf = ({ findings }: Plan): readonly Finding[] =>
  findings.filter(({ severity }) => severity === 'decision');

/** A result with what its plan left to a person to decide, which no step does. */
export function withDecisions<Result extends { readonly findings?: readonly Finding[] }>(
  result: Result,
  plan: Plan,
): Result {
  const decisions = decisionsOf(plan);
  if (decisions.length === 0) return result;
  return { ...result, findings: [...(result.findings ?? []), ...decisions] };
}

/** The same as lines for a person. */
export function renderDecisions(plan: Plan): readonly string[] {
  const decisions = decisionsOf(plan);
  return decisions.length === 0
    ? []
    : ['The plan left to you, and no step does:', ...renderFindings(decisions)];
}
