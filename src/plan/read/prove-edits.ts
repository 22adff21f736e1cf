import { proveFileEdit } from '../../tfconfig/apply-edit';
import { type ConfigFile } from '../../tfconfig/config-file';
import { type FileEdit } from '../../tfconfig/plan-edit';
import { MigrationError } from '../../core/migration-error';
import { type Plan, type Step } from '../plan';
import { withDigest } from '../plan-digest';
import { type PlannedState } from '../planned-state';

/**
 * Has a second parser read what each edit of a plan would leave, while there is time: the parser is
 * slow to start, and between two steps of `apply` a person waits for it. Each edit that it proves is
 * marked; the mark holds for the digests of that edit alone, and any other is proven when it is made.
 */
export async function proveEdits(plan: Plan, states: readonly PlannedState[]): Promise<Plan> {
  const files = states.flatMap(({ configuration }) =>
    [...(configuration?.project.modules.values() ?? [])].flatMap((module) => module.files),
  );
  const steps: Step[] = [];
  for (const step of plan.steps) {
    if (step.edits === undefined) {
      steps.push(step);
      continue;
    }
    const edits: FileEdit[] = [];
    for (const edit of step.edits) {
      const isProven = await canBeProven(edit, files);
      edits.push(isProven ? { ...edit, proven: true } : edit);
    }
    steps.push({ ...step, edits });
  }
  const { format, formatVersion, zones, states: planned, findings } = plan;
  return withDigest({ format, formatVersion, zones, states: planned, steps, findings });
}

async function canBeProven(edit: FileEdit, files: readonly ConfigFile[]): Promise<boolean> {
  const file = files.find(({ path, sha256 }) => path === edit.file && sha256 === edit.sha256);
  // a new file takes nothing away; one that an earlier step edits is not there yet
  if (file === undefined) return false;
  try {
    await proveFileEdit(file, edit);
    return true;
  } catch (error) {
    // refused where it is made, with the reason: a plan with other steps is of use all the same
    if (error instanceof MigrationError) return false;
    throw error;
  }
}
