import { counted } from '../model/counted';
import { type Finding } from '../model/finding';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { renderFindings } from '../model/render-findings';
import { type DeclaredRuleset } from '../model/ruleset';
import { type Plan } from '../plan/plan';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { confirm } from './confirm';
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

/** What the steps of a plan change. */
export function changeOf({ zones, states, steps }: Plan): Change['lists'] {
  const present = steps.flatMap(({ expects }) => expects?.present ?? []);
  const files = steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));
  return {
    States: states.map(({ name, dir, workspace }) => `${name} (${dir}, workspace ${workspace})`),
    Zones: zones.map(({ zoneId }) => zoneId),
    'Provider versions': steps.flatMap(({ provider }) => provider ?? []),
    'Edited files': [...new Set(files)],
    'Imported addresses': [...new Set(present)],
    'Addresses removed from state': steps.flatMap(({ expects }) => expects?.gone ?? []),
  };
}

/** The rules of an entry point that is about to be sent. */
export function rulesOf({ rules }: DeclaredRuleset): string[] {
  return rules.map(
    ({ ref, action, enabled, expression }) =>
      `${enabled ? 'on ' : 'off'} ${printable(action, 20)} ${printable(ref, 60)} where ${printable(expression, 80)}`,
  );
}
