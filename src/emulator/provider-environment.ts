import { type Credentials } from './world';

/** The provider majors that know the resources of a migration. */
export type ProviderMajor = '3' | '4' | '5';

/**
 * The environment that leads each provider major to a base address. Provider 5 takes the whole
 * address. 3 and 4 take host and path apart and force https, so that they need the emulator with
 * TLS. `SSL_CERT_FILE` is where Go programs read the certificates that they trust; it replaces
 * those of the system.
 */
export function providerEnvironment(
  base: URL,
  { token }: Credentials,
  certificatePath?: string,
): Record<ProviderMajor, Record<string, string>> {
  const shared = {
    CLOUDFLARE_API_TOKEN: token,
    ...(certificatePath === undefined ? {} : { SSL_CERT_FILE: certificatePath }),
  };
  const apart = {
    ...shared,
    CLOUDFLARE_API_HOSTNAME: base.host,
    CLOUDFLARE_API_BASE_PATH: base.pathname,
  };
  return { '3': apart, '4': { ...apart }, '5': { ...shared, CLOUDFLARE_BASE_URL: base.href } };
}
