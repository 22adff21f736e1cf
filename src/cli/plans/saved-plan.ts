import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { secureBackupFolder } from '../../apply/journal/secure-backup-folder';
import { applyEdits, isEdited } from '../../apply/steps/edit';
import { type Finding, renderFindings, isOpenFinding } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { writeFiles } from '../../files/write-files';
import { isPlanText, planFormats } from '../../plan/formats/plan-formats';
import { readSavedPlan } from '../../plan/parse-saved-plan';
import { BACKUP_FOLDER, gitIgnore } from '../../files/backups';
import { changedStates, type Plan, refuseBlockers } from '../../plan/plan-schema';
import { isManual } from '../../plan/steps/step-kinds';
import { shownPlan } from '../../plan/formats/shown-plan';
import { type PlanInFolder } from './plan-text';
import { type CliContext } from '../context';
import { type PlanOptions } from './plan-by-flags';

export async function readOperand(operand: string, { cwd }: CliContext): Promise<PlanInFolder> {
  const path = resolve(cwd, operand);
  if (!existsSync(path)) {
    throw new MigrationError('FILE_UNREADABLE', `the plan ${printable(operand)} does not exist`, {
      hint: 'make it:\ncf-waf-migrate plan --out plan.json',
    });
  }
  if (statSync(path).isDirectory()) {
    throw new MigrationError('FILE_UNREADABLE', `${printable(operand)} is a folder`, {
      hint: 'for the plans of a list, also pass --zones <file>',
    });
  }
  const folder = dirname(path);
  return { plan: await readSavedPlan(path), folder, place: relative(cwd, folder), file: operand };
}

/**
 * Saves a plan for `apply`, makes its edits with `--write`, and shows its decisions and blockers.
 * @param path of the saved plan; undefined saves nothing
 * @param folder that the paths of the plan are relative to
 * @returns the saved plan, whether it was written or kept, its decisions and blockers, and whether a manual step remains
 *   after the edits
 */
export async function savePlan(
  plan: Plan,
  path: string | undefined,
  folder: string,
  { write = false, force = false }: PlanOptions,
  context: CliContext,
) {
  if (write) {
    requireWritable(plan);
    await secureBackupFolder(context.cwd, context);
  }
  const kept = write && !force ? await planBeforeEdits(plan, path, folder) : undefined;
  if (!write && isEdited(plan, folder)) context.notify(EDITED);
  if (kept !== undefined) {
    context.notify('The edits of the saved plan are made, so it is kept. --force replaces it.');
  } else if (path !== undefined) {
    // before the edits, because it cannot be made again from edited files
    writeFiles([{ path, text: planFormats.json.render(plan) }], { force, mayReplace: isPlanText });
  }
  const saved = kept ?? plan;
  const hasManualStep = write && (await writeEdits(saved, folder, context));
  const did = kept === undefined ? 'wrote' : 'kept';
  const open = showOpen(shownPlan({ plan: saved, place: relative(context.cwd, folder) }), context);
  return {
    plan: saved,
    did,
    open,
    hasManualStep,
    exitCode: hasManualStep || open.length > 0 ? 2 : 0,
  } as const;
}

const EDITED =
  'The edits are made already, so this plan lacks what they removed, and their decisions. Use the plan from before the edits.';

/** The plan in a file whose edits are made already. A plan of the edited files lacks its decisions. */
async function planBeforeEdits(plan: Plan, path = '', folder: string): Promise<Plan | undefined> {
  if (!isEdited(plan, folder)) return undefined;
  const earlier = await readSavedPlan(path).catch(() => undefined);
  return earlier !== undefined && isEdited(earlier, folder) ? earlier : undefined;
}

/** Prints the decisions and blockers of a plan on standard error too, unless the user reads standard output as well. */
function showOpen({ findings }: Plan, { terminals, stderr }: CliContext): Finding[] {
  const open = findings.filter(isOpenFinding);
  const lines = terminals.stdout || terminals.areOneFile ? [] : renderFindings(open);
  stderr(lines.map((line) => `${line}\n`).join(''));
  return open;
}

/**
 * Refuses `--write` if a state has another method than blocks: without the removal from state before them, its edits
 * would make the next `terraform apply` destroy or create resources.
 */
function requireWritable(plan: Plan): void {
  refuseBlockers(plan);
  const other = changedStates(plan).find(({ method }) => method !== 'blocks');
  if (other === undefined) return;
  throw new MigrationError(
    'METHOD_UNSUITABLE',
    `--write does not work for state ${printable(other.name, 80)}: nothing of the legacy WAF is left for method blocks, and the plan changes the state with commands`,
    {
      hint: 'leave out --method and --write, then apply the plan, in a pipeline too:\ncf-waf-migrate apply <plan> --yes',
    },
  );
}

/**
 * Makes the edits of a plan, for a pull request.
 * @returns whether a manual step remains, because CDKTF programs are not edited
 */
async function writeEdits(
  { steps }: Plan,
  folder: string,
  { cwd, notify }: CliContext,
): Promise<boolean> {
  const edits = steps.flatMap((step) => step.edits ?? []);
  const written = await applyEdits(edits, folder);
  // the printed command saves the state there, which is no part of the pull request
  writeFiles([gitIgnore(join(cwd, BACKUP_FOLDER))], { force: true, mode: 0o600 });
  for (const { file } of written) notify(`wrote ${printable(join(folder, file))}`);
  const manual = steps.filter(isManual).map(({ id }) => id);
  if (manual.length === 0) return false;
  notify(`step ${manual.join(', ')} is manual: change the program`);
  return true;
}
