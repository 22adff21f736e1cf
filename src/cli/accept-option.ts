import { type Command as Commander } from 'commander';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type Acceptance, type AcceptedChange } from '../actions/apply/accept-changes';
import { type Finding } from '../model/finding';

/** The flag of the commands that let Terraform plan, and judge it. */
export interface AcceptOptions {
  readonly accept?: readonly string[];
}

/** Adds the flag of {@link AcceptOptions}. */
export function withAccept(command: Commander): Commander {
  return command.option(
    '--accept <difference>',
    'an update in place that is as it should be: <address>[:<attribute>]; may be repeated',
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

/** What was accepted, and what was named in vain, for people. */
export function renderAccepted(result: {
  readonly accepted?: readonly AcceptedChange[];
  readonly findings?: readonly Finding[];
}): string[] {
  const { accepted = [], findings = [] } = result;
  return [
    ...accepted.map(({ address, attributes }) =>
      printable(`Accepted: ${address} (${attributes.slice(0, 8).join(', ')})`, 300),
    ),
    ...findings.map(({ message }) => printable(`Note: ${message}`, 300)),
  ];
}
