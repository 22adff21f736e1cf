import { dirname, resolve } from 'node:path';
import { type ApplyResult } from '../../actions/apply/apply-plan';
import { printable } from '../../model/printable';
import { type CliCommand } from '../command';
import { confirm } from '../confirm';
import { readSavedPlan } from '../read-saved-plan';
import { type TerraformFlags, terraformOptions, withTerraform } from '../terraform-options';

/** `apply`: carries a saved plan out, or goes on with it. */
export const applyCommand: CliCommand<TerraformFlags & { yes?: boolean }> = {
  name: 'apply',
  summary: 'carry a saved plan out, with a journal and backups; run again, it goes on',
  example: 'apply plan.json',
  operand: 'plan',
  define: (command) =>
    withTerraform(command)
      .option('--yes', 'do not ask')
      .addHelpText('after', '\nThe plan: cf-waf-migrate plan … --format json --out plan.json'),
  run: async (options, context, operand) => {
    const path = resolve(context.cwd, operand);
    const plan = await readSavedPlan(path);
    const { applyPlan } = await import('../../actions/apply/apply-plan');
    await confirm(
      `Carry out ${plan.steps.length} steps on ${plan.states.length} states?`,
      options,
      context,
    );
    const result = await applyPlan({
      plan,
      folder: dirname(path),
      terraform: await terraformOptions(options, context),
      report: ({ step, title, status }) => {
        if (!options.quiet) context.stderr(`${step}. ${printable(title)}: ${status}\n`);
      },
      fault: context.fault,
    });
    const waiting = result.steps.find(({ status }) => status === 'waiting');
    return { json: result, text: render(result), exitCode: waiting === undefined ? 0 : 2 };
  },
};

function render({ steps, journal, backup }: ApplyResult): string {
  const waiting = steps.find(({ status }) => status === 'waiting');
  return [
    waiting === undefined
      ? `All ${steps.length} steps are done.`
      : `Step ${waiting.id} is yours; then run the same command again.`,
    `Journal: ${printable(journal)}`,
    ...backup.map((file) => `Backup:  ${printable(file)}`),
  ].join('\n');
}
