import { join, relative } from 'node:path';
import { howToAccept } from '../../apply/accept-changes';
import { type AcceptedChange } from '../../apply/apply-context';
import { type Finding } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { renderStep } from '../../plan/formats/text';
import { openDecisions, type Plan, type Step } from '../../plan/plan-schema';
import { type CliContext } from '../context';
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
    States: states.map(({ name, dir, workspace }) => `${name} (${dir}, workspace ${workspace})`),
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

/** Where paths and commands of a plan start; nothing if it is the working directory. */
export const renderPlace = (folder: string, what: string): string[] =>
  folder === '' ? [] : [`${what} are relative to ${printable(folder, 200)}.`];

/** The accepted differences, those without effect, and how to accept the others. */
export function renderAccepted(result: {
  readonly accepted?: readonly AcceptedChange[];
  /** The remaining differences. */
  readonly left?: Parameters<typeof howToAccept>[0];
}): string[] {
  const { accepted = [], left = [] } = result;
  const flags = howToAccept(left);
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
    ...(flags === undefined ? [] : [`Note: ${flags}`]),
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
export function shownPlan(
  { plan, folder }: Pick<PlanInFolder, 'plan' | 'folder'>,
  { cwd }: CliContext,
): Plan {
  const place = relative(cwd, folder);
  const findings = plan.findings.map((one) => ({ ...one, remedy: fromHere(place, one.remedy) }));
  return { ...plan, findings };
}

/** The `generate` commands of a text, up to their folder, which is in quotes if it has special characters. */
const GENERATE = /(cf-waf-migrate generate [^;\n]*--out )('(?:[^']|'\\'')*'|[^\s;]+)/g;

/**
 * A text about a plan, for the working directory: `generate` names a folder relative to that of the plan.
 * @param folder of the plan, relative to the working directory
 */
export const fromHere = (folder: string, text: string): string =>
  text.replace(GENERATE, (_, command: string, out: string) => {
    const dir = out.replace(/^'|'$/g, '').replaceAll("'\\''", "'");
    return command + (folder === '' || dir.startsWith('<') ? out : posixQuote(join(folder, dir)));
  });

/** Runs a plan: the commands in the hint of an error run in the working directory. */
export async function runPlan<Result>(
  { folder }: Pick<PlanInFolder, 'folder'>,
  { cwd }: CliContext,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    throw error.withHint(fromHere(relative(cwd, folder), error.hint));
  }
}

/** The decisions of a plan that has not run, each with its remedy. */
export function renderOpenDecisions(plan: Plan, accept?: readonly string[]): string[] {
  const heading = 'Open decisions of the plan:';
  return renderDecisions(unaccepted(openDecisions(plan), accept), { heading, withRemedies: true });
}
