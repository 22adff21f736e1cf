import { type Finding, renderFindings, wrapLines, isOpenFinding } from '../../core/finding';
import { printable } from '../../core/printable';
import { posixQuote } from '../../core/posix-quote';
import { BACKUP_FOLDER } from '../../files/backups';
import { changedStates, type Plan, type PlanState } from '../plan-schema';
import { isCheck, isManual, isOfProgram, kindOf, type Run, type Step } from '../steps/step-kinds';
import { planFlagsOf } from '../steps/terraform-flags';
import {
  placedAddresses,
  renderCommand,
  renderVersion,
  splitAddresses,
  words,
} from './render-command';

/** Limits for addresses per step and diff lines per file. Markdown shows all. */
const SHOWN = { addresses: 8, lines: 40 };

/** The first line, which identifies a plan in this format. */
export const TEXT_HEAD = 'Migration plan of cf-waf-migrate';

/** Renders a plan for the user: decisions first, then what each step does, why, and with which command. */
export function renderText({ zones, states, steps, findings }: Plan): string {
  const open = findings.filter(isOpenFinding);
  const notices = findings.filter(({ severity }) => severity === 'info');
  const names = zones.map(({ zoneId, name }) =>
    name === undefined ? zoneId : `${name} (${zoneId})`,
  );
  const flags = acceptFlags(findings);
  const shown = steps.flatMap(renderStep);
  return [
    ...wrapLines(
      `${TEXT_HEAD}${names.length === 0 ? '' : ` for ${printable(names.join(', '))}`}`,
      '',
      '  ',
    ),
    ...states.flatMap(renderState),
    '',
    ...(open.length === 0 ? [] : [...renderFindings(open), '']),
    ...(flags === '' ? [] : ['To accept the decisions, add to apply:', `  ${flags}`, '']),
    ...shown,
    ...(shown.some((line) => line.startsWith(MORE))
      ? ['To see all addresses and diffs, add to plan:', '  --format markdown', '']
      : []),
    ...noteOf({ states, steps }).flatMap((note) => [...wrapLines(note, ''), '']),
    ...renderFindings(notices),
    '',
  ].join('\n');
}

export function acceptFlags(findings: readonly Finding[]): string {
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
  const line = `verify ${posixQuote(operand)} --tfplan ${tfplan} ${acceptFlags(plan.findings)}`;
  return printable(line.trimEnd());
}

/**
 * What happens to a pull request: tasks, each with its commands for every state that the plan changes.
 * @param placeOf the folder of a state, as the pipeline names it; default: as in the plan
 */
export function pullRequestTasks(
  plan: Plan,
  operand = 'plan.json',
  placeOf = (dir: string): string => dir,
): Readonly<Record<string, readonly string[]>> {
  const { argv = ['terraform', 'plan'] } = plan.steps.findLast(isCheck)?.runs?.[0] ?? {};
  const [binary = ''] = argv;
  const flags = planFlagsOf(argv).map((flag) => `${posixQuote(flag)} `);
  const changed = changedStates(plan);
  const commands = changed.map(({ name, dir }) => {
    const place = placeOf(dir);
    const terraform = words(place === '.' ? [binary] : [binary, `-chdir=${place}`]);
    const prefix = changed.length > 1 ? `${name}.` : '';
    const backup = `${BACKUP_FOLDER}/${place === '.' ? prefix : `${name}.`}before.tfstate`;
    const tfplan = posixQuote(`${prefix}tfplan`);
    return {
      // a pull request can add a link or an open file there
      save: `(umask 077; mkdir -p ${BACKUP_FOLDER}; rm -f ${posixQuote(backup)}; ${terraform} state pull > ${posixQuote(backup)})`,
      plan: `${terraform} plan -input=false ${flags.join('')}-out=${tfplan}`,
      show: `${terraform} show -json ${tfplan} > ${posixQuote(`${prefix}tfplan.json`)}`,
      apply: `${terraform} apply -input=false ${tfplan}`,
    };
  });
  return {
    'Before the pull request is applied, save the state outside of git, because no backup is made':
      commands.map(({ save }) => save),
    'Let the pipeline plan': commands.flatMap(({ plan, show }) => [plan, show]),
    'Check its plan': changed.map((one) => `cf-waf-migrate ${gateLine(plan, operand, one)}`),
    'Apply exactly this plan': commands.map(({ apply }) => apply),
  };
}

/** Why a pull request that was applied is not reverted. */
export const NO_REVERT =
  'After it is applied, do not revert the pull request: Terraform would destroy the live rulesets.';

/** How much of a plan with method blocks a pull request needs (`--write` edits no CDKTF program), or {@link mergeNote}. */
function noteOf({ states, steps }: Pick<Plan, 'states' | 'steps'>): readonly string[] {
  if (!states.some(({ method }) => method === 'blocks')) return mergeNote(steps);
  const change = steps.some(isOfProgram)
    ? 'Edit the CDKTF program by hand (the manual steps).'
    : '`plan --method blocks --write --out plan.json` makes them.';
  return [
    `\`apply\` runs these steps. A pull request needs only the edits, which the pipeline plans and applies. ${change}`,
  ];
}

/** Protects the imported rulesets while the configuration from before the edits can still be deployed. */
export function mergeNote(steps: readonly Step[]): readonly string[] {
  const isImported = steps.some(({ expects }) => (expects?.present ?? []).length > 0);
  const isEdited = steps.some((step) => isManual(step) || step.edits !== undefined);
  return isImported && isEdited
    ? [
        'Stop other deploys until this change is merged: the configuration from before would destroy the live rulesets.',
      ]
    : [];
}

function renderState(state: PlanState): string[] {
  const { name, dir, workspace, provider, because } = state;
  const place = `${printable(dir)}, workspace ${printable(workspace)}`;
  return [
    ...wrapLines(
      `State ${printable(name)} (${place}), provider ${renderVersion(provider)}`,
      '',
      '  ',
    ),
    ...wrapLines(`Order chosen because ${because}.`, '  '),
  ];
}

/** Renders a complete step: title, who does it, why, addresses, code, diffs and commands. */
export function renderStep(step: Step): string[] {
  const { id, title, why, code = '', edits = [], runs = [] } = step;
  const number = `${id.padStart(2)}. `;
  return [
    ...wrapLines(`${printable(title)} (${kindOf(step).by})`, number, '    '),
    ...wrapLines(`why: ${printable(why)}`, '    '),
    ...(isManual(step) ? firstLines(placedAddresses(step), SHOWN.addresses) : []),
    // all lines, because the user copies the code
    ...firstLines(linesOf(code), Infinity),
    ...edits.flatMap(({ diff }) => firstLines(linesOf(diff), SHOWN.lines)),
    ...runs.flatMap((run) => renderRun(run, step)),
    '',
  ];
}

function linesOf(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

/** The command. Lists many addresses separately and shortened, because the other formats have the full command. */
function renderRun(run: Run, step: Step): string[] {
  const { own, rest } = splitAddresses(run, step);
  return own.length > SHOWN.addresses
    ? [
        `    $ ${renderCommand(rest)} <${own.length} addresses>`,
        ...firstLines(own, SHOWN.addresses),
      ]
    : [`    $ ${renderCommand(run.argv, run.saveTo)}`];
}

const MORE = '      … and ';

function firstLines(lines: readonly string[], most: number): string[] {
  const more = lines.length - most;
  return [
    ...lines.slice(0, most).map((line) => `      ${printable(line)}`),
    ...(more > 0 ? [`${MORE}${more} more`] : []),
  ];
}
