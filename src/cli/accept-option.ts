import { type Command as Commander } from 'commander';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Acceptance, type AcceptedChange, parseAcceptance } from '../apply/accept-changes';
import { howToAccept } from '../apply/require-clean';
import { type Finding } from '../core/finding';

/** Names a decision; an address has a dot. */
const CODE = /^[A-Z][A-Z0-9_]*$/;

/** The flag of the commands that apply a plan, or let Terraform plan and judge it. */
export interface AcceptOptions {
  readonly accept?: readonly string[];
}

/** Adds the flag of {@link AcceptOptions}. */
export function withAccept(command: Commander): Commander {
  return command.option(
    '--accept <what>',
    'a decision of the plan by its code, or a difference (an update in place, or the change of an output) as <address>[:<attribute>]; may be repeated',
    (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
  );
}

/**
 * The differences that were accepted.
 * @throws MigrationError `USAGE`, `ADDRESS_INVALID`
 */
export function readAccepted({ accept = [] }: AcceptOptions): Acceptance[] {
  const differences = accept.filter((one) => !CODE.test(one));
  if (differences.length === 0) return [];
  return [...new Set(differences)].map(parseAcceptance);
}

/** @throws MigrationError `USAGE` for a difference where there are many plans */
export function refuseAccepted({ accept = [] }: AcceptOptions, place: string): void {
  if (accept.every((one) => CODE.test(one))) return;
  throw new MigrationError('USAGE', `--accept with an address is of one plan: leave out ${place}`);
}

/** What was accepted, what was named in vain, and how to name what is left, for people. */
export function renderAccepted(result: {
  readonly accepted?: readonly AcceptedChange[];
  readonly findings?: readonly Finding[];
  /** Differences that are left. */
  readonly left?: Parameters<typeof howToAccept>[0];
}): string[] {
  const { accepted = [], findings = [], left = [] } = result;
  const flags = howToAccept(left);
  return [
    ...accepted.map(({ address, actions, attributes }) =>
      printable(
        `Accepted: ${address}${inBrackets(actions.includes('move') ? ['moved'] : attributes.slice(0, 8))}`,
        300,
      ),
    ),
    ...findings.map(({ message }) => printable(`Note: ${message}`, 300)),
    ...(flags === undefined ? [] : [`Note: ${flags}`]),
  ];
}

function inBrackets(words: readonly string[]): string {
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}
