import { dirname, join, resolve } from 'node:path';
import { isBlocker } from '../../../core/finding';
import { MigrationError } from '../../../core/migration-error';
import { posixQuote } from '../../../core/posix-quote';
import { printable } from '../../../core/printable';
import { planFolder } from '../../../files/paths';
import { planFormats } from '../../../plan/formats/plan-formats';
import { changedStates, openDecisions, type Plan } from '../../../plan/plan-schema';
import { type CliContext, defineCommand } from '../../context';
import { PLAN, planByFlags, type PlanOptions, savePlan } from '../../plans/plan-by-flags';
import { isOfProgram } from '../../../plan/steps/step-kinds';
import { parseTerraformFlags } from '../../../plan/steps/terraform-flags';
import { hasOnlyChecks, refuseInterrupted } from '../../plans/saved-plan';
import { commandOf } from '../../options';
import { binaryOf } from '../../terraform';

/** `plan`: the ordered steps for the state; changes nothing without `--write`. */
export const planCommand = defineCommand({
  example: 'plan --out plan.json',
  passesArguments: true,
  flags: PLAN,
  run: async (options, context) => {
    if (options.write && options.method !== 'blocks') {
      throw new MigrationError('USAGE', '--write goes with --method blocks');
    }
    // from the edited files, the same plan cannot be made again
    if (options.write && options.out === undefined) {
      throw new MigrationError('USAGE', '--write needs a saved plan: pass --out plan.json');
    }
    if (isOfManyStates(options)) {
      const { planMany } = await import('./plan-many');
      return planMany(options, context);
    }
    const out = options.out === undefined ? undefined : resolve(context.cwd, options.out);
    if (out !== undefined && resolve(context.cwd, options.state ?? '-') === out) {
      throw new MigrationError('USAGE', '--out is the state itself');
    }
    const folder = out === undefined ? context.cwd : dirname(out);
    if (out === undefined && options.state === undefined) await refuseInterrupted(context);
    const plan = await planByFlags(options, context, folder);
    if (hasOnlyChecks(plan)) await refuseInterrupted(context, 'nothing else is left to plan here');
    const { format = 'text' } = options;
    const binary = binaryOf(options, context);
    const text = context.json ? '' : planFormats[format].render(plan, binary);
    const { open, isManual } = await savePlan(plan, out, folder, options, context);
    const exitCode = isManual || open.length > 0 ? 2 : 0;
    const next = nextOf(plan, isManual, options, context);
    const saved = options.out === undefined ? [] : [`wrote ${printable(options.out)}`];
    if (context.json || format === 'text') {
      const shown = [
        text.trimEnd(),
        ...saved,
        ...(options.write ? inPipeline(plan, folder, context) : []),
      ];
      const isBlocked = next === context.commandLine && plan.findings.some(isBlocker);
      const before = isBlocked ? { task: 'the remedy of each blocker' } : undefined;
      return { json: plan, text: shown.join('\n\n').trim(), next, before, exitCode };
    }
    saved.forEach(context.notify);
    return { json: plan, text: '', document: text, exitCode };
  },
});

/** What the pipeline of a pull request runs before the next command, for each state that the plan changes. */
function inPipeline(plan: Plan, folder: string, { cwd, passedArguments }: CliContext): string[] {
  const changed = changedStates(plan);
  if (changed.length === 0) return [];
  const flags = parseTerraformFlags(passedArguments)
    .filter(({ subcommands }) => subcommands.includes('plan'))
    .map(({ word }) => `${posixQuote(word)} `);
  const hasMany = changed.length > 1;
  const runs = changed.map(({ name, dir }) => {
    const place = planFolder(cwd, join(folder, dir));
    return {
      terraform: place === '.' ? 'terraform' : `terraform ${posixQuote(`-chdir=${place}`)}`,
      backup: place === '.' && !hasMany ? 'before.tfstate' : posixQuote(`${name}.before.tfstate`),
      tfplan: hasMany ? posixQuote(`${name}.tfplan`) : 'tfplan',
      json: hasMany ? posixQuote(`${name}.tfplan.json`) : 'tfplan.json',
    };
  });
  return [
    [
      'Before the pull request is applied, save the state outside of git, because no backup is made:',
      ...runs.map(({ terraform, backup }) => `  (umask 077; ${terraform} state pull > ${backup})`),
      [
        ...(plan.steps.some(({ edits }) => edits) ? ['Commit the edited files.'] : []),
        ...(plan.steps.some(isOfProgram)
          ? ['Edit the program by hand (the manual steps), and commit it.']
          : []),
        `Let the pipeline plan, and check ${hasMany ? 'each' : 'its'} plan before it is applied:`,
      ].join(' '),
      ...runs.flatMap(({ terraform, tfplan, json }) => [
        `  ${terraform} plan -input=false ${flags.join('')}-out=${tfplan}`,
        `  ${terraform} show -json ${tfplan} > ${json}`,
      ]),
    ].join('\n'),
  ];
}

/** A list that names the folder of each zone replaces `--dir`. */
function isOfManyStates({ zones, state, dir, ...rest }: PlanOptions): boolean {
  if (zones !== undefined && state === undefined && dir === undefined) return true;
  const stray = (['ledger', 'concurrency'] as const).find((name) => rest[name] !== undefined);
  if (stray === undefined) return false;
  throw new MigrationError('USAGE', `--${stray} goes with --zones and a column dir`);
}

/** A plan with flags is saved first, because `rehearse` without a plan uses none of them. */
function nextOf(
  plan: Plan,
  isManual: boolean,
  options: PlanOptions,
  { commandLine }: CliContext,
): string | undefined {
  const blockers = plan.findings.filter(isBlocker);
  // status says which of the other zones have to migrate first
  const isOfOthers = blockers.some(({ code }) => code === 'OTHER_ZONES');
  if (isOfOthers && options.state === undefined)
    return commandOf('status', '', { dir: options.dir });
  if (blockers.some(({ code }) => code === 'VARIABLES_UNSET'))
    return `${commandLine}${commandLine.includes(' -- ') ? '' : ' --'} -var-file=<file>`;
  const isOfProvider = plan.findings.some(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER');
  if (blockers.length > 0 || isOfProvider) return commandLine;
  // a plan without steps leaves the remedies of its decisions to the user
  if (hasOnlyChecks(plan))
    return openDecisions(plan).length > 0
      ? undefined
      : commandOf('status', '', { dir: options.dir });
  if (options.write && options.out !== undefined && !isManual) {
    // one command for each state
    if (changedStates(plan).length > 1)
      return `${commandOf('verify', options.out)} --tfplan <state>.tfplan.json`;
    return commandOf('verify', options.out, { tfplan: 'tfplan.json' });
  }
  if (options.out !== undefined) return commandOf('rehearse', options.out);
  if (options.state !== undefined) return 'plan --dir <folder> --out plan.json';
  return commandLine === 'plan'
    ? 'rehearse'
    : commandLine.replace(/( -- .*)?$/, ' --out plan.json$1');
}
