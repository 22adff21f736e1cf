import { MigrationError } from './migration-error';
import { printable } from './printable';

const IDENTIFIER = /^[0-9a-f]{32}$/;

export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/**
 * Checks an id before it is used in a path, a file or a plan.
 * @param what - for the message: `filter id`
 * @throws MigrationError `ID_INVALID`
 */
export function parseId(text: string, what: string): string {
  if (isIdentifier(text)) return text;
  const message = `${what} "${printable(text, 80)}" is not 32 lower-case hexadecimal digits`;
  throw new MigrationError('ID_INVALID', message);
}

export function parseZoneId(text: string): string {
  return parseId(text, 'zone id');
}

/** At least two labels, the last one with a letter, which excludes numbers and the names of plans. */
const DOMAIN =
  /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*\.[\p{N}_-]*\p{L}[\p{L}\p{M}\p{N}_-]*\.?$/u;

/** Whether a text can be the id or the name of a zone, and not only a label. */
export function isZone(field: string): boolean {
  return isIdentifier(field.toLowerCase()) || DOMAIN.test(field);
}
