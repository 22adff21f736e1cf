import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { startProxyServer } from '../support/proxy-server';
import { spawnCli } from '../support/spawn-cli';
import { type EndedProcess } from '../support/run-process';

const password = 'lent-to-few';

interface Seen {
  run: EndedProcess;
  /** Tunnels that the proxy was asked for. */
  asked: { to: string; authorization: string | undefined }[];
  port: string;
  requests: number;
}

/**
 * Runs `check` with a proxy against this machine. Its host name ends with a dot, so that it is not recognised
 * as this machine.
 */
async function check(
  environment: (proxy: string, service: Emulator) => Record<string, string>,
): Promise<Seen> {
  const service = await startEmulator({ tls: true });
  const { port } = new URL(service.baseUrl);
  const proxy = await startProxyServer({ port: Number(port) });
  const [zone] = service.zones;
  try {
    const run = await spawnCli(['check', '--zone', zone!.id, '--verbose'], {
      cwd: '/',
      environment: {
        CLOUDFLARE_BASE_URL: `https://localhost.:${port}/client/v4`,
        CLOUDFLARE_API_TOKEN: service.credentials.token,
        NODE_EXTRA_CA_CERTS: service.certificatePath!,
        ...environment(`http://user:${password}@${proxy.host}`, service),
      },
    });
    return { run, asked: proxy.asked, port, requests: service.requests().length };
  } finally {
    await proxy.close();
    await service.stop();
  }
}

it.each(['HTTPS_PROXY', 'https_proxy'])('goes through the proxy that %s names', async (name) => {
  const { run, asked, port, requests } = await check((proxy) => ({ [name]: proxy }));
  expect(run.stderr).toContain('GET /zones/');
  expect(run).toMatchObject({ signal: null, stdout: expect.stringContaining('Zone') as unknown });
  expect(requests).toBeGreaterThan(0);
  const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
  expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ to: `localhost.:${port}`, authorization })]),
  );
  expect(run.stdout + run.stderr).not.toContain(password);
});

it('trusts no proxy that looks into the tunnel, unless told to', async () => {
  const { run, asked, requests } = await check((proxy) => ({
    HTTPS_PROXY: proxy,
    NODE_EXTRA_CA_CERTS: '',
  }));
  expect(asked).not.toEqual([]);
  expect(requests).toBe(0);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('the certificate is not trusted');
  expect(run.stderr).toContain('NODE_EXTRA_CA_CERTS');
});
