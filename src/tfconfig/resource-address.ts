import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

const name = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;
/** As Terraform prints a key: escaped once, with no template in it and no control character. */
const quoted = String.raw`"(?:[^"\\$%\p{Cc}]|\$\$(?=\{)|%%(?=\{)|[$%](?!\{)|\\(?:[nrt"\\]|u[\da-fA-F]{4}|U[\da-fA-F]{8}))*"`;
const key = String.raw`\[(?:\d+|${quoted})\]`;
const address = new RegExp(`^${name}(?:${key})?(?:\\.${name}(?:${key})?)+$`, 'u');
const keys = new RegExp(key, 'gu');

/**
 * Checks an address before it gets into configuration, where it stands unquoted.
 *
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function checkAddress(text: string): void {
  if (!address.test(text)) {
    throw new MigrationError('ADDRESS_INVALID', `"${printable(text, 200)}" is no resource address`);
  }
}

/** The address that a block of configuration has: no key, of the resource or of a module. */
export function withoutKeys(text: string): string {
  return text.replace(keys, '');
}

/** An address, and what stands before each of its dots: the modules that it lies in are among that. */
export function partsBefore(text: string): readonly string[] {
  return [...dotsOf(text).map((at) => text.slice(0, at)), text];
}

/** An address, and what stands behind each of its dots: its end inside of each module. */
export function partsBehind(text: string): readonly string[] {
  return [text, ...dotsOf(text).map((at) => text.slice(at + 1))];
}

function dotsOf(text: string): number[] {
  return [...text.matchAll(/\./g)].map(({ index }) => index);
}
