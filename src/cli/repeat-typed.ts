import { posixQuote } from '../core/posix-quote';
import { SERVICE, TERRAFORM } from './options';

/** The name of a flag, without its value: `--token-file <file>`. */
export const longOf = (flag: string): string => flag.split(' ', 1)[0] ?? '';

/** Flags for the API and Terraform, which the next commands need too. */
const REPEATED = Object.keys({ ...SERVICE, ...TERRAFORM }).map(longOf);

/** A command of the tool on its own line, and what it passes to Terraform. */
const COMMAND = /^( +)(TF_WORKSPACE=.+? )?(cf-waf-migrate ([a-z-]+)(?: .+?)??)( -- .+)?$/gm;

/**
 * Completes the commands of a text with what the user typed: the workspace, and the flags for the API and Terraform.
 *
 * @param workspace in front of a command; empty for none
 * @param words the command line of the user
 * @param flagsOf the flags that a command has
 */
export async function repeatTyped(
  text: string,
  workspace: string,
  words: readonly string[],
  flagsOf: (command: string) => Promise<readonly string[]>,
): Promise<string> {
  const typed = REPEATED.flatMap((flag) => {
    const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
    const value = words[at] === flag ? words[at + 1] : words[at]?.slice(flag.length + 1);
    return value === undefined ? [] : { flag, value: posixQuote(value) };
  });
  const known = new Map<string, readonly string[]>();
  for (const [, , , , name = ''] of typed.length === 0 ? [] : text.matchAll(COMMAND))
    if (!known.has(name)) known.set(name, await flagsOf(name));
  return text.replace(COMMAND, (...found: (string | undefined)[]) => {
    const [, indent = '', ofOther, line = '', name = '', passed = ''] = found;
    const missing = typed.filter(
      ({ flag }) => known.get(name)?.includes(flag) === true && !line.includes(` ${flag}`),
    );
    const flags = missing.map(({ flag, value }) => ` ${flag} ${value}`);
    return `${indent}${ofOther ?? workspace}${line}${flags.join('')}${passed}`;
  });
}
