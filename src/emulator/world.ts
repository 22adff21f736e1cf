import { type IdentifierMint } from './identifiers';
import { type Settings } from './scenario';
import { type SecurityEvent } from './traffic/security-event';
import { type Zone } from './zone';

/** What proves who calls. Example values; they open nothing but this emulator. */
export interface Credentials {
  /** An API token of 40 characters, sent as `Authorization: Bearer`. */
  readonly token: string;
  /** Sent as `X-Auth-Email`. */
  readonly email: string;
  /** An API key of 37 hexadecimal digits, sent as `X-Auth-Key`. */
  readonly key: string;
}

/** The state of the service: all that a call can read or change. */
export interface World {
  readonly zones: ReadonlyMap<string, Zone>;
  readonly settings: Settings;
  readonly credentials: Credentials;
  readonly mint: IdentifierMint;
  /** The security events of each zone, oldest first. */
  readonly events: Map<string, SecurityEvent[]>;
  /** The time of the service, RFC 3339 with microseconds. */
  readonly now: () => string;
}

/** The credentials that every built-in scenario accepts. */
export const exampleCredentials: Credentials = {
  token: 'emulator-token-opens-nothing-else-000000',
  email: 'waf@example.com',
  key: '0123456789abcdef0123456789abcdef01234',
};
