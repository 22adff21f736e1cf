import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import {
  currentPath,
  isUnfinished,
  isStarted,
  journalPath,
  listJournals,
  lastEvent,
  openJournal,
  planCopyPath,
} from '../../../apply/journal/journal';
import { rollback, type RollbackResult } from '../../../apply/rollback/rollback';
import { isOpenFinding, renderFindings } from '../../../core/finding';
import { MigrationError } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { placedAddresses } from '../../../plan/formats/render-command';
import { type Plan } from '../../../plan/plan-schema';
import { consent } from '../../consent';
import { changeOf, renderPlace, withFoldersOf } from '../../plans/plan-text';
import { type CliContext, defineCommand } from '../../context';
import { commandOf, TERRAFORM } from '../../options';
import { resumable, withProgram } from '../../output';
import { requireLatestRun } from '../../plans/earlier-run';
import { isManual } from '../../../plan/steps/step-kinds';
import { readSavedPlan } from '../../../plan/parse-saved-plan';
import { terraformOptions } from '../../terraform';

const HEADINGS = {
  versions: 'Provider versions, whose upgrade you undo afterwards',
  files: 'Files to restore, or to delete where the plan created them',
  present: 'Addresses to remove from state',
  gone: 'Addresses to restore in state',
};

export const rollbackCommand = defineCommand({
  example: 'rollback cf-waf-migrate-backup/0123456789ab.journal.jsonl',
  operand: '[journal or plan]',
  flags: { ...TERRAFORM, '--force': 'restore even if state or files changed since' },
  run: async ({ force = false, ...options }, context, operand) => {
    const terraform = terraformOptions(options, context);
    const journal = await findJournal(operand, context);
    const plan = await readSavedPlan(planCopyPath(journal));
    const begun = openJournal(journal);
    const steps = plan.steps.filter(({ id }) => isStarted(id, begun));
    const question = `Restore ${counted(plan.states.length, 'state')} from before these changes?`;
    // the backups are in a subfolder of the folder of the plan
    const folder = dirname(dirname(journal));
    const place = relative(context.cwd, folder);
    const reached = plan.steps.findIndex(({ id }) => id === steps.at(-1)?.id);
    const manual = plan.steps.slice(0, reached + 1).filter(isManual);
    const lists = {
      ...changeOf({ ...plan, steps }, HEADINGS, place),
      'Manual steps, which you undo afterwards': manual.map(({ title }) => title),
    };
    const isOne = plan.states.length === 1;
    const confirm: Parameters<typeof rollback>[0]['confirm'] = (leaving) => {
      // also what other processes added since, which --force drops
      const present = leaving.map(({ state, address }) =>
        isOne ? address : `${state}: ${address}`,
      );
      return consent({ lists: { ...lists, [HEADINGS.present]: present }, question }, context);
    };
    const { fault } = context;
    const request = { journal, plan, folder, terraform, force, confirm, fault };
    const result = await resumable(context, () => rollback(request));
    // another rollback restores nothing more, and names the steps that are not undone
    const { byHand, findings = [] } = result;
    const isLeft = byHand !== undefined || findings.some(isOpenFinding);
    // a plan keeps its name; the rollback has renamed the journal
    const isJournal =
      operand === '' || currentPath(resolve(context.cwd, operand)) === currentPath(journal);
    const own = isJournal ? relative(context.cwd, currentPath(journal)) : operand;
    return {
      json: result,
      text: render(result, plan, place),
      next:
        byHand === undefined
          ? withFoldersOf({ plan, folder }, 'status', context)
          : commandOf('rollback', {}, own),
      ...(isLeft && { before: { task: 'that' } }),
      exitCode: isLeft ? 2 : 0,
    };
  },
});

/** The given journal, or that of the given plan. */
async function findJournal(operand: string, context: CliContext): Promise<string> {
  if (operand === '') return findLatestJournal(context);
  const file = resolve(context.cwd, operand);
  const plan = await readSavedPlan(file).catch(() => undefined);
  const journal = currentPath(plan ? join(dirname(file), journalPath(plan.digest)) : file);
  const exists = existsSync(journal);
  if (exists && /\.(journal|rolled-back)\.jsonl$/.test(journal)) return journal;
  const found = exists ? 'is not a journal' : 'does not exist';
  const problem = plan ? 'has no journal' : found;
  throw new MigrationError('JOURNAL_INVALID', `${printable(operand)} ${problem}`, {
    hint: WHICH_JOURNAL,
  });
}

const WHICH_JOURNAL =
  'for a pull request that a pipeline applied, see "Undo a pull request" in docs/guide.md; otherwise pass the plan that was applied, or pass the journal that `apply` printed:\ncf-waf-migrate rollback <plan file>\ncf-waf-migrate rollback <folder of the plan>/cf-waf-migrate-backup/<id>.journal.jsonl';

/** The latest journal of this folder, which is ambiguous if several runs are not finished. */
async function findLatestJournal(context: CliContext): Promise<string> {
  const [last] = listJournals(context.cwd, 'rolled-back');
  const hint = last === undefined ? WHICH_JOURNAL : afterRollback(last, context);
  const { journal, progress } = await requireLatestRun(context, hint);
  if (last !== undefined && progress !== 'begun' && !leftNothing(last)) {
    const message =
      'the last rollback may have left steps to undo by hand, and the run before it is finished';
    throw new MigrationError('RUN_INTERRUPTED', message, {
      hint: `show what is left, or roll back the run before it:\n${commandsOf([last, journal], context)}`,
    });
  }
  const open = listJournals(context.cwd).filter(isUnfinished);
  if (open.length < 2) return journal;
  const message = `${open.length} runs in this folder are not finished`;
  throw new MigrationError('RUN_INTERRUPTED', message, {
    // a later run can be finished
    hint: `roll them back one by one, the latest first:\n${commandsOf([...new Set([journal, ...open])], context)}`,
  });
}

const leftNothing = (journal: string): boolean => lastEvent(journal) === 'undone';

/** The commands that roll journals back, one a line. */
const commandsOf = (journals: readonly string[], context: CliContext): string =>
  journals
    .map((one) => withProgram(commandOf('rollback', {}, relative(context.cwd, one)), context))
    .join('\n');

/** The hint if every run is rolled back. */
function afterRollback(last: string, context: CliContext): string {
  return leftNothing(last)
    ? 'nothing is left to undo; see what comes next:\ncf-waf-migrate status'
    : `show what the last rollback left to undo by hand:\n${commandsOf([last], context)}`;
}

/** @param folder of the plan, relative to the working directory */
function render(
  { restored, deleted = [], saved = [], byHand = [], findings = [] }: RollbackResult,
  { states }: Plan,
  folder: string,
): string {
  const names = new Set(states.map(({ name }) => `state ${name}`));
  const line = (one: string): string => `  ${printable(names.has(one) ? one : join(folder, one))}`;
  const place =
    folder === '' ? '' : ` (paths and commands are relative to ${printable(folder, 200)})`;
  return [
    restored.length === 0 ? 'Nothing to restore.' : 'Restored:',
    ...restored.map(line),
    ...(deleted.length === 0 ? [] : ['Deleted, since the plan created them:']),
    ...deleted.map(line),
    ...(saved.length === 0 ? [] : ['Saved what was overwritten:']),
    ...saved.map(({ of, file }) => `  ${printable(of, 200)}: ${printable(join(folder, file))}`),
    ...(byHand.length === 0 ? [] : [`Undo by hand, before Terraform applies anything${place}:`]),
    ...byHand.flatMap(({ step, title, undo, ...blocks }) => [
      `  step ${printable(step)}, ${printable(title, 200)}: ${printable(undo, 600)}`,
      ...placedAddresses(blocks).map((address) => `    ${printable(address, 400)}`),
    ]),
    ...renderFindings(findings),
    ...(findings.length === 0 ? [] : renderPlace(folder, 'These paths')),
  ].join('\n');
}
