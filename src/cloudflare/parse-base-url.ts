import { MigrationError } from '../core/migration-error';

/** The base URL of the Cloudflare API, with its version (API specification, "Versioning"). */
export const DEFAULT_BASE_URL = 'https://api.cloudflare.com/client/v4';

export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname);
}

/**
 * Validates a `--base-url`. Each request sends credentials, so `http` is accepted only for this
 * machine (the emulator). A user name, password, query or fragment is refused.
 * @returns the origin (scheme, host and port), and the prefix of each API path: `/client/v4`
 * @throws {MigrationError} `BASE_URL_INVALID`; the message never contains a user name, a password
 * or a query of the URL
 */
export function parseBaseUrl(text: string): { origin: string; pathPrefix: string } {
  // URL.parse silently drops tabs and line breaks, which are most likely a mistake.
  if (/[\s\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(text)) {
    throw invalid(`the base URL${shown(text)} is not a URL`);
  }
  const url = new URL(text);
  const place = `the base URL ${url.protocol}//${url.host}`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw invalid(`the base URL has the scheme ${url.protocol.slice(0, -1)}, not https`);
  }
  if (url.username !== '' || url.password !== '') throw invalid(`${place} contains credentials`);
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw invalid(`${place} has a query or a fragment`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(`${place} would send the credentials in clear text`);
  }
  return { origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, '') };
}

function shown(text: string): string {
  // Text that does not parse can still contain a password before the @, or a token after the ?.
  const plain = /^[\w.:/-]{1,100}$/.test(text);
  return plain ? ` ${text}` : '';
}

const invalid = (message: string): MigrationError =>
  new MigrationError('BASE_URL_INVALID', message);
