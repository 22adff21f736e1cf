import { inspect } from 'node:util';
import { type Proxy, findProxy } from '../../src/cloudflare/proxy';
import { readZone } from '../../src/cloudflare/zones';
import { type MigrationError } from '../../src/core/migration-error';
import { clientUnderTest, failureOf, ZONE } from '../support/client-under-test';
import { startProxyServer } from '../support/proxy-server';

const baseUrl = 'https://service.invalid/client/v4';
const password = 'pa ss%';

/** Asks for a zone through a proxy that refuses every request. Returns the error. */
async function failBehind(proxy: Proxy | undefined): Promise<MigrationError> {
  const { client } = clientUnderTest(baseUrl, { proxy });
  try {
    return await failureOf(readZone(client, ZONE));
  } finally {
    await client.close();
  }
}

async function refusedWith(status: number, userInfo = '', noProxy = '') {
  const server = await startProxyServer({ status });
  try {
    const proxy = findProxy(baseUrl, `http://${userInfo}${server.host}`, noProxy);
    return { error: await failBehind(proxy), asked: server.asked, host: server.host };
  } finally {
    await server.close();
  }
}

describe('findProxy', () => {
  it.each(['http://127.0.0.1:8080', 'https://localhost:8443/client/v4', 'https://[::1]/x'])(
    'has none for this machine (%s)',
    (url) => {
      expect(findProxy(url, 'http://proxy.example:3128', '')).toBeUndefined();
    },
  );

  it.each(['*', 'a.example, *'])('has none if NO_PROXY is `%s`', (noProxy) => {
    expect(findProxy(baseUrl, 'proxy.example', noProxy)).toBeUndefined();
  });

  it.each([
    ['proxy.example:3128', 'proxy.example:3128'],
    ['http://proxy.example', 'proxy.example'],
    ['HTTPS://Proxy.Example:8443/', 'proxy.example:8443'],
    ['user:secret@proxy.example:3128', 'proxy.example:3128'],
  ])('accepts %s', (url, host) => {
    expect(findProxy(baseUrl, url, '')).toMatchObject({ host });
  });

  it.each([
    ...['http://', 'socks5://user:hidden@proxy.example', 'file:///hidden', 'http://a b/hidden'],
    'http://user:hidden%zz@proxy.example',
  ])('refuses %s, without repeating it', async (url) => {
    const error = await failureOf(() => findProxy(baseUrl, url, ''));
    expect(error.code).toBe('PROXY_INVALID');
    expect(error.hint).toContain('HTTPS_PROXY');
    expect(inspect(error)).not.toContain('hidden');
  });
});

describe('a request through a proxy', () => {
  it('sends the credentials of the proxy, and reports that they are missing', async () => {
    const userInfo = `user:${encodeURIComponent(password)}@`;
    const { error, asked, host } = await refusedWith(407, userInfo);
    const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
    expect(asked[0]).toEqual({ to: 'service.invalid:443', authorization });
    expect(error).toMatchObject({
      code: 'API_UNREACHABLE',
      message: `zone ${ZONE}: the proxy requires a user name and a password (PROXY_407)`,
      hint: expect.stringContaining('<user>:<password>@') as unknown,
    });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(
      new RegExp(`${password}|${authorization.slice(6)}|${host}`),
    );
  });

  it('ignores HTTP_PROXY, which may have no scheme', async () => {
    jest.replaceProperty(process, 'env', { ...process.env, HTTP_PROXY: 'proxy.example:3128' });
    const { asked } = await refusedWith(502).finally(() => jest.restoreAllMocks());
    expect(asked).toMatchObject([{ to: 'service.invalid:443' }]);
  });

  it('names the proxy in the hint', async () => {
    const { error, asked, host } = await refusedWith(502);
    expect(asked[0]?.authorization).toBeUndefined();
    expect(error.message).toBe(`zone ${ZONE}: the proxy refused the request (PROXY_502)`);
    expect(error.hint).toContain(host);
    // the port is free again
    const gone = await failBehind(findProxy(baseUrl, host, ''));
    expect(gone.message).toContain('cannot connect (ECONNREFUSED)');
    expect(gone.hint).toContain(host);
  });

  it.each(['service.invalid', 'other.example,.invalid', 'service.invalid:443'])(
    'bypasses the proxy if NO_PROXY is `%s`',
    async (noProxy) => {
      const { error, asked } = await refusedWith(502, '', noProxy);
      expect(asked).toEqual([]);
      expect(error.message).toMatch(/cannot connect \((ENOTFOUND|EAI_AGAIN)\)/);
    },
  );
});
