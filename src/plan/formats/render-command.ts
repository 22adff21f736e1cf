import { posix } from 'node:path';
import { posixQuote, shellWord } from '../../core/posix-quote';
import { printable } from '../../core/printable';

/** The addresses of a step. Steps are rendered with this file, so it cannot import their type. */
interface Addressed {
  readonly addresses?: readonly string[];
  readonly places?: Readonly<Record<string, string>>;
}

export function words(argv: readonly string[]): string {
  return argv.map(shellWord).join(' ');
}

/** A remedy, followed by its command on the next line. */
export const withCommand = (
  remedy: string,
  command?: readonly string[],
  line = command && renderCommand(command),
): string => (line === undefined ? remedy : `${remedy}:\n${printable(line)}`);

export function say(line: string): string {
  return `say ${shellWord(line)}`;
}

export function chdirOf([, flag = '']: readonly string[]): string | undefined {
  return flag.startsWith('-chdir=') ? flag.slice('-chdir='.length) : undefined;
}

/** A flag with … in place of a value that can be a secret, because others read a log. */
export const withoutSecret = (flag: string): string =>
  flag.replace(/^(--?(?:var|backend-config)=[^=]*=)[^]*/, '$1…');

/**
 * A command on one line, with … in place of secrets. Creates the folder of its output file; only the owner can read the
 * file.
 */
export function renderCommand(argv: readonly string[], saveTo?: string): string {
  const command = printable(words(argv.map(withoutSecret)));
  if (saveTo === undefined) return command;
  const folder = posix.dirname(saveTo);
  const made = folder === '.' ? '' : `${printable(words(['mkdir', '-p', folder]))} && `;
  return `(umask 077; ${made}${command} > ${printable(words([saveTo]))})`;
}

export function splitAddresses(
  { argv }: { readonly argv: readonly string[] },
  { addresses = [] }: Addressed,
): { readonly own: readonly string[]; readonly rest: readonly string[] } {
  const listed = new Set(addresses);
  return {
    own: argv.filter((argument) => listed.has(argument)),
    rest: argv.filter((argument) => !listed.has(argument)),
  };
}

export function addressLines(
  run: { readonly argv: readonly string[] },
  step: Addressed,
  before = '',
): string[] {
  const { own, rest } = splitAddresses(run, step);
  const lines = [`${before}${words(rest)}`, ...own.map((one) => `  ${words([one])}`)];
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line));
}

export function placedAddresses({ addresses = [], places = {} }: Addressed): string[] {
  return addresses.map((address) => {
    const place = places[address];
    return place === undefined ? address : `${address} (${place})`;
  });
}

export function renderVersion({ from, to }: Readonly<Record<'from' | 'to', string>>): string {
  return printable(from === to ? to : `${from} → ${to}`);
}

/** A command of Terraform for another folder, relative to the working directory. */
export function terraformIn(dir: string, command: string): string {
  return `terraform${dir === '.' ? '' : ` -chdir=${posixQuote(dir)}`} ${command}`;
}
