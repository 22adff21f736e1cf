import { dirname, relative } from 'node:path';
import { progressOf } from '../../apply/journal/progress';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type FleetZone } from '../../fleet/resolve-zones';
import { type UnfinishedApply } from '../../fleet/standings';
import { hasOnlyChecks, type Plan } from '../../plan/plan-schema';
import { type CliContext } from '../context';
import { commandOf } from '../options';
import { withProgram } from '../output';
import { applyLine } from '../plans/plan-text';

/**
 * A plan of what an unfinished run left is not a plan of the whole migration.
 * @param plan what is left after a run that failed: with other steps, it may be what completes it
 */
export function refuseUnfinished(
  run: UnfinishedApply | undefined,
  context: CliContext,
  plan?: Plan,
): void {
  if (run === undefined) return;
  const { outcome, command, waitsAt } = run;
  const resume = withProgram(command, context);
  if (outcome === 'unknown') {
    throw new MigrationError('RUN_INTERRUPTED', 'its apply was interrupted', {
      hint: `resume it, also after a rollback:\n${resume}`,
    });
  }
  const hasFailed = outcome === 'failed';
  if (hasFailed && (plan === undefined || !hasOnlyChecks(plan))) return;
  const message = hasFailed
    ? 'its last apply failed'
    : `its apply waits at step ${printable(waitsAt?.id ?? '', 10)}`;
  const first = hasFailed ? 'correct what it reported' : 'do that step';
  const rollback = withProgram(commandOf('rollback', {}, run.plan), context);
  throw new MigrationError('RUN_INTERRUPTED', message, {
    hint: `${first}, then resume it; or roll it back, to plan again:\n${resume}\n${rollback}`,
  });
}

/** Another list can have other zones of the folders: their plan resumes their run, and rolls it back. */
export function refuseRunOfOthers(
  plan: Plan,
  path: string,
  zones: readonly FleetZone[],
  context: CliContext,
): void {
  const own = new Set(zones.map(({ id }) => id));
  if (plan.zones.every(({ zoneId }) => own.has(zoneId))) return;
  const file = relative(context.cwd, path);
  const rollback = withProgram(commandOf('rollback', {}, file), context);
  const progress = progressOf({ plan, folder: dirname(path) });
  if (progress === 'rolling back') {
    throw new MigrationError('RUN_INTERRUPTED', 'the rollback of its other zones is not finished', {
      hint: `run it again:\n${rollback}`,
    });
  }
  if (progress === 'begun') {
    const resume = withProgram(applyLine(file, plan), context);
    throw new MigrationError('RUN_INTERRUPTED', 'the apply of its other zones is not finished', {
      hint: `do its open step and resume it, or roll it back:\n${resume}\n${rollback}`,
    });
  }
}
