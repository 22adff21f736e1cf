import { type Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { attempt, MigrationError } from '../core/migration-error';
import { isLoopback, parseBaseUrl } from './parse-base-url';

/** A proxy between this machine and the API. */
export interface Proxy {
  /** Its host and port: what may be shown of it. */
  readonly host: string;
  /** What its URL holds beside the address, as it is written and as it is sent. */
  readonly secrets: readonly string[];
  /** @param timeout milliseconds until a connection, with the proxy and with the API each */
  readonly createAgent: (options: Agent.Options, timeout: number) => Dispatcher;
}

/** `HTTPS_PROXY` and `NO_PROXY` of the environment. */
interface ProxySettings {
  /** `http://proxy.example:3128`; without a scheme it is http, as for Terraform. */
  readonly url: string;
  /** Hosts without the proxy: names, each with all below it, or `*` for all; separated by commas. */
  readonly noProxy: string;
}

/**
 * The proxy that requests go through, by a tunnel that it cannot look into.
 *
 * @param baseUrl - as {@link parseBaseUrl} takes it
 * @returns undefined where the API is this machine, or `noProxy` names all: then requests go there directly
 * @throws {MigrationError} `BASE_URL_INVALID`, `PROXY_INVALID`; no message repeats what may be a password
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

/** A percent sign that begins no escape stands for itself. */
const decode = (text: string): string => attempt(() => decodeURIComponent(text)) ?? text;
