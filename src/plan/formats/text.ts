import { renderFindings, wrapLines, isOpenFinding } from '../../core/finding';
import { printable } from '../../core/printable';
import { type Plan, type PlanState } from '../plan-schema';
import {
  isManual,
  isOfProgram,
  isStateBlock,
  kindOf,
  type Run,
  type Step,
} from '../steps/step-kinds';
import { flagsForDecisions, mergeNote } from './pull-request';
import { placedAddresses, renderCommand, renderVersion, splitAddresses } from './render-command';

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
  const flags = flagsForDecisions(findings);
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
    ...noteOf({ states, steps }),
    ...renderFindings(notices),
    '',
  ].join('\n');
}

/** How much of a plan with method blocks a pull request needs (`--write` edits no CDKTF program), or {@link mergeNote}. */
function noteOf({ states, steps }: Pick<Plan, 'states' | 'steps'>): readonly string[] {
  if (!states.some(({ method }) => method === 'blocks'))
    return mergeNote(steps).flatMap((note) => [...wrapLines(note, ''), '']);
  const [change, ...commands] = steps.some(isOfProgram)
    ? ['Edit the CDKTF program by hand (the manual steps).']
    : ['To make them:', '  cf-waf-migrate plan --method blocks --write --out plan.json'];
  const note = `\`apply\` runs these steps. A pull request needs only the edits, which the pipeline plans and applies. ${change}`;
  return [...wrapLines(note, ''), ...commands, ''];
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
    ...wrapLines(`Order chosen because ${printable(because)}.`, '  '),
  ];
}

/** Renders a complete step: title, who does it, why, addresses, code, diffs and commands. */
export function renderStep(step: Step): string[] {
  const { id, title, why, code = '', edits = [], runs = [] } = step;
  const number = `${id.padStart(2)}. `;
  return [
    ...wrapLines(`${printable(title)} (${kindOf(step).by})`, number, '    '),
    ...wrapLines(`why: ${printable(why)}`, '    '),
    // all lines, because the user works them off, and copies the code
    ...(isManual(step) ? firstLines(toWorkOff(step), Infinity) : []),
    ...firstLines(linesOf(code), Infinity),
    ...edits.flatMap(({ diff }) => firstLines(linesOf(diff), SHOWN.lines)),
    ...runs.flatMap((run) => renderRun(run, step)),
    '',
  ];
}

/** The addresses of a manual step, without the blocks that its code has. */
const toWorkOff = (step: Step): string[] =>
  placedAddresses(step).filter((one) => step.code === undefined || !isStateBlock(one));

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

export function firstLines(lines: readonly string[], most: number): string[] {
  const more = lines.length - most;
  return [
    ...lines.slice(0, most).map((line) => `      ${printable(line, 5_000)}`),
    ...(more > 0 ? [`${MORE}${more} more`] : []),
  ];
}
