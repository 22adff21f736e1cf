import { dirname, join, relative, resolve } from 'node:path';
import { type Command as Commander } from 'commander';
import { applyPlan, type ApplyResult } from '../../apply/apply-plan';
import { isRolledBack, journalPath, openJournal } from '../../apply/journal/journal';
import { requireLiveRulesets } from '../../apply/preflight/require-live';
import { findingCodes } from '../../core/finding';
import { attempt, MigrationError } from '../../core/migration-error';
import { counted, printable } from '../../core/printable';
import { type FleetZone } from '../../fleet/resolve-zones';
import { openDecisions, refuseBlockers } from '../../plan/findings';
import { renderStep } from '../../plan/formats/text';
import { type Plan, type Step } from '../../plan/plan';
import { hasCredentials, withClient } from '../client';
import {
  changeOf,
  consent,
  NOTHING_DONE,
  readAccepted,
  refuseAccepted,
  renderAccepted,
  renderDecisions,
  requireAccepted,
  withDecisions,
} from '../consent';
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
} from '../context';
import { forPlans, readSavedPlan } from '../many-plans';
import {
  type AcceptOptions,
  type FleetOptions,
  isFleet,
  type ServiceOptions,
  type TerraformFlags,
  type WaveOptions,
  withAccept,
  withFleetOfPlans,
  withService,
  withTerraform,
  withWaves,
} from '../options';
import { stepReporter } from '../progress';
import { terraformOptions } from '../terraform';
import { confirmList, readWaves } from '../waves';

interface ApplyOptions extends TerraformFlags, ServiceOptions, ApplyManyOptions, AcceptOptions {
  readonly yes?: boolean;
  readonly only?: string;
}

const HEADINGS = {
  files: 'Edited files',
  present: 'Imported addresses',
  gone: 'Addresses removed from state',
};

/** `apply`: carries a saved plan out, or goes on with it. */
export const applyCommand: CliCommand<ApplyOptions> = {
  example: 'apply plan.json',
  operand: 'plan',
  define: (command) =>
    withAccept(withApplyMany(withTerraform(withService(command))))
      .option('--only <what>', '`edits`: the edits of files alone, where the state allows them')
      .option('--yes', 'do not ask')
      .addHelpText('after', '\nThe plan: cf-waf-migrate plan … --format json --out plan.json'),
  run: async (options, context, operand) => {
    const only = parseOnly(options.only);
    if (isFleet(options)) {
      refuseAccepted(options, '--zones');
      return applyMany(options, context, operand, only);
    }
    if (options.confirm !== undefined) {
      throw new MigrationError(
        'USAGE',
        '--confirm goes with --zones or --account; one plan has --yes',
      );
    }
    const path = resolve(context.cwd, operand);
    const accept = readAccepted(options);
    const terraform = terraformOptions(options, context);
    const plan = await readSavedPlan(path);
    refuseBlockers(plan);
    const question = `Apply ${counted(plan.steps.length, 'step')} to ${counted(plan.states.length, 'state')}?`;
    const decisions = openDecisions(plan, NOTHING_DONE);
    await consent({ lists: changeOf(plan, HEADINGS), decisions, question }, options, context);
    const result = await applyPlan({
      plan,
      folder: dirname(path),
      terraform,
      accept,
      report: stepReporter(plan.steps.length, options, context),
      fault: context.fault,
      only,
      checkRulesets: rulesetCheck(plan, options, context),
    });
    const waiting = waitingIn(result, plan);
    const yours = waiting === undefined ? {} : { yours: waiting };
    const isOpen = result.steps.some(({ status }) => status === 'waiting' || status === 'due');
    return {
      json: withDecisions({ ...result, ...yours }, plan, doneIn(result)),
      text: render(result, plan, relative(context.cwd, dirname(path))),
      exitCode: isOpen ? 2 : 0,
    };
  },
};

/** The step that a person has to do before the run goes on. */
function waitingIn({ steps }: ApplyResult, plan: Plan): Step | undefined {
  const waiting = steps.find(({ status }) => status === 'waiting');
  return plan.steps.find(({ id }) => id === waiting?.id);
}

/** As the plan shows it: who waits here need not look it up. */
function stepLines(step: Step): string[] {
  return ['', ...renderStep(step)];
}

/** Ids of the steps that are done by now, whenever that was. */
function doneIn({ steps }: ApplyResult): ReadonlySet<string> {
  const done = steps.filter(({ status }) => status === 'done' || status === 'found');
  return new Set(done.map(({ id }) => id));
}

function parseOnly(only: string | undefined): 'edits' | undefined {
  if (only === undefined || only === 'edits') return only;
  throw new MigrationError('USAGE', `--only "${printable(only, 40)}" is not \`edits\``);
}

/** @param folder of the plan, from where the command was given: so that what it names can be pasted */
function render(result: ApplyResult, plan: Plan, folder: string): string {
  const { steps, journal, backup } = result;
  const waiting = waitingIn(result, plan);
  const due = steps.filter(({ status }) => status === 'due').length;
  return [
    waiting === undefined
      ? due === 0
        ? `All ${steps.length} steps are done.`
        : `The edits are made; ${due} other steps are due.`
      : `Step ${waiting.id} is yours; then run the same command again.`,
    ...(waiting === undefined ? [] : stepLines(waiting)),
    `Journal: ${printable(join(folder, journal))}`,
    ...backup.map((file) => `Backup:  ${printable(join(folder, file))}`),
    ...renderAccepted(result),
    ...renderDecisions(plan, doneIn(result)),
  ].join('\n');
}

/** How the service is asked whether the rulesets of a plan are live; without credentials it is not asked. */
function rulesetCheck(
  { zones }: Plan,
  options: ServiceOptions & CommonOptions,
  context: CliContext,
): (() => Promise<void>) | undefined {
  if (!hasCredentials(options, context)) return undefined;
  return () => withClient(options, context, (client) => requireLiveRulesets(zones, client));
}

/** Flags of `apply` for many zones. */
interface ApplyManyOptions extends FleetOptions, WaveOptions {
  readonly confirm?: string;
}

/** Adds the flags of {@link ApplyManyOptions}. */
function withApplyMany(command: Commander): Commander {
  return withWaves(withFleetOfPlans(command)).option(
    '--confirm <list>',
    '<count>:<hash> of many zones and their plans; without it a terminal is asked',
  );
}

type Options = ApplyManyOptions & AcceptOptions & ServiceOptions & TerraformFlags & CommonOptions;

/**
 * `apply` for the plans of many zones: in waves, each with its own journal and backups.
 * @param operand a plan, or a folder of plans
 * @throws MigrationError `DECLINED`, and as `forPlans`
 */
async function applyMany(
  options: Options,
  context: CliContext,
  operand: string,
  only: 'edits' | undefined,
): Promise<CommandResult> {
  const terraform = terraformOptions(options, context);
  return forPlans(options, context, operand, {
    stage: 'apply',
    request: only === undefined ? {} : { only },
    inWaves: async (groups) => {
      requireAccepted(
        groups.flatMap(({ plan: { plan } }) => openDecisions(plan, NOTHING_DONE)),
        options,
      );
      const zones = groups.flatMap((group) => group.zones);
      const digests = new Map(
        groups.flatMap((group) => group.zones.map(({ id }) => [id, group.plan.digest])),
      );
      const question = `${counted(groups.length, 'plan')} for ${counted(zones.length, 'zone')} will be carried out.`;
      const detail = ({ id }: FleetZone): string => ` ${digests.get(id) ?? ''}`;
      // what waits for a person waits as planned: that is no alarm
      const waves = readWaves(options, zones, (outcome) => outcome === 'failed', context);
      await confirmList(question, zones, options, context, detail);
      return waves;
    },
    holds: ({ folder, digest }) => {
      // where it cannot be read that plan alone fails, with what is wrong with its journal
      const journal = attempt(() => openJournal(join(folder, journalPath(digest))));
      return journal !== undefined && !isRolledBack(journal.entries);
    },
    perform: async ({ plan: { plan, folder, file, digest } }, { client, alone }) => {
      const { steps, journal, backup, findings } = await applyPlan({
        plan,
        folder,
        terraform,
        only,
        fault: context.fault,
        report: alone ? stepReporter(plan.steps.length, options, context) : () => undefined,
        checkRulesets:
          client === undefined ? undefined : () => requireLiveRulesets(plan.zones, client),
      });
      const open = steps.filter(({ status }) => status === 'waiting' || status === 'due');
      const [first] = open;
      const next = plan.steps.find(({ id }) => id === first?.id);
      const of = `of ${printable(file, 200)}`;
      const standing =
        next === undefined
          ? `all ${steps.length} steps ${of} are done`
          : `step ${next.id} ${of} is open: ${printable(next.title, 120)}`;
      const told = withDecisions(
        {
          ...{ plan: file, digest, journal, backup, open: open.map(({ id }) => id) },
          ...(findings !== undefined && { findings }),
        },
        plan,
        new Set(steps.filter((step) => !open.includes(step)).map(({ id }) => id)),
      );
      const codes = findingCodes(told.findings ?? []);
      const line = codes === '' ? standing : `${standing}: ${codes}`;
      return { json: told, text: line, line, exitCode: open.length === 0 ? 0 : 2 };
    },
  });
}
