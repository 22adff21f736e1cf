import { type Finding } from '../../core/finding';
import { printable } from '../../core/printable';
import { posixQuote } from '../../core/posix-quote';
import { BACKUP_FOLDER } from '../../files/backups';
import { changedStates, type Plan, type PlanState } from '../plan-schema';
import { isCheck, kindOf, type Step } from '../steps/step-kinds';
import { planFlagsOf } from '../steps/terraform-flags';
import { renderCommand, withoutSecret } from './render-command';

/** The flags of `apply` and `verify` that accept the decisions of a plan. */
export function flagsForDecisions(findings: readonly Finding[]): string {
  const decisions = findings.filter(({ severity }) => severity === 'decision');
  return [...new Set(decisions.map(({ code }) => `--accept ${code}`))].join(' ');
}

/**
 * The arguments that check the plan of a pipeline, with the flags for the decisions.
 * @param state whose plan it is; by default the first
 */
export function gateLine(plan: Plan, operand: string, state?: PlanState): string {
  const [first, ...others] = changedStates(plan);
  const prefix = others.length > 0 ? `${(state ?? first)?.name}.` : '';
  const tfplan = posixQuote(`${prefix}tfplan.json`);
  const line = `verify ${posixQuote(operand)} --tfplan ${tfplan} ${flagsForDecisions(plan.findings)}`;
  return printable(line.trimEnd());
}

export const TO_SAVE =
  'Before the pull request is applied, save the state outside of git, because no backup is made';

/**
 * What happens to a pull request: tasks, each with its commands for every state that the plan changes.
 * @param placeOf the folder of a state, as the pipeline names it; default: as in the plan
 * @param own what the names of its backups begin with
 */
export function pullRequestTasks(
  plan: Plan,
  operand = 'plan.json',
  placeOf = (dir: string): string => dir,
  own = '',
) {
  const check = plan.steps.findLast(isCheck);
  const binary = check?.runs?.[0]?.argv[0] ?? 'terraform';
  const flags = planFlagsOf(check ?? {}).map((flag) => `${posixQuote(withoutSecret(flag))} `);
  const changed = changedStates(plan);
  const commands = changed.map(({ name, dir }) => {
    const place = placeOf(dir);
    const terraform = renderCommand(place === '.' ? [binary] : [binary, `-chdir=${place}`]);
    const prefix = changed.length > 1 ? `${name}.` : '';
    const ofState = place === '.' || own !== '' ? prefix : `${name}.`;
    const backup = `${BACKUP_FOLDER}/${own}${ofState}before.tfstate`;
    const tfplan = posixQuote(`${prefix}tfplan`);
    const ignore = `${BACKUP_FOLDER}/.gitignore`;
    return {
      // a pull request can add a link or an open file there
      save: `(umask 077; mkdir -p ${BACKUP_FOLDER} && test ! -L ${BACKUP_FOLDER} && rm -f ${ignore} ${posixQuote(backup)} && echo '*' > ${ignore} && ${terraform} state pull > ${posixQuote(backup)})`,
      plan: `${terraform} plan -input=false ${flags.join('')}-out=${tfplan}`,
      show: `${terraform} show -json ${tfplan} > ${posixQuote(`${prefix}tfplan.json`)}`,
      apply: `${terraform} apply -input=false ${tfplan}`,
    };
  });
  return {
    [TO_SAVE]: commands.map(({ save }) => save),
    'Let the pipeline plan': commands.flatMap(({ plan, show }) => [plan, show]),
    'Check its plan': changed.map((one) => `cf-waf-migrate ${gateLine(plan, operand, one)}`),
    'Apply exactly this plan': commands.map(({ apply }) => apply),
  };
}

export const NO_REVERT =
  'After it is applied, do not revert the pull request: Terraform would destroy the live rulesets.';

/**
 * Protects the rulesets while the configuration from before the edits can still be deployed.
 * @param open the steps that follow. Before an upgrade, the state does not have the rulesets that it imports again.
 */
export function mergeNote(steps: readonly Step[], open: readonly Step[] = []): readonly string[] {
  const isEdited = steps.some((step) => kindOf(step).changes === 'files');
  // until resources are removed, Terraform cannot plan the legacy ones that are gone
  const changesState = steps.some(
    ({ expects: { present = [], gone = [] } = {} }) => present.length + gone.length > 0,
  );
  if (!changesState) return [];
  if (open.some(({ provider }) => provider !== undefined))
    return ['Deploy nothing until `apply` says Done.'];
  return [
    isEdited
      ? 'Stop other deploys until this change is merged: the configuration from before can destroy the live rulesets.'
      : 'Deploy only a configuration that declares these rulesets: an earlier one can destroy them.',
  ];
}
