import { type Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

/** What a proxy is asked with. */
export interface ProxyAgentOptions {
  /** Scheme, host and port of the proxy. */
  readonly uri: string;
  /** `user:password` in base64. */
  readonly token: string | undefined;
  /** Hosts that are asked directly, as `NO_PROXY` names them. */
  readonly noProxy: string;
  /** Milliseconds until a connection stands. */
  readonly timeout: number;
}

/** Sends through a proxy. Apart from the client: few have one, and undici takes a while to load for it. */
export function createProxyAgent(
  { uri, token, noProxy, timeout }: ProxyAgentOptions,
  options: Agent.Options,
): Dispatcher {
  const connect = { timeout, allowH2: false };
  return new EnvHttpProxyAgent({
    ...options,
    httpsProxy: uri,
    noProxy,
    proxyTls: connect,
    requestTls: connect,
    ...(token === undefined ? {} : { token: `Basic ${token}` }),
  });
}
