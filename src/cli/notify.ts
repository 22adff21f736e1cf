import { type CommonOptions } from './command';
import { type CliContext } from './context';

/**
 * Whether nothing is said beside the result: what is said would stand between a script and the
 * error that it reads from standard error.
 */
export function isSilent({ quiet = false, json = false }: CommonOptions): boolean {
  return quiet || json;
}

/** Says something beside the result, on standard error. */
export function notify(options: CommonOptions, { stderr }: CliContext, text: string): void {
  if (!isSilent(options)) stderr(text);
}
