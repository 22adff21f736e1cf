import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import {
  type Verification,
  verifyPlan,
  verifyStateBytes,
  verifyTerraformPlan,
} from '../../../apply/verify-plan';
import { isRolledBack, journalPath } from '../../../apply/journal/journal';
import { requireWorkspaces } from '../../../apply/preflight/require-places';
import { type Finding } from '../../../core/finding';
import { objectOf } from '../../../core/json';
import { MigrationError } from '../../../core/migration-error';
import { acceptFlag, posixQuote } from '../../../core/posix-quote';
import { counted, printable } from '../../../core/printable';
import { readJsonFile } from '../../../files/read-json-file';
import { openDecisions } from '../../../plan/decisions';
import {
  applyLine,
  readAccepted,
  refuseAccepted,
  renderAccepted,
  renderDecisions,
  renderLeftOutputs,
  renderOpenDecisions,
  unaccepted,
  withDecisions,
} from '../../consent';
import { type CliContext, type CommandResult, defineCommand } from '../../context';
import { defineFlags, type OptionsOf } from '../../flags';
import { forPlans, MOST_LISTED } from '../../many-zones/for-plans';
import { planLine } from '../../many-zones/for-zones';
import { isFleet, PLAN_RUN, refuseForMany, sameZones } from '../../options';
import {
  findLatestRun,
  type PlanInFolder,
  readOperand,
  requireLatestRun,
  withFoldersOf,
} from '../../plans/saved-plan';
import { readStateInput, terraformOptions } from '../../terraform';

const flags = defineFlags({
  ...PLAN_RUN,
  '--tfplan <file>': 'check this Terraform plan (JSON) instead',
  '--state <file>': 'a state file, or -, instead of the folders of the plan',
});

type VerifyOptions = OptionsOf<typeof flags>;

/** `verify`: whether state and configuration match a plan; changes nothing. */
export const verifyCommand = defineCommand({
  example: 'verify plan.json --tfplan tfplan.json',
  operand: '[plan]',
  flags,
  run: async (options, context, operand) => {
    const { tfplan, state } = options;
    if (isFleet(options)) {
      refuseForMany({ tfplan, state });
      return verifyMany(options, context, operand);
    }
    if (tfplan !== undefined && state !== undefined) {
      throw new MigrationError('USAGE', 'pass either --tfplan or --state');
    }
    const planned =
      operand === ''
        ? await requireLatestRun(
            context,
            'apply a plan first, or pass one: cf-waf-migrate verify <plan>',
          )
        : await readOperand(operand, context);
    const result = await verify(planned, options, context);
    const { plan } = planned;
    const isClean = result.verdict === 'clean';
    // a file does not prove what Terraform plans now
    const isProof = isClean && tfplan === undefined && state === undefined;
    const done = isProof ? new Set(plan.steps.map(({ id }) => id)) : undefined;
    const open = tfplan === undefined ? [] : unaccepted(openDecisions(plan), options.accept);
    const isPassed = isClean && open.length === 0;
    const isApplied = existsSync(join(planned.folder, journalPath(plan.digest)));
    return {
      json: withDecisions(result, plan, done),
      text: [
        ...(isClean ? cleanText(options, open) : result.differences.map(renderDifference)),
        ...(isProof ? leftBlocks(planned, context) : []),
        ...renderAccepted({ ...result, left: result.differences }),
        ...(isProof
          ? [
              ...renderDecisions(openDecisions(plan, done), {
                heading: isApplied ? 'Accepted decisions:' : 'Decisions of the plan:',
              }),
              ...renderLeftOutputs(result.accepted),
            ]
          : renderOpenDecisions(plan, options.accept)),
      ].join('\n'),
      next: await nextOf(result, open, planned, operand, options, context),
      before: isPassed && tfplan !== undefined ? { task: 'terraform apply' } : undefined,
      exitCode: isPassed ? 0 : 2,
    };
  },
});

async function nextOf(
  { verdict, differences }: Verification,
  open: readonly Finding[],
  { plan, folder }: PlanInFolder,
  operand: string,
  options: VerifyOptions,
  context: CliContext,
): Promise<string> {
  const { tfplan, state } = options;
  const isClean = verdict === 'clean';
  if (tfplan !== undefined) {
    if (!isClean || open.length > 0) {
      const outputs = differences.flatMap(({ address, isOutput }) => (isOutput ? address : []));
      const missing = new Set([...outputs, ...open.map(({ code }) => code)]);
      return [context.commandLine, ...[...missing].map(acceptFlag)].join(' ');
    }
    return operand === '' ? 'verify' : `verify ${posixQuote(operand)}`;
  }
  const planned = { plan, folder };
  if (isClean && state === undefined) return withFoldersOf(planned, 'status', context);
  // its rollback has raised the serial, so it cannot be applied again
  if (isRolledBack(join(folder, journalPath(plan.digest)))) {
    return `${withFoldersOf(planned, 'plan', context)} --out ${posixQuote(operand)}`;
  }
  const run = isClean ? undefined : await findLatestRun(context);
  const isApplied = run?.isOpen === false && run.plan.digest === plan.digest;
  if (!isApplied) return applyLine(operand, plan, options);
  // it tells how to declare a ruleset again
  const undeclared = plan.zones.find(({ ruleset }) =>
    differences.some(
      ({ address, problem }) => address === ruleset.address && problem.endsWith(': delete'),
    ),
  );
  return undeclared === undefined ? context.commandLine : `plan --zone ${undeclared.zoneId}`;
}

async function verify(
  { plan, folder }: PlanInFolder,
  options: VerifyOptions,
  context: CliContext,
): Promise<Verification> {
  const { tfplan, state } = options;
  if (state !== undefined) {
    refuseAccepted(options, '--state');
    return verifyStateBytes(plan, await readStateInput(state, context));
  }
  const accept = readAccepted(options, tfplan === undefined ? 'verify' : 'verify --tfplan');
  if (tfplan === undefined) {
    return verifyPlan(plan, folder, terraformOptions(options, context), accept);
  }
  requireWorkspaces(plan, folder, context.environment);
  const document = await readJsonFile(resolve(context.cwd, tfplan), NOT_JSON);
  return verifyTerraformPlan(document, plan, accept);
}

const NOT_JSON = 'pass the JSON of the Terraform plan:\nterraform show -json tfplan > tfplan.json';

/** The files of method blocks, which have no purpose when the plan is applied. */
function leftBlocks({ plan, folder }: PlanInFolder, { cwd }: CliContext): string[] {
  const edits = plan.steps.flatMap(({ edits = [] }) => edits);
  const blocks = edits.filter(({ insert = '' }) => /^(import|removed) \{/m.test(insert));
  const files = blocks.map(({ file }) => join(folder, file)).filter((file) => existsSync(file));
  return files.map((file) => {
    const name = printable(relative(cwd, file), 200);
    return `Delete ${name} when every workspace and environment has applied it.`;
  });
}

function cleanText({ tfplan, state }: VerifyOptions, open: readonly Finding[]): string[] {
  if (tfplan !== undefined) {
    return [
      'The Terraform plan changes nothing but the planned imports and removals from state.',
      ...(open.length > 0 ? [] : ['Apply exactly this plan with terraform apply.']),
    ];
  }
  return [
    state === undefined
      ? 'State and configuration match the plan.'
      : 'The state file matches the plan. Terraform was not run.',
  ];
}

function renderDifference({
  state,
  address,
  problem,
  attributes,
}: Verification['differences'][number]): string {
  const place = [state, address].filter(Boolean).map((one) => printable(one, 200));
  const paths = attributes.slice(0, 8).map((one) => printable(one, 80));
  const more = paths.length === 0 ? '' : ` (${paths.join(', ')})`;
  return [...place, `${problem}${more}`].join(': ');
}

/** `verify` for the plans of many zones. */
function verifyMany(
  options: VerifyOptions,
  context: CliContext,
  operand: string,
): Promise<CommandResult> {
  const terraform = terraformOptions(options, context);
  return forPlans(options, context, operand, {
    stage: 'verify',
    next: (outcomes, _, found) => {
      if (!outcomes.some(({ outcome }) => outcome === 'attention')) {
        return `status ${sameZones(options)}`;
      }
      const runs = outcomes.map(({ result }) => objectOf(result)['run']);
      if (runs.includes('rolledBack')) return planLine(options, found, context);
      if (!runs.includes('none')) return context.commandLine;
      return `apply ${posixQuote(operand)} ${sameZones(options)}`;
    },
    request: {},
    perform: async ({ plan, folder, file }) => {
      const { verdict, differences } = await verifyPlan(plan, folder, terraform);
      const [first] = differences;
      const why =
        first === undefined
          ? ''
          : `: ${counted(differences.length, 'difference')}, first ${first.address}: ${first.problem}`;
      const line = `${verdict}: ${printable(file, 200)}${printable(why, 200)}`;
      const journal = join(folder, journalPath(plan.digest));
      const run = isRolledBack(journal) ? 'rolledBack' : existsSync(journal) ? 'applied' : 'none';
      const json = { verdict, differences: differences.slice(0, MOST_LISTED), run };
      return { json, line, exitCode: verdict === 'clean' ? 0 : 2 };
    },
  });
}
