import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { planCopyPath } from '../../apply/journal/journal';
import { rollback, type RollbackResult } from '../../apply/rollback/rollback';
import { MigrationError } from '../../core/migration-error';
import { counted, printable } from '../../core/printable';
import { changeOf, consent } from '../consent';
import { type CliCommand } from '../context';
import { readSavedPlan } from '../many-plans';
import { type TerraformFlags, withTerraform } from '../options';
import { terraformOptions } from '../terraform';

const HEADINGS = {
  files: 'Restored files',
  present: 'Addresses removed from state',
  gone: 'Addresses restored in state',
};

/** `rollback`: state and files as they were. */
export const rollbackCommand: CliCommand<TerraformFlags & { yes?: boolean; force?: boolean }> = {
  example: 'rollback cf-waf-migrate-backup/0123456789ab.journal.jsonl',
  operand: 'journal',
  define: (command) =>
    withTerraform(command)
      .option('--yes', 'do not ask')
      .option('--force', 'also where somebody else has written since'),
  run: async (options, context, operand) => {
    const journal = resolve(context.cwd, operand);
    if (!/\.journal\.jsonl$/.test(journal) || !existsSync(journal)) {
      throw noJournal(operand, existsSync(journal));
    }
    const plan = await readSavedPlan(planCopyPath(journal));
    const question = `Restore ${counted(plan.states.length, 'state')} from before these changes?`;
    await consent({ lists: changeOf(plan, HEADINGS), question }, options, context);
    const result = await rollback({
      journal,
      plan,
      // the backups lie in a folder of their own, in the folder of the plan
      folder: dirname(dirname(journal)),
      terraform: terraformOptions(options, context),
      force: options.force ?? false,
      fault: context.fault,
    });
    return { json: result, text: render(result), exitCode: result.byHand === undefined ? 0 : 2 };
  },
};

function noJournal(operand: string, isThere: boolean): MigrationError {
  const problem = isThere ? 'is no journal' : 'is not there';
  return new MigrationError('JOURNAL_INVALID', `${printable(operand)} ${problem}`, {
    hint: 'pass the journal that `apply` named: it lies below the folder of the plan, as cf-waf-migrate-backup/*.journal.jsonl',
  });
}

function render({ restored, saved = [], byHand = [] }: RollbackResult): string {
  return [
    restored.length === 0 ? 'Nothing was to be restored.' : 'Restored:',
    ...restored.map((one) => `  ${printable(one)}`),
    ...(saved.length === 0 ? [] : ['Saved what was overwritten:']),
    ...saved.map(({ of, file }) => `  ${printable(of, 200)}: ${printable(file)}`),
    ...(byHand.length === 0 ? [] : ['Yours to undo, before Terraform applies anything:']),
    ...byHand.flatMap(({ step, title, undo, addresses }) => [
      `  step ${printable(step)}, ${printable(title, 200)}: ${printable(undo, 300)}`,
      ...addresses.map((address) => `    ${printable(address, 200)}`),
    ]),
  ].join('\n');
}
