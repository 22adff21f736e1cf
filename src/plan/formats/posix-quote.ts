const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** One argument as a word of a POSIX shell: nothing in it is expanded. */
export function posixQuote(argument: string): string {
  return SAFE.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
