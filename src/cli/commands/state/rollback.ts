import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { currentPath, isStarted, openJournal, planCopyPath } from '../../../apply/journal/journal';
import { rollback, type RollbackResult } from '../../../apply/rollback/rollback';
import { MigrationError } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { type Plan } from '../../../plan/plan';
import { changeOf, consent } from '../../consent';
import { type CliContext, defineCommand } from '../../context';
import { commandOf, TERRAFORM } from '../../options';
import { readSavedPlan, requireLatestRun, withFoldersOf } from '../../plans/saved-plan';
import { terraformOptions } from '../../terraform';

const HEADINGS = {
  files: 'Files to restore, or to delete where the plan created them',
  present: 'Addresses to remove from state',
  gone: 'Addresses to restore in state',
};

/** `rollback`: restores state and files from before `apply`. */
export const rollbackCommand = defineCommand({
  example: 'rollback cf-waf-migrate-backup/0123456789ab.journal.jsonl',
  operand: '[journal]',
  flags: { ...TERRAFORM, '--force': 'restore even if state or files changed since' },
  run: async (options, context, operand) => {
    const terraform = terraformOptions(options, context);
    const journal = await findJournal(operand, context);
    const plan = await readSavedPlan(planCopyPath(journal));
    const begun = openJournal(journal);
    const steps = plan.steps.filter(({ id }) => isStarted(id, begun));
    const question = `Restore ${counted(plan.states.length, 'state')} from before these changes?`;
    // the backups are in a subfolder of the folder of the plan
    const folder = dirname(dirname(journal));
    const place = relative(context.cwd, folder);
    const lists = changeOf({ ...plan, steps }, HEADINGS, place);
    const result = await rollback({
      ...{ journal, plan, folder, terraform },
      force: options.force ?? false,
      confirm: () => consent({ lists, question }, context),
      fault: context.fault,
    });
    // another rollback restores nothing more, and names the steps that are not undone
    const again = commandOf('rollback', operand || relative(context.cwd, journal));
    const [left, ...others] = result.byHand ?? [];
    const command = others.length === 0 ? left?.command : undefined;
    return {
      json: result,
      text: render(result, plan, place),
      next:
        left === undefined || command !== undefined
          ? withFoldersOf({ plan, folder }, 'status', context)
          : again,
      before: command === undefined ? undefined : { task: 'that', command },
      exitCode: left === undefined ? 0 : 2,
    };
  },
});

/** The given journal, or the latest of this folder. */
async function findJournal(operand: string, context: CliContext): Promise<string> {
  const hint =
    'pass the journal that apply printed: cf-waf-migrate rollback <folder of the plan>/cf-waf-migrate-backup/<id>.journal.jsonl';
  if (operand === '') return (await requireLatestRun(context, hint)).journal;
  const journal = currentPath(resolve(context.cwd, operand));
  const exists = existsSync(journal);
  if (exists && /\.(journal|rolled-back)\.jsonl$/.test(journal)) return journal;
  const problem = exists ? 'is not a journal' : 'does not exist';
  throw new MigrationError('JOURNAL_INVALID', `${printable(operand)} ${problem}`, { hint });
}

/** @param folder of the plan, relative to the working directory */
function render(
  { restored, deleted = [], saved = [], byHand = [] }: RollbackResult,
  { states }: Plan,
  folder: string,
): string {
  const names = new Set(states.map(({ name }) => `state ${name}`));
  const line = (one: string): string => `  ${printable(names.has(one) ? one : join(folder, one))}`;
  return [
    restored.length === 0 ? 'Nothing to restore.' : 'Restored:',
    ...restored.map(line),
    ...(deleted.length === 0 ? [] : ['Deleted, since the plan created them:']),
    ...deleted.map(line),
    ...(saved.length === 0 ? [] : ['Saved what was overwritten:']),
    ...saved.map(({ of, file }) => `  ${printable(of, 200)}: ${printable(join(folder, file))}`),
    ...(byHand.length === 0 ? [] : ['Undo by hand, before Terraform applies anything:']),
    ...byHand.flatMap(({ step, title, undo, addresses }) => [
      `  step ${printable(step)}, ${printable(title, 200)}: ${printable(undo, 300)}`,
      ...addresses.map((address) => `    ${printable(address, 200)}`),
    ]),
  ].join('\n');
}
