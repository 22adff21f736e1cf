import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan } from '../../plan/plan';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { statePull, statePush } from '../../terraform/subcommands';
import { type FaultPoint } from '../fault-points';
import { isSameState } from '../preflight/compare-states';
import { writeFiles } from '../../files/write-files';
import { type StateToRestore } from './state-to-restore';

/**
 * Pushes a state as a rollback leaves it, where that is another one, and reads it back: what declares the
 * ruleset leaves after that, and an exit code is no proof that the state no longer holds it.
 * @throws MigrationError `STATE_CHANGED` where it was not taken, and those of Terraform
 */
export async function pushState(
  { planned, text, after }: StateToRestore,
  { journal, folder, plan, terraform }: RollbackRequest,
  fault: (point: FaultPoint) => void,
): Promise<void> {
  // the plans of two workspaces of a folder can be rolled back at a time: each has its own file
  const own = `${plan.digest.slice(0, 12)}.${planned.name}.rollback.tfstate`;
  const pushed = join(dirname(journal), own);
  if (text !== undefined) {
    const options = { ...terraform, dir: join(folder, planned.dir) };
    writeFiles([{ path: pushed, text }], { force: true, mode: 0o600 });
    fault('rollback-written');
    await statePush(pushed, flagsOf(plan, planned.name), options);
    fault('rollback-pushed');
    if (!isSameState(after.bytes, await statePull(options))) {
      throw new MigrationError(
        'STATE_CHANGED',
        `state ${printable(planned.name, 80)} is not as it was pushed, though Terraform says that it is`,
      );
    }
  }
  // also that of a rollback which was killed behind its push
  rmSync(pushed, { force: true });
  fault('rollback-after');
}

/** What was passed behind `--` when the plan was made, as `-lock-timeout=60s`. */
function flagsOf({ steps }: Plan, state: string): string[] {
  return steps
    .filter((step) => step.state === state)
    .flatMap(({ runs = [] }) => runs.flatMap(({ argv }) => argv));
}

/** What to undo. */
export interface RollbackRequest {
  readonly journal: string;
  readonly plan: Plan;
  /** The folder of the plan. */
  readonly folder: string;
  readonly terraform: Omit<TerraformOptions, 'dir'>;
  /** Go on although somebody else has written since. */
  readonly force: boolean;
  readonly fault?: (point: FaultPoint) => void;
}
