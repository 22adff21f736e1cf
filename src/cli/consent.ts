import { sha256 } from '../core/json';
import { type Finding, findingTitles, renderFindings, titleOf, wrapLines } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { counted, printable } from '../core/printable';
import { parseAddress } from '../core/resource-address';
import { findingTable } from '../plan/findings/finding-table';
import { type CliContext } from './context';
import { type AcceptOptions } from './options';
import { withProgram } from './output';

export interface Change {
  /** Names of what changes, by heading. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly findings?: readonly Finding[];
  /** Each has to be accepted by its code. */
  readonly decisions?: readonly Finding[];
  readonly accept?: readonly string[] | undefined;
  /** The folder that the paths of the decisions start from, if it is not the working directory. */
  readonly place?: string;
  readonly question: string;
}

/**
 * Lists what a command is about to change, requires that each decision is accepted by its code, and asks.
 * `--yes` answers the question only; without it and without a terminal, the answer is no.
 */
export async function consent(change: Change, context: CliContext): Promise<void> {
  const { decisions = [], accept = [], place = '', question } = change;
  const open = unaccepted(decisions, accept);
  if (open.length > 0) {
    const paths = place === '' ? '' : ` (paths are relative to ${printable(place, 200)})`;
    const message = `Nothing was changed: ${counted(open.length, 'open decision')}${paths}`;
    const codes = [...new Set(open.map(({ code }) => code))];
    const flags = codes.flatMap((code) => ['--accept', code]);
    const hint = `accept each decision${lineWith(flags, context)}`;
    throw new MigrationError('DECISIONS_OPEN', message, { findings: open, hint });
  }
  showChange(change, context);
  const { yes, ask } = context;
  if (yes) return;
  if (ask === null) {
    const message = 'the command needs confirmation, and there is no terminal';
    const hint = `confirm it with --yes${lineWith([], { ...context, yes: true })}`;
    throw new MigrationError('DECLINED', message, { hint });
  }
  const answer = (await ask(`${question} [y/N] `)).trim().toLowerCase();
  if (answer !== 'y' && answer !== 'yes') throw declined();
}

/** How to add flags to the same command: as a line to copy, unless it has a secret or a character that is not printed. */
function lineWith(flags: readonly string[], context: CliContext): string {
  const { commandLine, recordedLine, commandWith, yes } = context;
  const all = yes ? ['--yes', ...flags] : flags;
  const isCopyable = commandLine === recordedLine && !commandLine.includes('\\u{');
  if (isCopyable) return `:\n${withProgram(commandWith(all), context)}`;
  return `: run the same command again with ${all.join(' ')}`;
}

export function showChange(
  { lists, findings = [], decisions = [] }: Omit<Change, 'question'>,
  { ask, isSilent, stderr }: CliContext,
): void {
  if (ask === null && isSilent) return;
  const lines = Object.entries(lists).flatMap(([heading, names]) =>
    names.length === 0
      ? []
      : [`${heading}:`, ...names.map((name) => `  ${printable(name, 2_000)}`)],
  );
  const accepted = renderDecisions(decisions, { heading: 'Accepted decisions:' });
  const shown = [...lines, ...renderFindings(findings), ...accepted];
  stderr(shown.map((line) => `${line}\n`).join(''));
}

/** The text that confirms a list of zones: their number, and 12 digits of the sha256 of their sorted ids. */
export function listHash(zones: readonly { readonly id: string }[]): string {
  const lines = zones.map(({ id }) => `${id}\n`).sort();
  return `${zones.length}:${sha256(lines.join('')).slice(0, 12)}`;
}

/** Requires a text, typed in full or given with `--confirm`, for what cannot be undone: `--yes` is not enough. */
export async function confirmByText(
  expected: string,
  question: string,
  given: string | undefined,
  { ask, isSilent, commandWith }: CliContext,
): Promise<void> {
  const isAsked = given === undefined && ask !== null;
  const text = `${question}\nType ${printable(expected, 253)} to continue: `;
  const answer = isAsked ? (await ask(text)).trim() : given;
  if (answer === expected) return;
  if (isAsked && ['', 'n', 'no'].includes((answer ?? '').toLowerCase())) throw declined();
  const unlisted = ask === null && isSilent;
  const hint = `check the list ${unlisted ? 'that this command shows without --json and --quiet' : 'above'}, then run:\ncf-waf-migrate ${commandWith(['--confirm', expected], '--confirm')}`;
  if (answer !== undefined) throw isOther(answer, expected, hint);
  throw new MigrationError('DECLINED', `Not confirmed, so nothing was sent. ${question}`, { hint });
}

/** Refuses a wrong text before anything is read to show. */
export function refuseOtherText(expected: string, given: string, context: CliContext): void {
  if (given === expected) return;
  const command = context.commandWith([], '--confirm');
  throw isOther(given, expected, `to see what it would send, run:\ncf-waf-migrate ${command}`);
}

function isOther(given: string, expected: string, hint: string): MigrationError {
  const message = `"${printable(given, 100)}" is not ${printable(expected, 253)}, so nothing was sent`;
  return new MigrationError('DECLINED', message, { hint });
}

/** The values of `--accept` for all decisions: those that were given, and the codes of the others. */
export function acceptOf(decisions: readonly Finding[], accept: readonly string[] = []): string[] {
  const codes = unaccepted(decisions, accept).map(({ code }) => code);
  return [...new Set([...accept, ...codes])];
}

export function unaccepted(
  decisions: readonly Finding[],
  accept: readonly string[] = [],
): Finding[] {
  return decisions.filter(
    ({ code, subject }) => !accept.includes(code) && !accept.includes(subject),
  );
}

/** The user declined, so no error text is needed. */
function declined(): MigrationError {
  return new MigrationError('DECLINED', 'Nothing was changed.', { hint: '' });
}

/** Names a decision; an address has a dot. */
const CODE = /^[A-Z][A-Z0-9_]*$/;

/**
 * The addresses of the differences that were accepted. A code that a command does not need has no effect, so that a
 * pipeline can pass the same flags to each.
 */
export function readAccepted({ accept = [] }: AcceptOptions): string[] {
  const unknown = accept.find((one) => CODE.test(one) && !isKnownCode(one));
  if (unknown !== undefined) {
    throw new MigrationError('USAGE', `no finding has the code ${printable(unknown, 60)}`, {
      hint: 'pass the code of a decision, as the plan shows it',
    });
  }
  const addresses = [...new Set(accept.filter((one) => !CODE.test(one)))];
  const mistyped = addresses.find((one) => !one.includes('.'));
  if (mistyped !== undefined) {
    const message = `--accept "${printable(mistyped, 100)}" is neither a code nor an address`;
    throw new MigrationError('USAGE', message, {
      hint: 'pass the code of a decision in upper case, as the plan shows it, or the address of a change',
    });
  }
  addresses.forEach(parseAddress);
  return addresses;
}

/** Whether a finding has this code: a pipeline may accept a decision that this plan does not have. */
const isKnownCode = (accepted: string): boolean =>
  Object.hasOwn(findingTitles, accepted) || findingTable.some(({ code }) => code === accepted);

export function renderDecisions(
  decisions: readonly Finding[],
  { heading, withRemedies = false }: { heading: string; withRemedies?: boolean },
): string[] {
  const withoutRemedies = decisions.flatMap((one) => [
    `  ${printable(titleOf(one) ?? one.code, 200)} (${one.code}): ${printable(one.subject, 200)}`,
    ...wrapLines(printable(one.message, 500), '    '),
  ]);
  const lines = withRemedies ? renderFindings(decisions) : withoutRemedies;
  return lines.length === 0 ? [] : [heading, ...lines];
}
