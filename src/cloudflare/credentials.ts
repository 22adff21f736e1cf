import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

/** What the user has: a token, a key with its e-mail address, or both. */
export interface Credentials {
  readonly token?: string | undefined;
  readonly email?: string | undefined;
  readonly key?: string | undefined;
}

/** The two schemes of service.md, "Authentication". */
export type Scheme = 'token' | 'key';

/**
 * Checks credentials and lays out their headers.
 *
 * @throws {MigrationError} `CREDENTIALS_MISSING` when neither scheme is complete,
 * `API_UNAUTHORIZED` when a value cannot be sent in a header; no message holds a value
 */
export function readCredentials(credentials: Credentials) {
  const token = checked('the API token', credentials.token);
  const email = checked('the e-mail address', credentials.email);
  const key = checked('the API key', credentials.key);
  const byToken = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const byKey =
    email === undefined || key === undefined
      ? undefined
      : { 'x-auth-email': email, 'x-auth-key': key };
  const only = byToken ?? byKey;
  if (only === undefined) {
    throw new MigrationError('CREDENTIALS_MISSING', missing(email, key));
  }
  return {
    /** The headers of the preferred scheme, or of the only one there is. */
    headersFor: (preferred: Scheme): Readonly<Record<string, string>> =>
      (preferred === 'key' ? byKey : byToken) ?? only,
    /** What must never be shown. */
    secrets: [token, key, email].filter((value) => value !== undefined),
  };
}

function missing(email: string | undefined, key: string | undefined): string {
  if (email !== undefined) return 'there is an e-mail address but no API key, and no API token';
  if (key !== undefined) return 'there is an API key but no e-mail address, and no API token';
  return 'there is neither an API token nor an API key with its e-mail address';
}

/**
 * A token is printable ASCII without a space (RFC 6750, section 2.1), and so are the two others.
 * A line end would be a header of its own on the wire. It comes from a file that was read with
 * its last line end.
 */
function checked(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  const at = value.search(/[^\x21-\x7e]/);
  if (at === -1) return value;
  const what = /\s/.test(value.charAt(at))
    ? 'white space or a line break'
    : 'a control character or a character outside ASCII';
  throw new MigrationError('API_UNAUTHORIZED', `${name} contains ${what} at position ${at + 1}`, {
    hint: 'copy it again without quotes, spaces or line breaks',
  });
}

/** Makes text of an answer fit for a message. */
export type CleanText = (text: string, limit?: number) => string;

const DEFAULT_LIMIT = 300;

/**
 * Text of the API is hostile: it can hold terminal escapes, bidirectional overrides, megabytes,
 * and an echo of the credentials. The returned function makes one short line of it.
 *
 * @param secrets - values that must never be shown; each occurrence becomes `[redacted]`
 */
export function createCleanText(secrets: readonly string[]): CleanText {
  // The longest first: a secret can be the beginning of another one.
  const ordered = secrets.filter((one) => one !== '').sort((a, b) => b.length - a.length);
  return (text, limit = DEFAULT_LIMIT) => {
    // Before the cut: the half of a secret would no longer be found.
    let line = text;
    for (const secret of ordered) line = line.replaceAll(secret, '[redacted]');
    return printable(line.replace(/\s+/g, ' ').trim(), limit);
  };
}
