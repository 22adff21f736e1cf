import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

export interface Credentials {
  readonly token?: string | undefined;
  readonly email?: string | undefined;
  readonly key?: string | undefined;
}

/** The two schemes of the API specification, "Authentication". */
export type Scheme = 'token' | 'key';

/**
 * @throws {MigrationError} `CREDENTIALS_MISSING` when neither scheme is complete,
 * `API_UNAUTHORIZED` when a value cannot be sent in a header; no message contains a value
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
    throw new MigrationError(
      'CREDENTIALS_MISSING',
      'there is neither an API token nor an API key with its e-mail address',
    );
  }
  const keys = [token, key].filter((value) => value !== undefined);
  return {
    hasKey: byKey !== undefined,
    /** The headers of the preferred scheme if available, otherwise of the other. */
    headersFor: (preferred: Scheme): Readonly<Record<string, string>> =>
      (preferred === 'key' ? byKey : byToken) ?? only,
    secrets: email === undefined ? keys : [...keys, email],
    /** The text of an answer without the token and the key: an answer can repeat its request. */
    redact: (text: string): string => withoutSecrets(text, keys),
  };
}

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((kept, secret) => kept.replaceAll(secret, '[redacted]'), text);

/**
 * A token is printable ASCII without spaces (RFC 6750, section 2.1), and so are key and e-mail. A
 * line break would start another header. It usually comes from a file that ends with one.
 */
function checked(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  const at = value.search(/[^\x21-\x7e]/);
  if (at === -1) return value;
  const message = `${name} contains an invalid character at position ${at + 1}`;
  throw new MigrationError('API_UNAUTHORIZED', message, {
    hint: 'copy it again without quotes, spaces or line breaks',
  });
}

export type CleanText = (text: string, limit?: number) => string;

/**
 * Text of the API is untrusted: it can contain terminal escapes, bidirectional overrides,
 * megabytes, or the credentials. The returned function reduces it to one short line.
 */
export function createCleanText(secrets: readonly string[]): CleanText {
  // longest first, because a secret can be a prefix of another
  const ordered = secrets.filter((one) => one !== '').sort((a, b) => b.length - a.length);
  return (text, limit = 300) => {
    // redacted before the cut, because half a secret would not be found
    const line = withoutSecrets(text, ordered);
    return printable(line.replace(/\s+/g, ' ').trim(), limit);
  };
}
