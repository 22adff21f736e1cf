import { printable } from '../../model/printable';
import { renderFindings } from '../../model/render-findings';
import { type Plan, type PlanState, type Run, type Step } from '../plan';
import { posixQuote } from './posix-quote';

/** Most addresses shown of one step; the other formats have all. */
const SHOWN = 8;

/** The plan for a person: what is done, why, and with which command. */
export function renderText(plan: Plan): string {
  return [
    ...plan.states.flatMap(renderState),
    ...plan.steps.flatMap(renderStep),
    ...(plan.steps.length === 0 ? ['Nothing to do.', ''] : []),
    ...renderFindings(plan.findings),
  ].join('\n');
}

/** The steps alone, one line each: the command, or what a person does. */
export function renderSteps(plan: Plan): string[] {
  return plan.steps.map((step) => {
    const [run] = step.kind === 'manual' ? [] : (step.runs ?? []);
    const count = step.addresses?.length ?? 0;
    const title = `${printable(step.title)}${count > 1 ? ` (${count} addresses)` : ''}`;
    return `${step.id.padStart(2)}. ${run === undefined ? title : `$ ${shortCommand(run, step.addresses ?? [])}`}`;
  });
}

/** The command with its addresses counted where they are many. */
function shortCommand({ argv, saveTo }: Run, addresses: readonly string[]): string {
  const listed = new Set(addresses);
  const many = addresses.length > 1;
  const words = argv.filter((argument) => !many || !listed.has(argument)).map(posixQuote);
  const tail = many
    ? [`<${addresses.length} addresses>`]
    : saveTo === undefined
      ? []
      : ['>', saveTo];
  return [...words, ...tail].join(' ');
}

function renderState({ name, dir, provider, because }: PlanState): string[] {
  const version = provider.from === provider.to ? provider.to : `${provider.from} → ${provider.to}`;
  return [
    `State ${printable(name)} (${printable(dir)}), provider ${version}`,
    `  Order chosen because ${because}.`,
    '',
  ];
}

function renderStep(step: Step): string[] {
  return [
    `${step.id.padStart(2)}. ${printable(step.title)}`,
    `    why: ${printable(step.why)}`,
    ...(step.kind === 'manual' ? (step.addresses ?? []) : [])
      .slice(0, SHOWN)
      .map((address) => `      ${printable(address)}`),
    ...(step.kind === 'manual' ? more(step.addresses ?? []) : []),
    ...(step.runs ?? []).flatMap((run) => renderRun(run, step.addresses ?? [])),
    '',
  ];
}

/** The command; a long list of addresses on lines of its own. */
function renderRun({ argv, saveTo }: Run, addresses: readonly string[]): string[] {
  const listed = new Set(addresses);
  const shown = argv.filter((argument) => listed.has(argument));
  if (shown.length < 2)
    return [`    $ ${argv.map(posixQuote).join(' ')}${saveTo === undefined ? '' : ` > ${saveTo}`}`];
  const command = argv.filter((argument) => !listed.has(argument));
  return [
    `    $ ${command.map(posixQuote).join(' ')} \\`,
    ...shown.slice(0, SHOWN).map((address) => `        ${posixQuote(address)} \\`),
    ...more(shown),
  ];
}

function more(addresses: readonly string[]): string[] {
  return addresses.length > SHOWN
    ? [`      … and ${addresses.length - SHOWN} more (--format sh or --json has all)`]
    : [];
}
