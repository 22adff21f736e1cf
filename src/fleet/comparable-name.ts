import { domainToASCII } from 'node:url';

/** A domain in the one form in which two spellings of it are equal. */
export function comparableName(name: string): string {
  const lower = name.toLowerCase().replace(/\.$/, '');
  return domainToASCII(lower) || lower;
}
