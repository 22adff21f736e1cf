import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Plan, type Step } from './plan';

/**
 * What Terraform would do of itself with files and state as they were: create, replace, destroy, refuse to
 * plan. An empty plan of everything answers each of them; what a person has to know of zones, pages,
 * workspaces or provider configurations, it does not.
 */
export const OF_THE_NEXT_PLAN: ReadonlySet<string> = new Set([
  'BLOCK_ALREADY_GONE',
  'BLOCK_REFERENCED',
  'ENTRY_POINT_NOT_DECLARED',
  'ENTRY_POINT_NOT_IMPORTED',
  'MODULE_NOT_EDITED',
  'OLD_BLOCKS_DECLARED',
  'PLANNING_BLOCKED',
  'RULESET_OF_OTHER_PROVIDER',
  'RULESET_WOULD_BE_REPLACED',
  'TYPE_UNKNOWN_TO_PROVIDER',
]);

/**
 * The decisions that a plan left to a person, less those that its steps have answered.
 * @param done ids of the steps that are done
 */
export function openDecisions(
  { findings, states, steps }: Plan,
  done: ReadonlySet<string>,
): readonly Finding[] {
  const empty = new Set(
    steps.filter((step) => done.has(step.id) && provesAll(step)).map(({ state }) => state),
  );
  // one with a command is done by that, and answers nothing that a person was asked
  const byHand = new Set(
    steps
      .filter(({ id, kind, runs = [] }) => kind === 'manual' && runs.length === 0 && done.has(id))
      .flatMap(({ addresses = [] }) => addresses),
  );
  const isProven = states.every(({ name }) => empty.has(name));
  return findings.filter(
    ({ severity, code, subject }) =>
      severity === 'decision' && !byHand.has(subject) && !(isProven && OF_THE_NEXT_PLAN.has(code)),
  );
}

/** @throws MigrationError `PLAN_INVALID` */
export function refuseBlockers({ findings }: Plan): void {
  const blockers = findings.filter(({ severity }) => severity === 'blocker');
  const [first] = blockers;
  if (first === undefined) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `Nothing was changed: the plan has a blocker: ${printable(first.message, 300)}`,
    { hint: first.remedy, findings: blockers.slice(1) },
  );
}

/** An empty plan of the whole state; with targets it is one of these alone. */
function provesAll({ expects, runs = [] }: Step): boolean {
  const isTargeted = runs.some(({ argv }) => argv.some((word) => /^--?target\b/.test(word)));
  return expects?.plan === 'empty' && !isTargeted;
}
