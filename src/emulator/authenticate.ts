import { timingSafeEqual } from 'node:crypto';
import { type AuthScheme } from './call';
import { invalidHeader, type Refusal, refusal } from './refusal';
import { type Credentials } from './world';

interface Presented {
  readonly authorization: string | undefined;
  readonly email: string | undefined;
  readonly key: string | undefined;
}

/**
 * Which schemes a request proves. Spec, part "Authentication": a key pair, or a bearer token.
 * @throws Refusal when there is none (9106), one that is malformed (6003), or a wrong one (10000)
 */
export function authenticate(presented: Presented, expected: Credentials): Set<AuthScheme> {
  const { authorization, email, key } = presented;
  const schemes = new Set<AuthScheme>();
  if (authorization !== undefined) {
    // the scheme in any case: RFC 9110, section 11.1
    const token = /^bearer ([a-z0-9_-]{40})$/i.exec(authorization)?.[1];
    if (token === undefined) throw invalidHeader(6111, 'Invalid format for Authorization header');
    if (!same(token, expected.token)) throw wrong();
    schemes.add('token');
  }
  if (email !== undefined || key !== undefined) {
    if (email === undefined) throw missing('X-Auth-Email');
    if (key === undefined) throw missing('X-Auth-Key');
    if (!/^[0-9a-f]{37}$/.test(key))
      throw invalidHeader(6103, 'Invalid format for X-Auth-Key header');
    if (!same(email, expected.email) || !same(key, expected.key)) throw wrong();
    schemes.add('key');
  }
  if (schemes.size === 0) throw missing('X-Auth-Key, X-Auth-Email or Authorization');
  return schemes;
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const wrong = (): Refusal => refusal(403, 10000, 'Authentication error');

const missing = (headers: string): Refusal => refusal(400, 9106, `Missing ${headers} headers`);
