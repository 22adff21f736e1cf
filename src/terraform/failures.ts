import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { redactSecrets } from './output';

/** A subcommand that failed. */
interface Failure {
  readonly command: string;
  readonly dir: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
  /** What it printed on standard error. */
  readonly said: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const WHOLE_STATE =
  'put the last whole one in its place (the backup that the journal of the plan names, or terraform.tfstate.backup), then run the same command again';

/** What to do about what Terraform says, where it is not to run the command by hand. */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    /No value for required variable/,
    'flags for Terraform are part of the plan: plan again with `-- -var-file=…`',
  ],
  [
    /prevent_destroy/,
    'leave prevent_destroy as it is, whatever Terraform advises: without it, what is named would be destroyed',
  ],
  // Terraform writes a local state in place: what the disk did not take is gone (measured with 1.11)
  [
    /no space left on device|disk quota exceeded/i,
    `make room on that disk, then run the same command again; only where that finds a local state cut or empty, ${WHOLE_STATE}`,
  ],
  [
    /state file could not be parsed as JSON/,
    `the state is cut, as a full disk leaves a local one, or is none: ${WHOLE_STATE}`,
  ],
];

const KILLED =
  'a signal ended it, as where memory runs out: see to that, then run the same cf-waf-migrate command again, which finds out what is done';

/** What of a hint holds wherever Terraform ran: what it begins with, where that is about what it said, or that it was killed. */
export function hintAnywhere(hint: string): string | undefined {
  return [KILLED, ...hints.map(([, known]) => known)].find((known) => hint.startsWith(known));
}

/** Whether a signal ended it, or what a wrapper has run: shells say so by 128 and the number of the signal. */
export function wasKilled(code: number | null): code is 137 | null {
  return code === null || code === 137;
}

const INIT = 'run `terraform init` in that folder, then the same command again';

/** Where TF_IN_AUTOMATION is set, as this tool sets it, Terraform leaves out the command. */
const NOT_INITIALISED =
  /\bterraform init\b|Required plugins are not installed|Inconsistent dependency lock file/;

/** A folder that was never initialised, as a fresh synthesis leaves it, or not since it changed. */
function needsInit({ command, dir, environment }: Failure, said: readonly string[]): boolean {
  if (command.startsWith('terraform init')) return false;
  const isBare = !existsSync(resolve(dir, environment['TF_DATA_DIR'] || '.terraform'));
  return isBare || said.some((line) => NOT_INITIALISED.test(line));
}

/**
 * The error where another process holds the lock of the state; undefined where Terraform does not say which lock. Of an
 * http backend it prints only the id of that lock: the lock info below is that of the command that failed.
 */
function stateLocked(place: string, said: readonly string[]): MigrationError | undefined {
  const whole = said.join(' ');
  if (!whole.includes('Error acquiring the state lock')) return undefined;
  const field = (name: string): string =>
    printable(
      /^\w+:\s*(.*)$/.exec(said.find((line) => line.startsWith(`${name}:`)) ?? '')?.[1] ?? '',
      200,
    );
  const isHttp = /HTTP remote state already locked/.test(whole);
  const id = isHttp ? (/already locked: ID=(\S+)/.exec(whole)?.[1] ?? '') : field('ID');
  if (id === '') return undefined;
  const holder = isHttp ? 'another process' : `${field('Who')} since ${field('Created')}`;
  return new MigrationError(
    'STATE_LOCKED',
    `${place}: the state is locked by ${holder}, lock id ${printable(id, 200)}`,
    {
      hint: `wait until that process has ended, then run the same command again; if it no longer runs, run this in that folder first: terraform force-unlock ${/^[\w-]+$/.test(id) ? id : '<id>'}`,
    },
  );
}

/** The error for a subcommand that failed: its first error in the message, the rest as the cause. */
export function terraformFailure(failure: Failure): MigrationError {
  const { command, dir, code } = failure;
  const said = redactSecrets(stripVTControlCharacters(failure.said), failure.environment)
    .split('\n')
    .map((line) => line.replace(/^[│╷╵\s]+/, '').trim())
    .filter((line) => line !== '');
  const first = said.findIndex((line) => line.startsWith('Error: '));
  const [error = 'no message', ...rest] = said.slice(Math.max(first, 0));
  const locked = stateLocked(`${command} in ${printable(dir)}`, said);
  if (locked !== undefined) return locked;
  const exit = wasKilled(code) ? 'was killed' : `failed with exit code ${code}`;
  const message = `${command} ${exit} in ${printable(dir)}: ${printable(error, 300)}`;
  const cause = rest.length === 0 ? undefined : new Error(rest.slice(0, 12).join(' '));
  // Terraform breaks its lines anywhere
  const whole = said.join(' ');
  const [, known] = hints.find(([pattern]) => pattern.test(whole)) ?? [];
  const hint = known ?? (wasKilled(code) ? KILLED : needsInit(failure, said) ? INIT : undefined);
  return new MigrationError('TERRAFORM_FAILED', message, { cause, ...(hint && { hint }) });
}
