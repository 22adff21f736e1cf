import { posixQuote } from '../core/posix-quote';
import { SERVICE, TERRAFORM } from './options';

/** The name of a flag, without its value: `--token-file <file>`. */
const longOf = (flag: string): string => flag.split(' ', 1)[0] ?? '';

/** Flags for the API and Terraform, which the next commands need too. */
const REPEATED = Object.keys({ ...SERVICE, ...TERRAFORM }).map(longOf);

/** A command of the tool on its own line, and what it passes to Terraform. */
const COMMAND = /^( +)(TF_WORKSPACE=.+? )?(cf-waf-migrate ([a-z-]+)(?: .+?)??)( -- .+)?$/gm;

/**
 * Completes the commands of a text with what the user typed: the workspace, and the flags for the API and Terraform.
 *
 * @param workspace in front of a command; empty for none
 * @param words the command line of the user
 * @param flagsOf the flags that a command has, as `--token-file <file>`; undefined for a word that is no command
 */
export async function repeatTyped(
  text: string,
  workspace: string,
  words: readonly string[],
  flagsOf: (command: string) => Promise<readonly string[] | undefined>,
): Promise<string> {
  const typed = REPEATED.flatMap((flag) => {
    const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
    const value = words[at] === flag ? words[at + 1] : words[at]?.slice(flag.length + 1);
    return value === undefined ? [] : { flag, value: posixQuote(value) };
  });
  if (typed.length === 0 && workspace === '') return text;
  const known = new Map<string, readonly string[] | undefined>();
  for (const [, , , , name = ''] of text.matchAll(COMMAND))
    if (!known.has(name)) known.set(name, (await flagsOf(name))?.map(longOf));
  return text.replace(COMMAND, (...found: (string | undefined)[]) => {
    const [, indent = '', ofOther, line = '', name = '', passed = ''] = found;
    const own = known.get(name);
    if (own === undefined || line.endsWith(' --help')) return found[0] ?? '';
    const present = line.split(/[ =]/);
    const missing = typed.filter(({ flag }) => own.includes(flag) && !present.includes(flag));
    const flags = missing.map(({ flag, value }) => ` ${flag} ${value}`);
    return `${indent}${ofOther ?? workspace}${line}${flags.join('')}${passed}`;
  });
}
