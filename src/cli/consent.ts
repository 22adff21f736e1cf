import { counted, printable } from '../core/printable';
import { type Finding, renderFindings } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { type DeclaredRuleset } from '../core/ruleset';
import { type Plan } from '../plan/plan';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { isSilent } from './notify';

/** What a command is about to change. */
export interface Change {
  /** Names of what changes, by heading. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Shown beside them. */
  readonly findings?: readonly Finding[];
  /** Each has to be accepted by its code. */
  readonly decisions?: readonly Finding[];
  readonly question: string;
}

/** The flags that answer. */
export interface ConsentOptions extends CommonOptions {
  readonly yes?: boolean;
  readonly accept?: readonly string[];
}

/**
 * Lists what a command is about to change, requires that each decision is accepted by its code, and asks.
 * `--yes` answers the question only.
 * @throws MigrationError `DECISIONS_OPEN`, `DECLINED`
 */
export async function consent(
  change: Change,
  options: ConsentOptions,
  context: CliContext,
  ask = (question: string) => confirm(question, options, context),
): Promise<void> {
  const { lists, findings = [], decisions = [], question } = change;
  requireAccepted(decisions, options);
  if (context.ask !== null || !isSilent(options)) {
    const lines = Object.entries(lists).flatMap(([heading, names]) =>
      names.length === 0
        ? []
        : [`${heading}:`, ...names.map((name) => `  ${printable(name, 300)}`)],
    );
    const shown = [...lines, ...renderFindings([...findings, ...decisions])];
    context.stderr(shown.map((line) => `${line}\n`).join(''));
  }
  await ask(question);
}

/** @throws MigrationError `DECISIONS_OPEN` */
export function requireAccepted(
  decisions: readonly Finding[],
  { accept = [] }: Pick<ConsentOptions, 'accept'>,
): void {
  // an output, which has to be accepted by its address, needs no code beside it
  const open = decisions.filter(
    ({ code, subject }) => !accept.includes(code) && !accept.includes(subject),
  );
  if (open.length === 0) return;
  const codes = [...new Set(open.map(({ code }) => code))];
  throw new MigrationError(
    'DECISIONS_OPEN',
    `Nothing was changed: ${counted(codes.length, 'open decision')}`,
    {
      findings: open,
      hint: `pass ${codes.map((code) => `--accept ${code}`).join(' ')}`,
    },
  );
}

/** What the steps of a plan change, or what their rollback restores. */
export function changeOf(
  { zones, states, steps }: Plan,
  headings: Readonly<Record<'files' | 'present' | 'gone', string>>,
): Change['lists'] {
  const files = steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));
  return {
    States: states.map(({ name, dir, workspace }) => `${name} (${dir}, workspace ${workspace})`),
    Zones: zones.map(({ zoneId }) => zoneId),
    'Provider versions': steps.flatMap(({ provider }) => provider ?? []),
    [headings.files]: [...new Set(files)],
    [headings.present]: [...new Set(steps.flatMap(({ expects }) => expects?.present ?? []))],
    [headings.gone]: steps.flatMap(({ expects }) => expects?.gone ?? []),
  };
}

/** The rules of an entry point that is about to be sent. */
export function rulesOf({ rules }: DeclaredRuleset): string[] {
  return rules.map(
    ({ ref, action, enabled, expression }) =>
      `${enabled ? 'on ' : 'off'} ${printable(action, 20)} ${printable(ref, 60)} where ${printable(expression, 80)}`,
  );
}

/**
 * Asks a person whether to go on. `--yes` is an answer; without it and without a terminal the
 * answer is no.
 * @throws MigrationError `DECLINED`
 */
async function confirm(
  question: string,
  { yes = false }: { readonly yes?: boolean },
  { ask }: CliContext,
): Promise<void> {
  if (yes) return;
  if (ask === null) {
    throw new MigrationError('DECLINED', 'there is no terminal to ask on, and --yes was not given');
  }
  const answer = (await ask(`${question} [y/N] `)).trim().toLowerCase();
  if (answer !== 'y' && answer !== 'yes') throw new MigrationError('DECLINED', 'nothing was done');
}
