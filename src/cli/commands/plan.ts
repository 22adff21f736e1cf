import { dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import { applyEdits } from '../../apply/steps/edit';
import { type Client } from '../../cloudflare/client';
import { type Finding, renderFindings } from '../../core/finding';
import { PLAN_FORMATS, type PlanFormatName } from '../../core/format-names';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { writeFiles } from '../../files/write-files';
import { refuseBlockers } from '../../plan/findings';
import { isPlanText, planFormats } from '../../plan/formats/registry';
import { withBinary } from '../../plan/formats/render-command';
import { type Method, type Plan } from '../../plan/plan';
import { makePlan, zonesInStates, zonesToAsk } from '../../plan/read/make-plan';
import { parseTerraformFlags } from '../../plan/terraform-flags';
import { withClient } from '../client';
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  type CommonOptions,
  notify,
} from '../context';
import {
  DEFAULT_ADDRESS,
  type FleetOptions,
  parseRulesetAddress,
  type ServiceOptions,
  withFleetOfPlans,
  withService,
  withTerraform,
} from '../options';
import { binaryFrom } from '../terraform';
import { type PlanZoneOptions, readPlanZones } from '../zones';
import { planMany, readPlannedStates, readRulesetIds, type StateOptions } from './plan-states';

interface PlanOptions extends ServiceOptions, StateOptions, FleetOptions, PlanZoneOptions {
  readonly rulesetId?: readonly string[];
  readonly address: string;
  readonly format?: PlanFormatName;
  readonly out?: string;
  readonly force?: boolean;
  readonly method: Method | 'auto';
  readonly write?: boolean;
}

/** `plan`: the ordered steps for the state; changes nothing. */
export const planCommand: CliCommand<PlanOptions> = {
  example: 'plan --zone 0123456789abcdef0123456789abcdef --state terraform.tfstate --format sh',
  passesArguments: true,
  define: (command) =>
    withFleetOfPlans(withTerraform(withService(command)))
      .option('--zone <id...>', 'zone ids (default: all zones with legacy resources in the state)')
      .option('--state <file>', 'a state file, or - for standard input')
      .option('--dir <dir...>', 'Terraform folders: their state is pulled')
      .option('--ruleset-id <id...>', 'id of the entry point, or <zone>=<id>: works offline')
      .option('--from <version>', 'installed provider version (default: from the lock file)')
      .option('--to <version>', 'provider version to end with (default: the installed one)')
      .option('--address <address>', 'address of the ruleset', DEFAULT_ADDRESS)
      .addOption(
        new Option('--format <format>', 'output (default: text, or json with --json)').choices(
          PLAN_FORMATS,
        ),
      )
      .option('--out <file>', 'file to write instead of standard output; of many states a folder')
      .option('--force', 'overwrite a file that is no plan')
      .addOption(
        new Option('--method <method>', 'blocks: one edit for a pull request, and one saved plan')
          .choices(['auto', 'commands', 'blocks'])
          .default('auto'),
      )
      .option('--write', 'make the edits of method blocks in the configuration'),
  run: async (options, context) => {
    if (options.write && options.method !== 'blocks') {
      throw new MigrationError('USAGE', '--write goes with --method blocks');
    }
    if (isOfManyStates(options)) return planStates(options, context);
    const { rulesetId = [], method } = options;
    const selected = await readPlanZones(options, context);
    if (selected.length > 0) readRulesetIds(rulesetId, selected);
    parseRulesetAddress(options.address);
    const flags = parseTerraformFlags(context.passedArguments);
    const out = options.out === undefined ? undefined : resolve(context.cwd, options.out);
    if (out !== undefined && options.state !== undefined && options.state !== '-') {
      if (resolve(context.cwd, options.state) === out) {
        throw new MigrationError('USAGE', '--out is the state itself');
      }
    }
    const folder = out === undefined ? context.cwd : dirname(out);
    const states = await readPlannedStates(options, context, folder);
    const zones = selected.length > 0 ? selected : zonesInStates(states);
    if (zones.length === 0) refuseWithoutZone(options);
    const rulesetIds = readRulesetIds(rulesetId, zones);
    const request = { zones, rulesetIds, states, address: options.address, flags, method };
    // nothing to ask: not even credentials are needed
    const result =
      zonesToAsk(request).length === 0
        ? await makePlan({ ...request, client: noClient })
        : await withClient(options, context, (client) =>
            makePlan({ ...request, client: () => client }),
          );
    const terraform = binaryFrom(folder, options.terraform, context.cwd);
    // what is asked for as JSON is saved as that: it is what is carried out
    const format = options.format ?? (options.json ? 'json' : 'text');
    const text = out === undefined && options.json ? '' : renderPlan(result, format, terraform);
    if (options.write) refuseBlockers(result);
    if (out !== undefined) savePlan(text, out, options);
    const isLeft = await leavesEdits(result, folder, options, context);
    const open = showOpen(result, context);
    const exitCode = isLeft || open.length > 0 ? 2 : 0;
    if (out !== undefined) {
      const lines = [`wrote ${printable(options.out ?? out)}`, ...renderFindings(open)];
      return { json: result, text: lines.join('\n'), exitCode };
    }
    return options.json || format === 'text'
      ? { json: result, text: text.trimEnd(), exitCode }
      : { json: result, text: '', document: text, exitCode };
  },
};

/** A list that names the folder of each zone stands in for `--dir`. */
function isOfManyStates({ zones, state, dir, ...rest }: PlanOptions): boolean {
  if (zones !== undefined && state === undefined && dir === undefined) return true;
  const stray = (['ledger', 'concurrency'] as const).find((name) => rest[name] !== undefined);
  if (stray === undefined) return false;
  throw new MigrationError('USAGE', `--${stray} goes with --zones and a column dir`);
}

/** One plan for each folder of the list, as JSON: what is carried out, not what is read. */
async function planStates(
  options: PlanOptions & CommonOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { out, zone, rulesetId, format, address, method, from = null, to = null } = options;
  if (zone !== undefined) throw new MigrationError('USAGE', 'pass either --zone or --zones');
  if (rulesetId !== undefined) {
    throw new MigrationError('USAGE', '--ruleset-id goes with --dir or --state');
  }
  if (out === undefined || (format !== undefined && format !== 'text' && format !== 'json')) {
    const message = 'pass the folder for the plans of many states, which are JSON: --out <dir>';
    throw new MigrationError('USAGE', message);
  }
  parseRulesetAddress(address);
  const flags = parseTerraformFlags(context.passedArguments);
  return planMany(options, context, resolve(context.cwd, out), {
    request: { address, method, from, to, flags: context.passedArguments, write: options.write },
    make: async (zones, states, client) => {
      const ids = new Map<string, string>();
      return makePlan({ zones, rulesetIds: ids, states, address, flags, method, client });
    },
    write: async (made, path) => {
      if (options.write) refuseBlockers(made);
      savePlan(renderPlan(made, 'json'), path, options);
      const isLeft = await leavesEdits(made, dirname(path), options, context);
      showOpen(made, context);
      return isLeft;
    },
  });
}

/** Without a zone nothing is imported, and no provider changes. */
function refuseWithoutZone({ rulesetId, method, to }: PlanOptions): void {
  const [flag] = [
    ...(rulesetId === undefined ? [] : ['--ruleset-id']),
    ...(method === 'auto' ? [] : ['--method']),
    ...(to === undefined ? [] : ['--to']),
  ];
  if (flag === undefined) return;
  throw new MigrationError(
    'USAGE',
    `${flag} needs a zone, and the state has no legacy resource of one: pass --zone <id>`,
  );
}

function noClient(): Client {
  throw new MigrationError(
    'USAGE',
    'every zone has a ruleset id, so nothing is asked of the service',
  );
}

/** A plan as it is saved or shown, its commands by the binary that is given. */
function renderPlan(plan: Plan, format: PlanFormatName, terraform = 'terraform'): string {
  // what is read by `apply` names the one that every plan does, and `apply` is told another
  return planFormats[format](format === 'json' ? plan : withBinary(plan, terraform));
}

/** The decisions and blockers of a plan, also on standard error where standard output is no terminal. */
function showOpen({ findings }: Plan, { terminals, stderr }: CliContext): readonly Finding[] {
  const open = findings.filter(({ severity }) => severity !== 'info');
  if (!terminals.stdout)
    stderr(
      renderFindings(open)
        .map((line) => `${line}\n`)
        .join(''),
    );
  return open;
}

/** Writes a plan where its name is free or that of an earlier plan. */
function savePlan(
  text: string,
  path: string,
  { force = false }: { readonly force?: boolean },
): void {
  writeFiles([{ path, text }], { force, mayReplace: isPlanText });
}

/**
 * Makes the edits of a plan where `--write` asks for them: what a pull request holds. The plan is saved
 * before: of files that are edited already it cannot be made again.
 * @returns whether something is left: a program of CDKTF is a person's to change
 */
async function leavesEdits(
  { steps }: Plan,
  folder: string,
  options: CommonOptions & { readonly write?: boolean },
  context: CliContext,
): Promise<boolean> {
  if (options.write !== true) return false;
  const edits = steps.flatMap((step) => step.edits ?? []);
  const written = await applyEdits(edits, folder);
  const manual = steps.filter(({ kind }) => kind === 'manual').map(({ id }) => id);
  const what = written.length === 0 ? 'no source was changed: ' : '';
  const notices = [
    ...written.map(
      ({ file, sha256After }) =>
        `${sha256After === null ? 'deleted' : 'wrote'} ${printable(join(folder, file))}\n`,
    ),
    ...(manual.length === 0
      ? []
      : [`${what}step ${manual.join(', ')} is a change of a program, which is yours\n`]),
  ];
  for (const notice of notices) notify(options, context, notice);
  return manual.length > 0;
}
