import { join } from 'node:path';
import { applyPlan, type ApplyResult } from '../../../apply/apply-plan';
import { doneSteps, journalPath, openJournal } from '../../../apply/journal/journal';
import { requireLiveRulesets } from '../../../apply/preflight/preflight';
import { type Finding, findingCodes } from '../../../core/finding';
import { attempt } from '../../../core/migration-error';
import { counted, printable } from '../../../core/printable';
import { planFormats } from '../../../plan/formats/plan-formats';
import { mergeNote } from '../../../plan/formats/pull-request';
import { type PlanGroup } from '../../../fleet/group-zones';
import { waveNumbers } from '../../../fleet/run-fleet';
import {
  hasOnlyChecks,
  openDecisions,
  refuseBlockers,
  type Plan,
  type Step,
} from '../../../plan/plan-schema';
import { isManual } from '../../../plan/steps/step-kinds';
import { hasCredentials, withClient } from '../../client';
import { consent, readAccepted, renderDecisions, unaccepted } from '../../consent';
import { shownPlan } from '../../../plan/formats/shown-plan';
import {
  changedBy,
  changeOf,
  doneTogether,
  flagsOf,
  isOfStack,
  isOfZone,
  nextOfPlan,
  type PlanInFolder,
  renderAccepted,
  renderLeft,
  renderManual,
  renderOpenDecisions,
  stepsBeforeNext,
  withDecisions,
} from '../../plans/plan-text';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { progressOf } from '../../../apply/journal/progress';
import { defineFlags, type OptionsOf } from '../../flags';
import { dueDecisions, forPlans, type PlanResult } from '../../fleet/for-plans';
import { commandOf, isList, PLAN_RUN, refuseForMany, refuseForOne } from '../../options';
import { resumable } from '../../output';
import { stepReporter } from '../../progress';
import { planToRun } from '../../plans/earlier-run';
import { terraformOptions } from '../../terraform';
import { readWaves, WAVES } from '../../fleet/waves';

const flags = defineFlags({
  '--only <what>': { summary: 'edit the files only, if the state allows it', choices: ['edits'] },
  ...PLAN_RUN,
  ...WAVES,
});

type ApplyOptions = OptionsOf<typeof flags>;

const HEADINGS = {
  versions: 'Provider versions to install',
  files: 'Files to edit',
  present: 'Addresses to import',
  gone: 'Addresses to remove from state',
};

export const applyCommand = defineCommand({
  example: 'apply plan.json',
  operand: '[plan]',
  flags,
  run: async (options, context, operand) => {
    const { only, accept: codes } = options;
    if (isList(options)) {
      refuseForMany(options, { only });
      return applyList(options, context, operand);
    }
    refuseForOne(options);
    const accept = readAccepted(options);
    const terraform = terraformOptions(options, context);
    const render = (made: Plan): string =>
      planFormats.text.render(made, terraform.binary).trimEnd();
    const planned = await planToRun(operand, options, context, render);
    const { plan, folder, place, isNew } = planned;
    // applyPlan reports what is wrong with the journal
    const journal = attempt(() => openJournal(join(folder, journalPath(plan.digest))));
    const done = doneSteps(journal?.entries ?? []);
    const shown = shownPlan(planned);
    const steps = plan.steps.filter(({ kind }) => only === undefined || kind === 'edit');
    const left = { ...shown, steps: steps.filter(({ id }) => !done.includes(id)) };
    // the file may come from another user; accepted decisions are listed with the question
    const notAccepted = { ...left, findings: unaccepted(left.findings, codes) };
    if (operand !== '' && context.ask !== null) context.notify(`${render(notAccepted)}\n`);
    refuseBlockers(shown);
    if (isNew && hasOnlyChecks(plan)) return nothingToApply(plan);
    // steps that were done run again if their results are gone
    const isRepeated = left.steps.length === 0;
    const toRun = isRepeated ? { ...shown, steps } : left;
    const lists = { ...changeOf(toRun, HEADINGS, place), ...flagsOf([toRun]) };
    const nothing = only === undefined ? 'No step is left to apply' : 'No edit is left to make';
    const question = isRepeated
      ? `${nothing}. Check again?`
      : `Apply ${counted(left.steps.length, 'step')} to ${counted(plan.states.length, 'state')}?`;
    const decisions = openDecisions(shown);
    await consent({ lists, decisions, accept: codes, place, question }, context);
    // without credentials, the live rulesets are not checked
    const checkRulesets = hasCredentials(options, context)
      ? () => withClient(options, context, (client) => requireLiveRulesets(plan.zones, client))
      : undefined;
    const report = stepReporter(plan.steps.length, context);
    const { fault } = context;
    const request = { plan, folder, place, terraform, accept, only, report, fault, checkRulesets };
    const result = await resumable(context, () => applyPlan(request));
    return describe(result, planned, options, context);
  },
});

function describe(
  result: ApplyResult,
  planned: PlanInFolder,
  options: ApplyOptions,
  context: CliContext,
): PlanResult {
  const { plan, place, file } = planned;
  const { steps, journal } = result;
  const manual = manualStep(result, plan);
  const ended = steps.filter(({ status }) => status === 'done' || status === 'found');
  const done = new Set(ended.map(({ id }) => id));
  const open = plan.steps.filter(({ id }) => !done.has(id));
  const json = withDecisions({ ...result, open: open.map(({ id }) => id), manual }, plan, done);
  const isApplied = plan.states.some(({ method }) => method === 'blocks');
  const accepted = renderAccepted(result, [], isApplied);
  const text = [
    ...(manual === undefined ? [renderDone(steps)] : renderWaiting(manual, open, result, planned)),
    `Journal: ${printable(join(place, journal))}`,
    ...result.backup.map((one) => `Backup:  ${printable(join(place, one))}`),
    ...accepted,
    ...renderDecisions(
      openDecisions(shownPlan(planned), done),
      manual === undefined
        ? { heading: 'Accepted decisions:' }
        : { heading: 'Do for the accepted decisions:', withRemedies: true },
    ),
    ...mergeNote(
      plan.steps.filter(({ id }) => done.has(id)),
      open,
    ),
  ];
  const [first] = open;
  const name = printable(file, 200);
  const state =
    first === undefined
      ? `${counted(steps.length, 'step')} of ${name}`
      : `step ${first.id} of ${name} is open: ${printable(first.title, 120)}. To see it: cf-waf-migrate ${commandOf('apply', {}, file)}`;
  const where = `journal ${printable(join(place, journal), 200)}`;
  const lineOf = (findings: readonly Finding[] = []): string =>
    [state, findingCodes(findings), where, ...accepted].filter(Boolean).join(': ');
  return {
    json,
    text: text.join('\n'),
    line: lineOf(json.findings),
    ofZone: (zone) => ({
      line: lineOf(json.findings?.filter(isOfZone(zone, plan))),
      outcome: first === undefined ? 'done' : 'attention',
    }),
    ...nextOfPlan(planned, options, context),
    before: stepsBeforeNext(doneTogether(manual, open), place),
    exitCode: first === undefined ? 0 : 2,
  };
}

function nothingToApply(plan: Plan): CommandResult {
  const json: ApplyResult = { steps: [], journal: journalPath(plan.digest), backup: [] };
  const open = renderOpenDecisions(plan);
  const text = ['Nothing was changed: there is nothing to migrate in this folder.', ...open];
  if (open.length > 0) return { json, text: text.join('\n'), exitCode: 2 };
  return { json, text: text.join('\n'), next: 'status', exitCode: 0 };
}

/** The manual step that the run waits for. Its places have no lines, which the edits before it can have changed. */
function manualStep({ steps }: ApplyResult, plan: Plan): Step | undefined {
  const waiting = steps.find(({ status }) => status === 'waiting');
  const step = plan.steps.find(({ id }) => id === waiting?.id);
  if (step?.places === undefined) return step;
  const places = Object.entries(step.places).map(
    ([address, place]) => [address, place.replace(/:\d+$/, '')] as const,
  );
  return { ...step, places: Object.fromEntries(places) };
}

function renderDone(steps: ApplyResult['steps']): string {
  const due = steps.filter(({ status }) => status === 'due').length;
  return due === 0
    ? `Done: ${counted(steps.length, 'step')}.`
    : `The edits are made; ${counted(due, 'step')} left.`;
}

/** The manual step that a run waits for, and those that can be done with it. */
function renderWaiting(
  manual: Step,
  open: readonly Step[],
  result: ApplyResult,
  planned: PlanInFolder,
): string[] {
  const all = doneTogether(manual, open);
  const together = listSteps(all.slice(1), 'can be done with it.');
  const later = open.filter(
    (one) => isManual(one) && isOfStack(one, planned) && all.every(({ id }) => id !== one.id),
  );
  // the user synthesises a program once
  const ofProgram = listSteps(
    isOfStack(manual, planned) ? later : [],
    'can be done now too: synthesise once, and deploy no stack of the program before `apply` says Done.',
  );
  return [
    `Step ${manual.id} is manual. Do it, then run the same command again.${together}${ofProgram}`,
    ...all.flatMap((step) => renderManual(step, planned.place)),
    ...renderLeft(manual, result, planned),
  ];
}

function listSteps(steps: readonly Step[], what: string): string {
  if (steps.length === 0) return '';
  const word = steps.length === 1 ? 'Step' : 'Steps';
  return ` ${word} ${steps.map(({ id }) => id).join(', ')} ${what}`;
}

/** What a plan of many changes, in one line, with its files as the user finds them. */
function describeGroup(group: PlanGroup): string {
  const { file, plan, zones, place } = group;
  const { files: edited, present, gone } = changedBy(plan);
  const files = edited.map((one) => join(place, one));
  const head = `${file}: ${counted(zones.length, 'zone')}`;
  if (progressOf(group) === 'applied') return `${head}; applied already`;
  return [
    head,
    `removes ${counted(gone.length, 'resource')} from state`,
    ...(present.length === 0 ? [] : [`imports ${present.join(', ')}`]),
    ...(files.length === 0 ? [] : [`edits ${files.join(', ')}`]),
  ].join('; ');
}

/** `apply` for the plans of many zones: in waves, each with its own journal and backups. */
function applyList(
  options: ApplyOptions,
  context: CliContext,
  operand: string,
): Promise<CommandResult> {
  const terraform = terraformOptions(options, context);
  const accept = readAccepted(options);
  return forPlans(options, context, operand, {
    stage: 'apply',
    inWaves: async (groups) => {
      const decisions = dueDecisions(groups);
      const zones = groups.flatMap((group) => group.zones);
      // a change since then stops none of the waves
      const applied = groups.filter((group) => progressOf(group) === 'applied');
      const aside = new Set(applied.flatMap((group) => group.zones.map(({ id }) => id)));
      const waves = { ...readWaves(options, zones, context), aside };
      const numbers = waveNumbers(groups, waves);
      const lists = {
        Plans: groups.map(describeGroup),
        Zones: zones.map(({ id, name }) => {
          const wave = numbers.get(id);
          return `${name} (${id}): ${wave === undefined ? 'applied already' : `wave ${wave}`}`;
        }),
      };
      const question = `Apply ${counted(groups.length, 'plan')} to ${counted(zones.length, 'zone')}?`;
      const [{ place } = { place: '' }] = groups;
      await consent({ lists, decisions, accept: options.accept, place, question }, context);
      mergeNote(groups.flatMap(({ plan }) => plan.steps)).forEach(context.notify);
      return waves;
    },
    perform: async (planned, client) => {
      const checkRulesets = () => requireLiveRulesets(planned.plan.zones, client);
      const request = { ...planned, terraform, accept, fault: context.fault, checkRulesets };
      return describe(await applyPlan(request), planned, options, context);
    },
  });
}
