import { type Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { attempt, MigrationError } from '../core/migration-error';
import { isLoopback, parseBaseUrl } from './parse-base-url';

export interface Proxy {
  /** Its host and port, safe to show. */
  readonly host: string;
  /** The password of its URL, raw and decoded. */
  readonly secrets: readonly string[];
  /** @param timeout milliseconds to connect, for the proxy and for the API each */
  readonly createAgent: (options: Agent.Options, timeout: number) => Dispatcher;
}

/**
 * The proxy for requests. It only sees an encrypted tunnel.
 * @param baseUrl - as for {@link parseBaseUrl}
 * @param url - `HTTPS_PROXY`; the default scheme is http, as in Terraform
 * @param noProxy - `NO_PROXY`: comma-separated hosts that bypass the proxy, with their subdomains
 * @returns undefined if the API is this machine, or `noProxy` has `*`
 * @throws {MigrationError} `BASE_URL_INVALID`, `PROXY_INVALID`; no message contains a password
 */
export function findProxy(baseUrl: string, url: string, noProxy: string): Proxy | undefined {
  const { hostname } = new URL(parseBaseUrl(baseUrl).origin);
  if (isLoopback(hostname) || noProxy.split(/[,\s]+/).includes('*')) return undefined;
  const { href, host, username, password } = parseProxyUrl(url);
  const decoded = attempt(() => [username, password].map(decodeURIComponent));
  if (decoded === undefined) throw invalid('its user name or password has an invalid escape');
  return {
    host,
    secrets: [password, ...decoded.slice(1)],
    createAgent: (options, timeout) => {
      const connect = { timeout, allowH2: false };
      const tls = { proxyTls: connect, requestTls: connect };
      // undici would otherwise read HTTP_PROXY, and fail if that has no scheme
      const proxies = { httpProxy: '', httpsProxy: href, noProxy };
      return new EnvHttpProxyAgent({ ...options, ...proxies, ...tls });
    },
  };
}

function parseProxyUrl(text: string): URL {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole)) throw invalid('it is not a URL');
  const url = new URL(whole);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw invalid(`its scheme is ${url.protocol.slice(0, -1)}`);
}

function invalid(why: string): MigrationError {
  return new MigrationError('PROXY_INVALID', `HTTPS_PROXY is invalid: ${why}`);
}
