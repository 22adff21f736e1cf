import { join, relative } from 'node:path';
import { journalPath } from '../../apply/journal/journal';
import { type Finding, isBlocker, renderFindings } from '../../core/finding';
import { listed } from '../../core/lists';
import { posixQuote } from '../../core/posix-quote';
import { type SavedPlan } from '../../fleet/group-zones';
import { gateLine } from '../../plan/formats/pull-request';
import { majorOf } from '../../plan/facts/provider-versions';
import {
  openDecisions,
  type Plan,
  plannedState,
  type PlanState,
  type Step,
} from '../../plan/plan-schema';
import { acceptOf, type Change, readAccepted, renderDecisions, unaccepted } from '../consent';
import { type CliContext, type CommandResult } from '../context';
import { type AcceptOptions, commandOf } from '../options';
import { progressOf } from '../../apply/journal/progress';
import { howToAccept } from '../../apply/accept-changes';
import { type ApplyResult } from '../../apply/apply-plan';
import { printable } from '../../core/printable';
import { words, withoutSecret } from '../../plan/formats/render-command';
import { commandFromHere, shownFindings } from '../../plan/formats/shown-plan';
import { renderStep } from '../../plan/formats/text';
import { foldersOfTerraform, isStackFolder } from '../../project/cdktf-project';
import { separateFlags } from '../../plan/steps/terraform-flags';

/** A plan; its file is empty if it is not saved, or is that of the latest run. */
export type PlanInFolder = Pick<SavedPlan, 'plan' | 'folder' | 'place' | 'file'>;

/** The command that brings a plan to its end. */
export function nextOfPlan(
  planned: PlanInFolder,
  options: AcceptOptions,
  context: CliContext,
): Pick<CommandResult, 'next' | 'before'> {
  const { plan, file } = planned;
  if (plan.findings.some(isBlocker)) return { next: planAgain(planned, context) };
  switch (progressOf(planned)) {
    case 'rolling back':
      return { next: rollbackLine(planned, context) };
    case 'in review':
      return { next: gateLine(plan, file), before: { task: 'the plan of the pipeline' } };
    case 'applied':
      return { next: commandOf('verify', { accept: readAccepted(options) }, file) };
    default:
      return { next: `${applyLine(file, plan, options)}${context.yes ? ' --yes' : ''}` };
  }
}

/**
 * The command that makes a plan again.
 * @param planned its `file` is where the new plan is saved; nowhere if it is empty
 */
export function planAgain(planned: Omit<PlanInFolder, 'place'>, context: CliContext): string {
  const { plan, file } = planned;
  const isOfBlocks = plan.states.some(({ method }) => method === 'blocks');
  const flags = [...(isOfBlocks ? ['--method', 'blocks'] : []), ...(file ? ['--out', file] : [])];
  const line = lineOf(planned, context);
  return withTerraformFlags([line, ...flags.map(posixQuote)].join(' '), terraformFlags([plan]));
}

function lineOf(planned: Omit<PlanInFolder, 'place'>, context: CliContext): string {
  const { states, zones, findings } = planned.plan;
  const to = states.map(({ provider }) => provider).find(isUpgrade)?.to;
  // without their names, the plan would be of all zones of the state
  const isBlocked = findings.some((one) => one.code === 'OTHER_ZONES' && isBlocker(one));
  const isOfSome = !isBlocked && findings.some(({ code }) => OF_SOME.includes(code));
  const zone = isOfSome ? zones.map(({ zoneId, name = zoneId }) => name) : undefined;
  return withFoldersOf(planned, 'plan', context, { zone, to });
}

/** The decisions of a plan whose zones can differ from those of its states. */
const OF_SOME: readonly string[] = ['OTHER_ZONES', 'LEGACY_RESOURCES_GONE', 'ZONE_NOT_IN_STATE'];

const isUpgrade = ({ from, to }: PlanState['provider']): boolean => majorOf(to) > majorOf(from);

export const rollbackLine = (
  { plan, folder }: Pick<PlanInFolder, 'plan' | 'folder'>,
  { cwd }: CliContext,
): string =>
  commandOf(
    'rollback',
    {},
    folder === cwd ? '' : relative(cwd, join(folder, journalPath(plan.digest))),
  );

/** The command that applies a plan, with the flags for its decisions. */
export const applyLine = (file: string, plan: Plan, { accept }: AcceptOptions = {}): string =>
  commandOf('apply', { accept: acceptOf(openDecisions(plan), accept) }, file);

/** A command for the folders of a plan. The other stacks of a program share its constructs: `status` shows all. */
export function withFoldersOf(
  { plan, folder }: Pick<PlanInFolder, 'plan' | 'folder'>,
  command: 'plan' | 'status',
  { cwd }: CliContext,
  flags: Parameters<typeof commandOf>[1] = {},
): string {
  const own = new Set(plan.states.map(({ dir }) => relative(cwd, join(folder, dir)) || '.'));
  const usual = command === 'status' ? foldersOfTerraform(cwd) : ['.'];
  const dir = [...own].every((one) => usual.includes(one)) ? [] : [...own];
  return commandOf(command, { dir, ...flags });
}

/** A manual step of a plan, if any, and those that the user can do with it: of the same kind, directly after it. */
export function doneTogether(manual: Step | undefined, steps: readonly Step[]): Step[] {
  if (manual === undefined) return [];
  const rest = steps.slice(steps.findIndex(({ id }) => id === manual.id) + 1);
  const end = rest.findIndex(({ kind }) => kind !== manual.kind);
  return [manual, ...(end === -1 ? rest : rest.slice(0, end))];
}

/**
 * What to do before the next command: manual steps, with their commands.
 * @param folder of the plan, relative to the working directory
 */
export function stepsBeforeNext(steps: readonly Step[], folder: string): CommandResult['before'] {
  if (steps.length === 0) return undefined;
  const ids = steps.map(({ id }) => id).join(', ');
  const task = steps.length === 1 ? `step ${ids}` : `each of the steps ${ids}`;
  // an upgrade installs nothing before the user sets the version constraint, and then `apply` runs it
  const runs = steps.flatMap(({ provider, runs = [] }) => (provider === undefined ? runs : []));
  // in the working directory, where the ledger of a list names the command that follows
  const commands = runs.map(({ argv }) =>
    commandFromHere(folder, argv).slice(1).map(posixQuote).join(' '),
  );
  return { task, commands };
}

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
export const flagsOf = (plans: readonly Pick<Plan, 'steps'>[]): Change['lists'] => ({
  'Flags for Terraform': terraformFlags(plans),
});

const terraformFlags = (plans: readonly Pick<Plan, 'steps'>[]): string[] => [
  ...new Set(plans.flatMap(passedFlags).map(withoutSecret)),
];

/** The flags for Terraform that a plan was made with, secrets included. */
function passedFlags({ steps }: Pick<Plan, 'steps'>): string[] {
  const runs = steps.flatMap((step) => step.runs ?? []);
  return [...new Set(runs.flatMap(({ argv }) => separateFlags(argv).flags))];
}

/** A command line with flags for Terraform at its end, without their secrets. */
export const withTerraformFlags = (line: string, flags: readonly string[]): string =>
  printable(flags.length === 0 ? line : `${line} -- ${words(flags.map(withoutSecret))}`);

/**
 * What the steps of a plan change, or what their rollback restores.
 * @param folder of the plan, relative to the working directory
 */
export function changeOf(
  { zones, states, steps }: Plan,
  headings: Readonly<Record<'versions' | 'files' | 'present' | 'gone', string>>,
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
    [headings.versions]: states.flatMap(({ name, provider }) =>
      steps.some((step) => step.state === name && step.provider !== undefined)
        ? `${name}: ${provider.from} → ${provider.to}`
        : [],
    ),
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
  // `apply` runs the command of an upgrade, and the user only does what comes before it
  const shown = step.provider === undefined ? step : { ...step, runs: [] };
  return ['', ...renderStep(shown), ...renderPlace(folder, 'Its paths and commands')];
}

/** What is left of a manual step, and what is wrong with its files. */
export function renderLeft(
  step: Step,
  { steps, findings = [] }: Pick<ApplyResult, 'steps' | 'findings'>,
  planned: PlanInFolder,
): string[] {
  const left = steps.flatMap((one) => one.left ?? []);
  // the user cannot see from the program whether its stack has the change
  const isNothingDone = isOfStack(step, planned) && steps.every((one) => one.left === undefined);
  return [
    ...(isNothingDone ? ['None of it is done in the synthesised stack yet.'] : []),
    ...(left.length === 0 ? [] : ['A part of it is not done:']),
    ...left.map((address) => `  ${printable(address, 400)}`),
    ...renderFindings(shownFindings(findings, planned.place)),
  ];
}

/** Whether the user does a step in the program of a synthesised stack. */
export const isOfStack = ({ state }: Step, { plan, folder }: PlanInFolder): boolean =>
  isStackFolder(join(folder, plannedState(plan, state).dir));

/** Where paths and commands of a plan start; nothing if it is the working directory. */
export const renderPlace = (folder: string, what: string): string[] =>
  folder === '' ? [] : [`${what} are relative to ${printable(folder, 200)}.`];

/**
 * The accepted differences, those that need no flag, and how to accept the others.
 * @param isApplied whether Terraform has applied them
 */
export function renderAccepted(
  { accepted = [] }: Pick<ApplyResult, 'accepted'>,
  left: Parameters<typeof howToAccept>[0] = [],
  isApplied = false,
): string[] {
  const ways = howToAccept(left);
  const notes = accepted.filter(({ by }) => by.length === 0);
  const names = notes.map((one) => `${one.address} (${one.isOutput ? 'removed' : 'moved'})`);
  const records = isApplied ? 'Terraform has recorded' : 'The next `terraform apply` records';
  const isMove = !isApplied && notes.some(({ isOutput }) => isOutput !== true);
  const until = isMove ? '. Keep the `moved` blocks until then' : '';
  return [
    ...accepted.flatMap(({ address, actions, attributes, isOutput, by }) => {
      if (by.length === 0) return [];
      const action = isOutput === true || actions.join() === 'update' ? '' : actions.join(' and ');
      const what = [action, attributes.slice(0, 8).join(', ')].filter(Boolean).join(': ');
      return printable(`Accepted: ${address}${what === '' ? '' : ` (${what})`}`, 300);
    }),
    ...(names.length === 0 ? [] : [printable(`${records}: ${listed(names)}${until}`, 1_000)]),
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

/** Whether a finding is for a zone of a plan: a decision about one of its zones is none for the others. */
export const isOfZone =
  (zone: string, { zones }: Plan) =>
  (one: Finding): boolean =>
    isBlocker(one) || one.subject === zone || !zones.some(({ zoneId }) => zoneId === one.subject);

export function renderOpenDecisions(plan: Plan, accept?: readonly string[]): string[] {
  const heading = 'Open decisions of the plan:';
  return renderDecisions(unaccepted(openDecisions(plan), accept), { heading, withRemedies: true });
}
