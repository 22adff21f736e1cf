import { type Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { attempt, MigrationError } from '../core/migration-error';
import { isLoopback, parseBaseUrl } from './parse-base-url';

/** A proxy between this machine and the API. */
export interface Proxy {
  /** Its host and port, safe to show. */
  readonly host: string;
  /** The password of its URL, raw and decoded, and the authorization token made of it. */
  readonly secrets: readonly string[];
  /** @param timeout milliseconds to connect, for the proxy and for the API each */
  readonly createAgent: (options: Agent.Options, timeout: number) => Dispatcher;
}

/** `HTTPS_PROXY` and `NO_PROXY` of the environment. */
interface ProxySettings {
  /** `http://proxy.example:3128`. The default scheme is http, as in Terraform. */
  readonly url: string;
  /**
   * Comma-separated hosts that bypass the proxy: names, which include their subdomains, or `*` for
   * all.
   */
  readonly noProxy: string;
}

/**
 * The proxy for requests. It only sees an encrypted tunnel.
 *
 * @param baseUrl - as for {@link parseBaseUrl}
 * @returns undefined if the API is this machine or matches `noProxy`: requests go there directly
 * @throws {MigrationError} `BASE_URL_INVALID`, `PROXY_INVALID`; no message contains a password
 */
export function findProxy(baseUrl: string, { url, noProxy }: ProxySettings): Proxy | undefined {
  const { hostname } = new URL(parseBaseUrl(baseUrl).origin);
  if (isLoopback(hostname) || noProxy.split(/[,\s]+/).includes('*')) return undefined;
  const { protocol, host, username, password } = parseProxyUrl(url);
  const pair = [username, password].map(decode).join(':');
  const token = pair === ':' ? undefined : Buffer.from(pair).toString('base64');
  return {
    host,
    secrets: [password, decode(password), ...(token === undefined ? [] : [token])],
    createAgent: (options, timeout) => {
      const connect = { timeout, allowH2: false };
      return new EnvHttpProxyAgent({
        ...options,
        httpsProxy: `${protocol}//${host}`,
        noProxy,
        proxyTls: connect,
        requestTls: connect,
        ...(token === undefined ? {} : { token: `Basic ${token}` }),
      });
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

/** A percent sign without a valid escape is kept. */
const decode = (text: string): string => attempt(() => decodeURIComponent(text)) ?? text;
