import { type Plan } from '../../src/plan/plan';

/** The flags that accept each decision of a plan, as a user gives them who has read it. */
export function acceptAll({ findings }: Pick<Plan, 'findings'>): string[] {
  const codes = findings.flatMap(({ severity, code }) => (severity === 'decision' ? [code] : []));
  return [...new Set(codes)].flatMap((code) => ['--accept', code]);
}
