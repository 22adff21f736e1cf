import { join } from 'node:path';
import { applyEdits } from '../actions/apply-edits';
import { writeFiles } from '../actions/write-files';
import { type PlanFormatName } from '../model/format-names';
import { printable } from '../model/printable';
import { renderFindings } from '../model/render-findings';
import { type Finding } from '../model/finding';
import { isPlanText, planFormats } from '../plan/formats/registry';
import { withBinary } from '../plan/formats/render-command';
import { type Plan } from '../plan/plan';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { notify } from './notify';

/** A plan as it is saved or shown, its commands by the binary that is given. */
export function renderPlan(plan: Plan, format: PlanFormatName, terraform = 'terraform'): string {
  // what is read by `apply` names the one that every plan does, and `apply` is told another
  return planFormats[format](format === 'json' ? plan : withBinary(plan, terraform));
}

/** The decisions and blockers of a plan, also on standard error where standard output is no terminal. */
export function showOpen(
  { findings }: Plan,
  { terminals, stderr }: CliContext,
): readonly Finding[] {
  const open = findings.filter(({ severity }) => severity !== 'info');
  if (!terminals.stdout)
    stderr(
      renderFindings(open)
        .map((line) => `${line}\n`)
        .join(''),
    );
  return open;
}

/** Writes a plan where its name is free or that of an earlier plan. */
export function savePlan(
  text: string,
  path: string,
  { force = false }: { readonly force?: boolean },
): void {
  writeFiles([{ path, text }], { force, mayReplace: isPlanText });
}

/**
 * Makes the edits of a plan where `--write` asks for them: what a pull request holds. The plan is saved
 * before: of files that are edited already it cannot be made again.
 * @returns whether something is left: a program of CDKTF is a person's to change
 */
export async function leavesEdits(
  { steps }: Plan,
  folder: string,
  options: CommonOptions & { readonly write?: boolean },
  context: CliContext,
): Promise<boolean> {
  if (options.write !== true) return false;
  const edits = steps.flatMap((step) => step.edits ?? []);
  const written = await applyEdits(edits, folder);
  const manual = steps.filter(({ kind }) => kind === 'manual').map(({ id }) => id);
  const what = written.length === 0 ? 'no source was changed: ' : '';
  const notices = [
    ...written.map(
      ({ file, sha256After }) =>
        `${sha256After === null ? 'deleted' : 'wrote'} ${printable(join(folder, file))}\n`,
    ),
    ...(manual.length === 0
      ? []
      : [`${what}step ${manual.join(', ')} is a change of a program, which is yours\n`]),
  ];
  for (const notice of notices) notify(options, context, notice);
  return manual.length > 0;
}
