import { type FileEdit } from '../../blocks/file-edit';
import { printable } from '../../model/printable';
import { renderFindings } from '../../model/render-findings';
import { wrapLines } from '../../model/wrap-lines';
import { type Plan, type PlanState, type Run, type Step } from '../plan';
import { renderCommand, renderWords } from './render-command';

/** Most addresses shown of one step; the other formats have all. */
const SHOWN = 8;

/** How the text begins: by it, an earlier one is known again. */
export const TEXT_HEAD = 'Migration plan of cf-waf-migrate for ';

/** The plan for a person: what is done, why, and with which command. */
export function renderText(plan: Plan): string {
  const zones = plan.zones.map(({ zoneId }) => zoneId).join(', ') || 'no zone';
  return [
    ...wrapLines(`${TEXT_HEAD}${printable(zones)}`, '', '  '),
    ...plan.states.flatMap(renderState),
    '',
    ...plan.steps.flatMap(renderStep),
    ...(plan.steps.length === 0 ? ['Nothing to do.', ''] : []),
    ...renderFindings(plan.findings),
    '',
  ].join('\n');
}

/** The steps alone, one line each: the command, or what a person does. */
export function renderSteps(plan: Plan): string[] {
  return plan.steps.map((step) => {
    const [run] = step.kind === 'manual' ? [] : (step.runs ?? []);
    const count = step.addresses?.length ?? 0;
    const title = `${printable(step.title)}${count > 1 ? ` (${count} addresses)` : ''}`;
    return `${step.id.padStart(2)}. ${run === undefined ? title : `$ ${shortCommand(run, step)}`}`;
  });
}

/** The command with its addresses counted where they are many. */
function shortCommand({ argv, saveTo }: Run, { addresses = [] }: Step): string {
  const listed = new Set(addresses);
  if (addresses.length < 2) return renderWords(argv, saveTo).join(' ');
  const rest = argv.filter((argument) => !listed.has(argument));
  return [...renderWords(rest), `<${addresses.length} addresses>`].join(' ');
}

function renderState({ name, dir, workspace, provider, because }: PlanState): string[] {
  const version = provider.from === provider.to ? provider.to : `${provider.from} → ${provider.to}`;
  const place = `${printable(dir)}, workspace ${printable(workspace)}`;
  return [
    ...wrapLines(`State ${printable(name)} (${place}), provider ${version}`, '', '  '),
    ...wrapLines(`Order chosen because ${because}.`, '  '),
  ];
}

function renderStep(step: Step): string[] {
  const own = step.kind === 'manual' ? (step.addresses ?? []) : [];
  return [
    ...wrapLines(`${step.id.padStart(2)}. ${printable(step.title)}`, '', '    '),
    ...wrapLines(`why: ${printable(step.why)}`, '    '),
    ...some(own),
    ...some((step.edits ?? []).flatMap(renderEdit)),
    ...(step.runs ?? []).flatMap((run) => renderRun(run, step)),
    '',
  ];
}

/** What leaves and enters a file, without its text: the JSON has the difference. */
function renderEdit({ file, sha256, remove, insert }: FileEdit): string[] {
  const name = printable(file);
  const added = insert === undefined ? [] : [`${name}: ${sha256 === null ? 'new' : 'text added'}`];
  const removed = remove.map(
    ({ address, startLine, endLine }) =>
      `${name}:${startLine}-${endLine}: takes out ${printable(address)}`,
  );
  return [...removed, ...added];
}

/** The command; where it has many addresses, these apart: as a whole it is in the other formats. */
function renderRun({ argv, saveTo }: Run, { addresses = [] }: Step): string[] {
  const listed = new Set(addresses);
  const own = argv.filter((argument) => listed.has(argument));
  if (own.length > SHOWN) {
    const rest = argv.filter((argument) => !listed.has(argument));
    const line = [...renderWords(rest), `<${own.length} addresses>`].join(' ');
    return [`    $ ${line}`, ...some(own)];
  }
  const [first = '', ...more] = renderCommand(argv, saveTo);
  return [`    $ ${first}`, ...more.map((line) => `        ${line}`)];
}

function some(lines: readonly string[]): string[] {
  const more = lines.length - SHOWN;
  return [
    ...lines.slice(0, SHOWN).map((line) => `      ${printable(line)}`),
    ...(more > 0 ? [`      … and ${more} more (--format sh or --json has all)`] : []),
  ];
}
