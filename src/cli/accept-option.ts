import { type Command as Commander } from 'commander';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type Acceptance, type AcceptedChange } from '../actions/apply/accept-changes';
import { howToAccept } from '../actions/apply/how-to-accept';
import { type Finding } from '../model/finding';

/** The flag of the commands that let Terraform plan, and judge it. */
export interface AcceptOptions {
  readonly accept?: readonly string[];
}

/** Adds the flag of {@link AcceptOptions}. */
export function withAccept(command: Commander): Commander {
  return command.option(
    '--accept <difference>',
    'an update in place, or the change of an output, that is as it should be: <address>[:<attribute>]; may be repeated',
    (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
  );
}

/** @throws MigrationError `USAGE`, `ADDRESS_INVALID` */
export async function readAccepted({ accept = [] }: AcceptOptions): Promise<Acceptance[]> {
  if (accept.length === 0) return [];
  const { parseAcceptance } = await import('../actions/apply/accept-changes');
  return [...new Set(accept)].map(parseAcceptance);
}

/** @throws MigrationError `USAGE` where many plans are meant: a difference is of one */
export function refuseAccepted({ accept = [] }: AcceptOptions, place: string): void {
  if (accept.length === 0) return;
  throw new MigrationError(
    'USAGE',
    `--accept is of one plan and its Terraform: leave out ${place}`,
  );
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
    ...accepted.map(({ address, attributes }) =>
      printable(`Accepted: ${address}${inBrackets(attributes.slice(0, 8))}`, 300),
    ),
    ...findings.map(({ message }) => printable(`Note: ${message}`, 300)),
    ...(flags === undefined ? [] : [`Note: ${flags}`]),
  ];
}

function inBrackets(words: readonly string[]): string {
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}
