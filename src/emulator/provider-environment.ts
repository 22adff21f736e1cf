import { type Credentials } from './world';

/** The first major that takes the whole base address. */
const WHOLE_ADDRESS = 5;

/**
 * The environment that leads a provider major to a base address. From 5 on it takes the whole
 * address. 3 and 4 take host and path apart and force https, so that they need the emulator with
 * TLS. `SSL_CERT_FILE` is where Go programs read the certificates that they trust; it replaces
 * those of the system.
 */
export function providerEnvironment(
  major: number,
  base: URL,
  { token }: Credentials,
  certificatePath?: string,
): Record<string, string> {
  return {
    CLOUDFLARE_API_TOKEN: token,
    ...(certificatePath === undefined ? {} : { SSL_CERT_FILE: certificatePath }),
    ...(major < WHOLE_ADDRESS
      ? { CLOUDFLARE_API_HOSTNAME: base.host, CLOUDFLARE_API_BASE_PATH: base.pathname }
      : { CLOUDFLARE_BASE_URL: base.href }),
  };
}
