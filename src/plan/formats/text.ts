import { type FileEdit } from '../../tfconfig/plan-edit';
import { printable } from '../../core/printable';
import { renderFindings, wrapLines } from '../../core/finding';
import { type Plan, type PlanState, type Run, type Step } from '../plan';
import { renderCommand, renderVersion, splitAddresses } from './render-command';

/** Most addresses shown of one step; the other formats have all. */
const SHOWN = 8;

/** How the text begins: by it, an earlier one is known again. */
export const TEXT_HEAD = 'Migration plan of cf-waf-migrate';

/** The plan for a person: what is done, why, and with which command. */
export function renderText(plan: Plan): string {
  const zones = plan.zones.map(({ zoneId }) => zoneId).join(', ');
  return [
    ...wrapLines(`${TEXT_HEAD}${zones === '' ? '' : ` for ${printable(zones)}`}`, '', '  '),
    ...plan.states.flatMap(renderState),
    '',
    ...plan.steps.flatMap(renderStep),
    ...renderFindings(plan.findings),
    '',
  ].join('\n');
}

/** The steps in short: the command, or what a person does. Of steps that are alike, the first. */
export function renderSteps({ steps }: Plan): string[] {
  return steps.flatMap((step, index) => {
    if (isLike(step, steps[index - 1])) return [];
    const end = steps.findIndex((other, at) => at > index && !isLike(other, steps[at - 1]));
    const alike = (end === -1 ? steps.length : end) - index - 1;
    const last = Number(step.id) + alike;
    const range = alike === 1 ? String(last) : `${Number(step.id) + 1} to ${last}`;
    return [...renderShort(step), ...(alike === 0 ? [] : [`    ${range}: likewise`])];
  });
}

/** Whether a step does to another object what the one before it does. */
function isLike({ kind, state, runs }: Step, before: Step | undefined): boolean {
  const many = kind === 'import' || (kind === 'manual' && runs !== undefined) || kind === 'edit';
  return many && before?.kind === kind && before.state === state && !before.runs === !runs;
}

function renderShort(step: Step): string[] {
  const { id, kind, title, runs, addresses = [] } = step;
  const [run] = kind === 'manual' ? [] : (runs ?? []);
  const number = `${id.padStart(2)}. `;
  if (run === undefined) {
    const count = addresses.length > 1 ? ` (${addresses.length} addresses)` : '';
    return wrapLines(`${printable(title)}${count}`, number, '    ');
  }
  if (addresses.length > 1) {
    return [`${number}$ ${shortCommand(run, step, addresses.length)}`];
  }
  return [`${number}$ ${renderCommand(run.argv, run.saveTo)}`];
}

/** The command with its addresses counted. */
function shortCommand(run: Run, step: Step, count: number): string {
  return `${renderCommand(splitAddresses(run, step).rest)} <${count} addresses>`;
}

function renderState(state: PlanState): string[] {
  const { name, dir, workspace, because } = state;
  const place = `${printable(dir)}, workspace ${printable(workspace)}`;
  return [
    ...wrapLines(`State ${printable(name)} (${place}), provider ${renderVersion(state)}`, '', '  '),
    ...wrapLines(`Order chosen because ${because}.`, '  '),
  ];
}

/** One step whole: what it is, why, addresses, code and commands. */
export function renderStep(step: Step): string[] {
  const own = step.kind === 'manual' ? (step.addresses ?? []) : [];
  return [
    ...wrapLines(printable(step.title), `${step.id.padStart(2)}. `, '    '),
    ...wrapLines(`why: ${printable(step.why)}`, '    '),
    ...some(own),
    ...codeLines(step),
    ...some((step.edits ?? []).flatMap(renderEdit)),
    ...(step.runs ?? []).flatMap((run) => renderRun(run, step)),
    '',
  ];
}

/** Whole: it is to be copied. */
function codeLines({ code = '' }: Step): string[] {
  return code
    .split('\n')
    .slice(0, -1)
    .map((line) => `      ${printable(line)}`);
}

/** What leaves and enters a file, without its text: the JSON has the difference. */
function renderEdit({ file, sha256, sha256After, remove, insert }: FileEdit): string[] {
  const name = printable(file);
  const added = insert === undefined ? [] : [`${name}: ${sha256 === null ? 'new' : 'text added'}`];
  const removed = remove.map(
    ({ address, startLine, endLine }) =>
      `${name}:${startLine}-${endLine}: removes ${printable(address)}`,
  );
  return [...removed, ...added, ...(sha256After === null ? [`${name}: deleted`] : [])];
}

/** The command; where it has many addresses, these apart: as a whole it is in the other formats. */
function renderRun(run: Run, step: Step): string[] {
  const { own } = splitAddresses(run, step);
  if (own.length > SHOWN) return [`    $ ${shortCommand(run, step, own.length)}`, ...some(own)];
  return [`    $ ${renderCommand(run.argv, run.saveTo)}`];
}

function some(lines: readonly string[]): string[] {
  const more = lines.length - SHOWN;
  return [
    ...lines.slice(0, SHOWN).map((line) => `      ${printable(line)}`),
    ...(more > 0 ? [`      … and ${more} more (--format sh or --json has all)`] : []),
  ];
}
