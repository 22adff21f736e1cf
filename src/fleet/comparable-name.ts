import { domainToASCII } from 'node:url';

/** What `domainToASCII` would drop or decode, as of a URL: a text with these is no domain. */
const OF_URL = /[\s/\\?#%]/;

/** A domain in the one form in which two spellings of it are equal; what is none stays as it is, in lower case. */
export function comparableName(name: string): string {
  const lower = name.toLowerCase().replace(/\.$/, '');
  return OF_URL.test(lower) ? lower : domainToASCII(lower) || lower;
}
