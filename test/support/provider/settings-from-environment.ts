import { type HttpSettings } from './http/cloudflare-http';
import { type Major } from './schema/load-schema';

const second = 1000;

/** Patience as the clients have it: 3 retries of 1 to 30 s (3, 4), 10 of 2 to 28 s (5). */
const patience: Record<Major, { retries: number; backoff: number; maxBackoff: number }> = {
  3: { retries: 3, backoff: second, maxBackoff: 30 * second },
  4: { retries: 3, backoff: second, maxBackoff: 30 * second },
  5: { retries: 10, backoff: 2 * second, maxBackoff: 28 * second },
};

/**
 * How an installed provider finds the service: by the variables of its major, and by
 * CLOUDFLARE_BASE_URL in every major, because only that one can say http.
 *
 * @throws {Error} when there are no credentials
 */
export function settingsFromEnvironment(
  major: Major,
  env: Record<string, string | undefined>,
): HttpSettings {
  const host = env['CLOUDFLARE_API_HOSTNAME'] ?? 'api.cloudflare.com';
  const path = env['CLOUDFLARE_API_BASE_PATH'] ?? '/client/v4';
  const times = { ...patience[major] };
  if (major !== 5) {
    // Seconds, as the real ones read them; provider 5 has no such settings.
    times.retries = Number(env['CLOUDFLARE_RETRIES'] ?? times.retries);
    times.backoff = Number(env['CLOUDFLARE_MIN_BACKOFF'] ?? times.backoff / second) * second;
    times.maxBackoff = Number(env['CLOUDFLARE_MAX_BACKOFF'] ?? times.maxBackoff / second) * second;
  }
  const caFile = env['SSL_CERT_FILE'];
  return {
    baseUrl: env['CLOUDFLARE_BASE_URL'] ?? `https://${host}${path}`,
    headers: credentials(env),
    ...times,
    ...(caFile !== undefined && { caFile }),
  };
}

function credentials(env: Record<string, string | undefined>): Record<string, string> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_EMAIL: email, CLOUDFLARE_API_KEY: key } = env;
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (email !== undefined && key !== undefined) return { 'x-auth-email': email, 'x-auth-key': key };
  throw new Error('credentials are not set correctly');
}
