import { type Finding, isBlocker } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Plan, type Step } from './plan';

/**
 * Decisions about what Terraform would create, replace, destroy or refuse. An empty full plan answers them. It does not
 * answer decisions about zones, page rules, workspaces or provider configurations.
 */
export const ANSWERED_BY_EMPTY_PLAN: ReadonlySet<string> = new Set([
  'BLOCK_ALREADY_GONE',
  'BLOCK_REFERENCED',
  'ENTRY_POINT_NOT_DECLARED',
  'MODULE_NOT_EDITED',
  'LEGACY_BLOCKS_DECLARED',
  'RULESET_OF_OTHER_PROVIDER',
  'RULESET_WOULD_BE_REPLACED',
]);

/**
 * The decisions of a plan that its completed steps have not answered.
 * @param done ids of the completed steps; default: none
 */
export function openDecisions(
  { findings, states, steps }: Plan,
  done: ReadonlySet<string> = new Set(),
): readonly Finding[] {
  const empty = new Set(
    steps.filter((step) => done.has(step.id) && provesAll(step)).map(({ state }) => state),
  );
  const isProven = states.every(({ name }) => empty.has(name));
  return findings.filter(
    ({ severity, code }) =>
      severity === 'decision' && !(isProven && ANSWERED_BY_EMPTY_PLAN.has(code)),
  );
}

/** @throws MigrationError `PLAN_INVALID` */
export function refuseBlockers({ findings }: Plan): void {
  const blockers = findings.filter(isBlocker);
  const [first] = blockers;
  if (first === undefined) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `Nothing was changed: the plan has a blocker: ${printable(first.message, 300)}`,
    { hint: first.remedy, findings: blockers.slice(1) },
  );
}

/** Whether a step requires an empty plan of the whole state, without targets. */
function provesAll({ expects, runs = [] }: Step): boolean {
  const isTargeted = runs.some(({ argv }) => argv.some((word) => /^--?target\b/.test(word)));
  return expects?.plan === 'empty' && !isTargeted;
}
