import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { realPlace } from '../../files/real-place';
import { type PlanFile } from '../../fleet/group-zones';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan } from '../../plan/plan';
import { readSavedPlan } from '../read-saved-plan';

/** The ending by which the plans of a folder are known: backups and journals lie below it. */
export const PLAN_ENDING = '.plan.json';

/** A plan that was read. */
export interface SavedPlan extends PlanFile {
  readonly plan: Plan;
  /** The folder of the plan: its paths are relative to it. */
  readonly folder: string;
}

/**
 * Reads the plans that the user named: one file, or all `*.plan.json` of a folder.
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`: none is begun where one cannot be read
 */
export async function readPlans(operand: string, cwd: string): Promise<SavedPlan[]> {
  const path = resolve(cwd, operand);
  const files = planFiles(path);
  if (files.length === 0) {
    const message = `there is no *${PLAN_ENDING} in ${printable(operand)}`;
    throw new MigrationError('FILE_UNREADABLE', message, {
      hint: 'make them: cf-waf-migrate plan --zones <list with a column dir> --out <folder>',
    });
  }
  const plans: SavedPlan[] = [];
  for (const file of files) plans.push(await readPlan(file, cwd));
  return plans;
}

function planFiles(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith(PLAN_ENDING));
    const files = names.sort().map((name) => join(path, name));
    // a pipe that nobody named would be waited for without an end
    const other = files.find(
      (file) => statSync(file, { throwIfNoEntry: false })?.isFile() !== true,
    );
    if (other === undefined) return files;
    throw new MigrationError('FILE_UNREADABLE', `${printable(other)} is not a file`);
  } catch (cause) {
    if (cause instanceof MigrationError) throw cause;
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  }
}

async function readPlan(path: string, cwd: string): Promise<SavedPlan> {
  const file = relative(cwd, path);
  const folder = dirname(path);
  const plan = await readSavedPlan(path).catch((error: unknown) => {
    if (!(error instanceof MigrationError)) throw error;
    const { code, message, cause, hint } = error;
    throw new MigrationError(code, `${printable(file)}: ${message}`, { cause, hint });
  });
  const edited = plan.steps
    .flatMap(({ edits = [] }) => edits)
    .filter(({ remove }) => remove.length > 0);
  return {
    plan,
    folder,
    file,
    digest: plan.digest,
    zoneIds: plan.zones.map(({ zoneId }) => zoneId),
    places: await Promise.all(
      plan.states.map(
        async ({ dir, workspace }) => `${await realPlace(resolve(folder, dir))} (${workspace})`,
      ),
    ),
    edited: await Promise.all(edited.map((one) => realPlace(resolve(folder, one.file)))),
  };
}
