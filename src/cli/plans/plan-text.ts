import { join } from 'node:path';
import { howToAccept } from '../../apply/accept-changes';
import { type AcceptedChange } from '../../apply/apply-context';
import { type ApplyResult } from '../../apply/apply-plan';
import { type Finding, renderFindings } from '../../core/finding';
import { printable } from '../../core/printable';
import { words } from '../../plan/formats/render-command';
import { renderStep } from '../../plan/formats/text';
import { fromHere } from '../../plan/steps/declare-live';
import { openDecisions, type Plan, plannedState, type Step } from '../../plan/plan-schema';
import { isStackFolder } from '../../project/cdktf-project';
import { separateFlags } from '../../plan/steps/terraform-flags';
import { type PlanInFolder } from './next-of-plan';
import { type Change, renderDecisions, unaccepted } from '../consent';

/** The files and addresses that a plan changes; with several states, each address after the name of its state. */
export function changedBy({ states, steps }: Pick<Plan, 'states' | 'steps'>) {
  const named = (which: 'present' | 'gone'): string[] =>
    steps.flatMap(({ state, expects }) =>
      (expects?.[which] ?? []).map((one) => (states.length > 1 ? `${state}: ${one}` : one)),
    );
  const files = steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));
  return {
    files: [...new Set(files)],
    present: [...new Set(named('present'))],
    gone: named('gone'),
  };
}

/** The flags for Terraform in plans, which may come from other users: one of them can select another host or state. */
export function flagsOf(plans: readonly Pick<Plan, 'steps'>[]): Change['lists'] {
  const runs = plans.flatMap(({ steps }) => steps.flatMap((step) => step.runs ?? []));
  const flags = runs.flatMap(({ argv }) => separateFlags(argv).flags);
  // a value can be a secret, and a log is read by others
  const shown = flags.map((flag) => flag.replace(/^(--?var=[^=]*=)[^]*/, '$1…'));
  return { 'Flags for Terraform': [...new Set(shown)] };
}

/**
 * What the steps of a plan change, or what their rollback restores.
 * @param folder of the plan, relative to the working directory
 */
export function changeOf(
  { zones, states, steps }: Plan,
  headings: Readonly<Record<'files' | 'present' | 'gone', string>>,
  folder: string,
): Change['lists'] {
  const { files, present, gone } = changedBy({ states, steps });
  return {
    States: states.map(
      ({ name, dir, workspace }) => `${name} (${join(folder, dir)}, workspace ${workspace})`,
    ),
    // the names of zones are known if the plan needed the API
    Zones: zones.map(({ zoneId, name, ruleset }) =>
      name === undefined ? `${zoneId} (${ruleset.address})` : `${name} (${zoneId})`,
    ),
    'Provider versions': steps.flatMap(({ provider }) => provider ?? []),
    [headings.files]: files.map((file) => join(folder, file)),
    [headings.present]: present,
    [headings.gone]: gone,
  };
}

/**
 * A manual step, and where its paths start.
 * @param folder of the plan, relative to the working directory
 */
export function renderManual(step: Step, folder: string): string[] {
  return ['', ...renderStep(step), ...renderPlace(folder, 'Its paths and commands')];
}

/** What is left of a manual step, and what is wrong with its files. */
export function renderLeft(
  step: Step,
  { steps, findings = [] }: Pick<ApplyResult, 'steps' | 'findings'>,
  { plan, folder, place }: PlanInFolder,
): string[] {
  const left = steps.flatMap((one) => one.left ?? []);
  const { dir } = plannedState(plan, step.state);
  // the user cannot see from the program whether its stack has the change
  const isNothingDone = left.length === 0 && isStackFolder(join(folder, dir));
  return [
    ...(isNothingDone ? ['None of it is done in the synthesised stack yet.'] : []),
    ...(left.length === 0 ? [] : ['A part of it is not done:']),
    ...left.map((address) => `  ${printable(address, 400)}`),
    ...renderFindings(shownFindings(findings, place)),
  ];
}

/** Where paths and commands of a plan start; nothing if it is the working directory. */
export const renderPlace = (folder: string, what: string): string[] =>
  folder === '' ? [] : [`${what} are relative to ${printable(folder, 200)}.`];

/** The accepted differences, those without effect, and how to accept the others. */
export function renderAccepted(result: {
  readonly accepted?: readonly AcceptedChange[];
  readonly left?: Parameters<typeof howToAccept>[0];
}): string[] {
  const { accepted = [], left = [] } = result;
  const ways = howToAccept(left);
  return [
    ...accepted.map(({ address, actions, attributes, isOutput, by }) => {
      const what =
        isOutput === true && by.length === 0
          ? 'terraform apply removes it from the state'
          : actions.includes('move')
            ? 'moved'
            : attributes.slice(0, 8).join(', ');
      const heading = by.length === 0 ? 'Note' : 'Accepted';
      return printable(`${heading}: ${address}${what === '' ? '' : ` (${what})`}`, 300);
    }),
    ...(ways.length === 0 ? [] : [`Note: ${ways.join('; ')}`]),
  ];
}

/** A result with the decisions of its plan that the steps in `done` leave open. */
export function withDecisions<Result extends object>(
  result: Result & { readonly findings?: readonly Finding[] | undefined },
  plan: Plan,
  done?: ReadonlySet<string>,
): Result {
  const decisions = openDecisions(plan, done);
  if (decisions.length === 0) return result;
  return { ...result, findings: [...(result.findings ?? []), ...decisions] };
}

/** The plan as it is shown: the commands of its findings run in the working directory. */
export function shownPlan({ plan, place }: Pick<PlanInFolder, 'plan' | 'place'>): Plan {
  return { ...plan, findings: shownFindings(plan.findings, place) };
}

/** @param place the folder of the plan, relative to the working directory */
export const shownFindings = (findings: readonly Finding[], place: string): Finding[] =>
  findings.map((one) => {
    const { remedy, command } = one;
    if (command === undefined) return one;
    const shown = command.map((word, at) =>
      command[at - 1] === '--out' ? fromHere(place, word) : word,
    );
    return { ...one, command: shown, remedy: remedy.replace(words(command), () => words(shown)) };
  });

export function renderOpenDecisions(plan: Plan, accept?: readonly string[]): string[] {
  const heading = 'Open decisions of the plan:';
  return renderDecisions(unaccepted(openDecisions(plan), accept), { heading, withRemedies: true });
}
