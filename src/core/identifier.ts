import { type ErrorCode } from './error-catalogue';
import { MigrationError } from './migration-error';
import { printable } from './printable';

const IDENTIFIER = /^[0-9a-f]{32}$/;

/** Whether a text is an identifier of the Cloudflare API: 32 lower-case hexadecimal digits. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}

/**
 * Checks a zone id before it is used in a path, a file or a plan.
 * @throws MigrationError `ZONE_ID_INVALID`
 */
export function parseZoneId(text: string): string {
  return parseIdentifier(text, 'zone id', 'ZONE_ID_INVALID');
}

/**
 * Checks a ruleset id before it is used in a path, a file or a plan.
 * @throws MigrationError `RULESET_ID_INVALID`
 */
export function parseRulesetId(text: string): string {
  return parseIdentifier(text, 'ruleset id', 'RULESET_ID_INVALID');
}

/**
 * Checks any other id (filter, firewall rule, override, package) before it is used in a path.
 * @param what - for the message: `filter id`
 * @throws MigrationError `ID_INVALID`
 */
export function parseId(text: string, what: string): string {
  return parseIdentifier(text, what, 'ID_INVALID');
}

function parseIdentifier(text: string, what: string, code: ErrorCode): string {
  if (!isIdentifier(text)) {
    throw new MigrationError(
      code,
      `${what} "${printable(text, 80)}" is not 32 lower-case hexadecimal digits`,
    );
  }
  return text;
}
