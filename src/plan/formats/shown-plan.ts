import { join } from 'node:path';
import { type Finding } from '../../core/finding';
import { type Plan } from '../plan-schema';
import { renderCommand } from './render-command';

/**
 * The plan as it is shown: the commands of its findings run in the working directory.
 * @param place the folder of the plan, relative to the working directory
 */
export function shownPlan({ plan, place }: { readonly plan: Plan; readonly place: string }): Plan {
  return { ...plan, findings: shownFindings(plan.findings, place) };
}

/** @param place as in {@link shownPlan} */
export const shownFindings = (findings: readonly Finding[], place: string): Finding[] =>
  findings.map((one) => {
    const { remedy, command } = one;
    if (command === undefined) return one;
    const shown = commandFromHere(place, command);
    return {
      ...one,
      command: shown,
      remedy: remedy.replace(renderCommand(command), () => renderCommand(shown)),
    };
  });

/**
 * A command of a plan, for the working directory, which is the default of `--dir`. With --zone, --dir stays: `plan` imports
 * the ruleset of a zone that is in no state only into a folder of --dir.
 * @param place as in {@link shownPlan}
 */
export function commandFromHere(place: string, command: readonly string[]): string[] {
  const shown = command.map((word, at) => {
    const isFolder = /^--(out|dir)$/.test(command[at - 1] ?? '') && !word.startsWith('<');
    return isFolder ? join(place, word) : word;
  });
  const at = shown.findIndex((word, here) => word === '.' && shown[here - 1] === '--dir');
  return at === -1 || shown.includes('--zone') ? shown : shown.toSpliced(at - 1, 2);
}
